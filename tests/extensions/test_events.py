"""Events that an extension declares are read from journals, and change the world, as all others."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.conftest import ROOT
from treec.extensions import Extension, using
from treec.world import Journal, VirtualClock, World
from treec.world.events import event_classes

DOORS = Extension(name="doors", events=("tests.extensions.door_events",))
BROKEN = Extension(name="broken", events=("tests.extensions.no_such_events",))


def test_a_journal_with_them_is_read_where_the_extension_is_installed() -> None:
    code = """
from tests.extensions.test_events import DOORS
from treec.extensions import using
from treec.world.events import decode
assert "nothing knows the event 'door.opened'" in decode("door.opened", {"door": "a"}).problem
with using(DOORS):
    assert decode("door.opened", {"door": "a"}).door == "a"
"""
    # In a process of its own: another test may have imported the module.
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_they_change_what_they_say() -> None:
    from tests.extensions.door_events import DoorOpened

    world = World(VirtualClock(), Journal.in_memory(), slots={"doors": ()})
    record = world.emit(DoorOpened("fridge"), "R1")
    assert world.state["doors"] == ("fridge",)
    assert record.line().endswith('"kind":"door.opened","by":"R1","data":{"door":"fridge"}}\n')


def test_a_module_that_is_not_there_takes_nothing_else_away() -> None:
    with using(BROKEN) as registry:
        assert "said" in event_classes()
        assert any("no_such_events" in str(problem) for problem in registry.problems)

"""Events that an extension declares are read from journals, and change the world, as all others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.support.bench import Bench
from tests.support.extensions import using
from tests.support.files import tree
from treec.api.report_page import chart_of
from treec.cli.live_lines import LiveLines
from treec.extensions import Extension, StateSlot
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.run.state import RunState, fold
from treec.run.summary import summarize
from treec.run.timeline import timeline_of
from treec.team.events import AgentJoined
from treec.world.events import event_classes
from treec.world.journal import Journal
from treec_testing.decisions.stored_world import InvalidWorld, from_plain, to_plain

__all__ = ["treec"]

DOORS = Extension(
    name="doors",
    slots=(StateSlot("doors", "tests.extensions.door_events:DoorState"),),
    events=("tests.extensions.door_events",),
)
BROKEN = Extension(name="broken", events=("tests.extensions.no_such_events",))


@pytest.mark.thorough
def test_a_journal_with_them_is_read_where_the_extension_is_installed() -> None:
    code = """
from tests.extensions.test_events import DOORS
from tests.support.extensions import using
from treec.world.events import decode
assert "unknown event 'door.opened'" in decode("door.opened", {"door": "a"}).problem
with using(DOORS):
    assert decode("door.opened", {"door": "a"}).door == "a"
"""
    # In a process of its own: another test may have imported the module.
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_they_change_a_slot_that_the_extension_declares(tmp_path: Path) -> None:
    from tests.extensions.door_events import DoorOpened, DoorState

    with using(DOORS):
        bench = Bench(tmp_path, tree("check: true"))
        record = bench.world.emit(DoorOpened("gate", "R1"), "R1")
        assert bench.world.state["doors"] == {"gate": DoorState(1, "R1")}
        line = record.line()
    assert line.endswith('"kind":"door.opened","by":"R1","data":{"agent":"R1","door":"gate"}}\n')


def test_a_case_writes_and_reads_the_slot(tmp_path: Path) -> None:
    from tests.extensions.door_events import DoorOpened

    with using(DOORS):
        bench = Bench(tmp_path, tree("check: true"))
        bench.world.emit(DoorOpened("gate", "R1"), "R1")
        plain = to_plain(bench.world, bench.run.view)
        assert plain["doors"] == {"gate": {"opened": 1, "by": "R1"}}
        again = from_plain(plain, bench.run.view).world(bench.run.view)
        assert again.state["doors"] == bench.world.state["doors"]
        with pytest.raises(
            InvalidWorld, match="doors: 'gate': unknown key 'colour'; known: by, opened"
        ):
            from_plain({"doors": {"gate": {"colour": "red"}}}, bench.run.view)


def test_a_domain_cannot_declare_the_slot_as_its_state(treec: Treec, tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("")
    domain = "domain: d\nabout: Doors.\nstate: {doors: {type: integer, default: 2}}\n"
    (tmp_path / "d.domain.yaml").write_text(domain)
    with using(DOORS):
        assert "TC606: 'doors'" in treec("check", "-L", tmp_path).out


def test_they_are_shown_in_their_own_words() -> None:
    from tests.extensions.door_events import DoorOpened

    with using(DOORS):
        state, journal = RunState(), Journal.in_memory()
        lines = LiveLines(("R1",), state)
        state.take(
            journal.append(TreeBegun((TickedNode("main/door", "door", "log", 0),)), "run", 0)
        )
        state.take(journal.append(Ticked(1, {"RUNNING": (0,)}), "run", 0))
        record = journal.append(DoorOpened("gate", "R1"), "R1", 1.0)
        state.take(record)
        assert state.detail(0) == "at gate"
        ((_, _, (text, style)),) = lines.of(record)
    assert (text, style) == ("the gate is open", "yellow")


def test_a_schedule_of_an_extension_is_charted_and_reported() -> None:
    from tests.extensions.door_events import DoorsAssigned

    journal = Journal.in_memory()
    journal.append(AgentJoined("R1"), "run", 0.0)
    journal.append(DoorsAssigned({"gate": "R1", "hatch": "R1"}), "R1", 1.0)
    bars = chart_of(timeline_of(fold(journal.records))).bars
    assert [(b.row, b.label, b.start, b.end, b.look) for b in bars] == [
        ("R1", "gate", 0.0, 10.0, "scheduled"),
        ("R1", "hatch", 10.0, 20.0, "scheduled"),
    ]
    assert summarize(journal.records).graphs == ["hand"]


def test_a_module_that_is_not_there_takes_nothing_else_away() -> None:
    with using(BROKEN) as registry:
        assert "said" in event_classes()
        assert any("no_such_events" in str(problem) for problem in registry.problems)

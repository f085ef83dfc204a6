"""Others can tell whether a run's loop is alive, and the loop says when it is late."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

import treec
from tests.support.bench import library
from tests.support.files import KITCHEN, tree
from treec.run.heartbeat import EVERY, Heartbeat
from treec.world.journal import Record

BOUND = 20.0
"""Seconds in which what a test waits for has happened."""

SLOW = """\
import time
from py_trees.behaviour import Behaviour
from py_trees.common import Status


class Slow(Behaviour):
    ports = {}

    def __init__(self, name, ports):
        super().__init__(name)
        self.ticks = 0

    def update(self):
        self.ticks += 1
        until = time.monotonic() + (0.1 if self.ticks == 3 else 0)
        while time.monotonic() < until:
            pass
        return Status.RUNNING
"""


def test_a_file_has_the_time_of_the_last_beat(tmp_path: Path) -> None:
    time = [0.0]
    beats = Heartbeat(str(tmp_path / "beat"), lambda: 7 * time[0], lambda: time[0])
    beats.beat()
    first = (tmp_path / "beat").read_text()
    beats.beat()
    assert (tmp_path / "beat").read_text() == first
    time[0] += EVERY
    beats.beat()
    assert (tmp_path / "beat").read_text().split()[1] == "1.750"
    beats.close()
    assert not (tmp_path / "beat").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("clock", ["real", "virtual"])
def test_a_socket_hears_of_an_idle_run_until_it_ends(tmp_path: Path, clock: str) -> None:
    files = {**tree("wait: 1h"), "treec.toml": ""}
    library(tmp_path / "library", files)
    (tmp_path / "library/pack/Steps.program.yaml").unlink()
    (tmp_path / "library/pack/Talk.reading.yaml").unlink()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.settimeout(BOUND)
        options = {"clock": clock, "heartbeat": f"unix:{tmp_path / 's'}"}
        run = treec.open(tmp_path / "library").start("test", **options)
        heard = [listener.recv(100) for _ in range(4)]
        assert heard == [b"READY=1", *[b"WATCHDOG=1"] * 3]
        run.close()
        while (last := listener.recv(100)) == b"WATCHDOG=1":
            pass
        assert last == b"STOPPING=1"


def test_a_heartbeat_that_cannot_be_written_is_told_before_anything_moves(tmp_path: Path) -> None:
    library(tmp_path, {**tree("wait: 1h"), "treec.toml": ""})
    (tmp_path / "pack/Steps.program.yaml").unlink()
    (tmp_path / "pack/Talk.reading.yaml").unlink()
    with pytest.raises(treec.TreecError, match=r"no heartbeat to /no/where: .*No such file"):
        treec.open(tmp_path).start("test", heartbeat="/no/where")


def test_a_tick_over_its_budget_is_told_with_its_culprit(tmp_path: Path) -> None:
    files = tree("sequence: [{late_nodes.slow:Slow: {}}]")
    files["test.system.yaml"] = KITCHEN["test.system.yaml"] + "tick_budget: 0.02s\n"
    files |= {"treec.toml": '[library]\npackage = "late_nodes"\n', "late_nodes/slow.py": SLOW}
    library(tmp_path, files)
    (tmp_path / "pack/Steps.program.yaml").unlink()
    (tmp_path / "pack/Talk.reading.yaml").unlink()

    def is_late(event: Record) -> bool:
        return event.kind == "loop.late" and "slow.py" in str(event.data["culprit"])

    with treec.open(tmp_path).start("test") as run:
        late = next(filter(is_late, run.events()))
    assert "slow.py:16 in main/Slow" in str(late.data["culprit"])
    assert float(str(late.data["seconds"])) >= 0.1

"""One meaning of a tick on all clocks: a system's `tick_period` and `at_end`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import treec
from treec.files.library import load_library
from treec.files.view import View
from treec.run.clocks import ChattingClock, SteppingClock
from treec.run.run import Run
from treec.world.clock import RealClock, VirtualClock
from treec.world.journal import Journal

FILES = {
    "treec.toml": '[library]\npackage = "machine"\n[nodes]\ncountdown = "machine:Countdown"\n',
    "trees/d.domain.yaml": "domain: d\n",
    "trees/s.scene.yaml": "scene: s\ndomain: d\nobjects: {}\n",
    "machine/__init__.py": '''
from py_trees.behaviour import Behaviour
from py_trees.common import Status


class Countdown(Behaviour):
    """RUNNING for some ticks."""

    ports = {"ticks": "in number"}

    def __init__(self, name, ports):
        super().__init__(name)
        self.io = ports

    def initialise(self):
        self.left = self.io.get("ticks")

    def update(self):
        self.left -= 1
        return Status.RUNNING if self.left > 0 else Status.SUCCESS
''',
}
SYSTEM = "system: mine\nabout: Counts.\nuses: [trees]\nroot: main\ndomain: d\nscene: s\n"
TREE = """tree: main
root:
  - countdown: {ticks: 4}
  - log: a round
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in {
        **FILES,
        "trees/mine.system.yaml": SYSTEM,
        "trees/t.tree.yaml": TREE,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


class Hand:
    """A monotonic time that waiting moves."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time

    def move(self, seconds: float | None) -> bool:
        self.time += seconds or 0.0
        return False


Clock = VirtualClock | RealClock


def virtual(hand: Hand) -> Clock:
    return SteppingClock()


def chatting(hand: Hand) -> Clock:
    return ChattingClock(monotonic=hand)


def real(hand: Hand) -> Clock:
    return RealClock(monotonic=hand)


CLOCKS = pytest.mark.parametrize("make", [virtual, chatting, real])


def rounds(
    folder: Path, make: Callable[[Hand], Clock], keys: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, list[float]]:
    """Why a run ended, at the latest after 1 s, and when its rounds did."""
    (folder / "trees/mine.system.yaml").write_text(SYSTEM + keys, "utf-8")
    library = load_library(folder)
    hand = Hand()
    clock = make(hand)
    run = Run(View(library, library.find("system", "mine")), clock, Journal.in_memory())

    def wait(seconds: float | None) -> bool:
        if not run.inbox.ready():
            hand.move(seconds)
        return run.inbox.ready()

    monkeypatch.setattr(run.inbox, "wait", wait)
    if isinstance(clock, ChattingClock):
        clock.wait = wait
    reason = run.loop.run(deadline=1.0)
    run.loop.shutdown()
    return reason, [round(r.t, 6) for r in run.journal.records if r.kind == "log"]


@CLOCKS
def test_a_node_class_of_ones_own_is_ticked_every_100_ms(
    folder: Path, make: Callable[[Hand], Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rounds(folder, make, "at_end: stop\n", monkeypatch) == ("finished", [0.3])


@CLOCKS
def test_the_system_sets_the_rate(
    folder: Path, make: Callable[[Hand], Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = "at_end: stop\ntick_period: 20ms\n"
    assert rounds(folder, make, keys, monkeypatch) == ("finished", [0.06])


@CLOCKS
def test_a_finished_root_waits_or_restarts(
    folder: Path, make: Callable[[Hand], Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rounds(folder, make, "", monkeypatch)[1] == [0.3]
    assert rounds(folder, make, "at_end: restart\n", monkeypatch)[1] == [0.3, 0.7]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("at_end: again", "'at_end': should be 'wait', 'restart' or 'stop'"),
        ("tick_period: 0s", "'tick_period': should be greater than 0"),
        (
            "tick_period: often",
            "'tick_period': 'often' is not a duration: write a number with "
            "ms, s, m or h, such as 20s",
        ),
    ],
)
def test_both_are_checked(folder: Path, line: str, message: str) -> None:
    (folder / "trees/mine.system.yaml").write_text(SYSTEM + line + "\n", "utf-8")
    (problem,) = [p for p in treec.open(folder).check().problems if p.severity == "error"]
    assert (problem.span.line, message) == (7, problem.message)

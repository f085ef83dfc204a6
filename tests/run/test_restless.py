"""A branch that does not come to rest fails alone, whatever its nodes are; the others go on."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.extensions import install
from tests.support.files import tree
from treec.nodes.python import NodePorts
from treec.run.restless import PAUSE
from treec.run.state import fold
from treec.world.events import flat
from treec_live.moment import note_of

GOOD = """\
tree: good
root:
  - {skill: go_to, with: {agent: R2, place: pantry}}
  - set: {mood: happy}
  - wait: 1h
"""

SPINS = {
    "repeat": "{set: {level: 1}, repeat: -1}",
    "repeat of a log": "{log: again, repeat: -1}",
    "repeat of a sequence": "{sequence: [{log: a}, {log: b}], repeat: -1}",
    "then": "{tree: spins}",
    "then after a failure": "{tree: fails}",
    "repeat in a repeat": "{sequence: [{log: again, repeat: 3}], repeat: -1}",
    "retry of a change": (
        "{retry: -1, sequence: [{set: {level: 1}}, {set: {level: 2}}, {check: level == 9}]}"
    ),
    "while": "{while: mood != 'tired', repeat: -1, sequence: [{check: true}]}",
    "for each": "{repeat: -1, for_each: {item: one, in: '[1, 2, 3]', do: {log: '{{ one }}'}}}",
    "if": "{repeat: -1, if: level == 0, then: {set: {level: 1}}, else: {set: {level: 0}}}",
    "switch": "{repeat: -1, switch: {of: mood, cases: {calm: {log: calm}}, default: {log: else}}}",
    "selector": "{repeat: -1, selector: [{check: false}, {log: second}]}",
    "reactive selector": "{repeat: -1, reactive_selector: [{check: false}, {log: second}]}",
    "reactive sequence": "{repeat: -1, reactive_sequence: [{check: true}, {log: second}]}",
    "sequence with memory": "{repeat: -1, sequence_with_memory: [{check: true}, {log: second}]}",
    "round robin": "{repeat: -1, round_robin: [{log: a}, {log: b}]}",
    "parallel": "{repeat: -1, parallel: [{log: a}, {log: b}]}",
    "invert": "{repeat: -1, check: false, invert: true}",
    "force success": "{repeat: -1, check: false, force_success: true}",
    "succeed if": "{repeat: -1, sequence: [{log: a, succeed_if: true}]}",
    "skip if": "{repeat: -1, sequence: [{log: a, skip_if: true}, {check: true}]}",
    "then after a skip": "{tree: skips}",
    "own node that wakes itself": "{wakes: {}}",
    "own node that ends and wakes": "{ends: {}}",
    "own node that changes its words": "{talks: {}}",
    "own node that ticks others": "{repeat: -1, both: {}, children: [{log: a}, {check: true}]}",
    "a reaction to itself": "{tree: reacts}",
    "two that undo each other": "{tree: undo}",
}

AROUND = {
    "itself": "{0}",
    "a subtree": "{{tree: nested}}",
    "a sequence": "{{sequence: [{{log: first}}, {0}]}}",
    "a selector": "{{selector: [{{check: false}}, {0}]}}",
    "reactive": "{{reactive_sequence: [{{check: true}}, {0}]}}",
    "a reactive selector": "{{reactive_selector: [{{check: false}}, {0}]}}",
    "for each": "{{for_each: {{item: one, in: '[1, 2]', do: {0}}}}}",
    "while": "{{while: true, sequence: [{0}]}}",
    "timeout": "{{timeout: 10s, sequence: [{0}]}}",
    "retry": "{{retry: 3, sequence: [{0}]}}",
    "force failure": "{{force_failure: true, sequence: [{0}]}}",
    "a parallel": "{{parallel: [{{wait: 1h}}, {0}]}}",
    "on failure": "{{on_failure: [{{log: failed}}], sequence: [{0}]}}",
}

MORE = {
    "pack/good.tree.yaml": GOOD,
    "pack/spins.tree.yaml": "tree: spins\nroot: {log: again}\nthen: repeat\n",
    "pack/fails.tree.yaml": "tree: fails\nroot: {check: level == 9}\nthen: repeat\n",
    "pack/skips.tree.yaml": "tree: skips\nroot: {log: again, skip_if: true}\nthen: repeat\n",
    "pack/reacts.tree.yaml": (
        "tree: reacts\nroot: [{on_change: level}, {if: level == 0, then: {set: {level: 1}},"
        " else: {set: {level: 0}}}]\nthen: repeat\n"
    ),
    "pack/undo.tree.yaml": (
        "tree: undo\nroot: {parallel: {until: never, children: [[{wait: {until: level == 0}},"
        " {set: {level: 1}}], [{wait: {until: level == 1}}, {set: {level: 0}}]]}}\n"
    ),
}


class Wakes(Behaviour):
    """Is RUNNING and requests a tick at each tick."""

    ports: ClassVar[dict[str, str]] = {}
    status_now: ClassVar[Status] = Status.RUNNING

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports

    def update(self) -> Status:
        """Request a tick."""
        self.io.wake()
        return self.status_now


class Ends(Wakes):
    """Fails, and requests a tick."""

    status_now = Status.FAILURE


class Talks(Wakes):
    """Raises other words at each tick."""

    ticks = 0

    def update(self) -> Status:
        """Raise."""
        type(self).ticks += 1
        raise ValueError(f"attempt {self.ticks}")


class Both(Behaviour):
    """Ticks its children one after the other, and succeeds."""

    ports: ClassVar[dict[str, str]] = {}

    def __init__(self, name: str, ports: NodePorts, children: list[Behaviour]) -> None:
        super().__init__(name)
        self.children = children
        for child in children:
            child.parent = self  # type: ignore[assignment]

    def update(self) -> Status:
        """Tick them."""
        for child in self.children:
            child.tick_once()
        return Status.SUCCESS


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The node types of this module."""
    classes = (Wakes, Ends, Talks, Both)
    listed = {cls.__name__.lower(): f"{cls.__module__}:{cls.__name__}" for cls in classes}
    install(tmp_path, monkeypatch, "own", f"node_classes={listed}")


def run(folder: Path, bad: str, files: dict[str, str] | None = None) -> Bench:
    """A branch that does not come to rest beside a robot that drives; an hour of it."""
    both = f"parallel: {{until: never, children: [{bad}, {{tree: good}}]}}"
    b = Bench(folder / "lib", {**tree(both), **MORE, **(files or {})})
    b.run.loop.run(until=lambda: b.world.state["mood"] == "happy", deadline=600.0)
    return b


def failed(b: Bench) -> list[str]:
    """Which nodes have failed by an alarm, or go on failing."""
    return [str(r.data["node"]) for kind in ("branch.restless", "in_vain") for r in b.told(kind)]


def check_alone(b: Bench) -> None:
    """The robot arrived, and nothing but the other branch failed."""
    assert b.world.state["mood"] == "happy"
    assert b.skills() == ["go_to R2 ok"]
    assert b.clock.now() < 10
    assert failed(b), "no alarm"
    assert all(not path.startswith("main/good") for path in failed(b))
    assert "main" not in failed(b)


@pytest.mark.few(8)
@pytest.mark.parametrize("kind", SPINS)
def test_it_fails_alone(tmp_path: Path, kind: str) -> None:
    check_alone(run(tmp_path, SPINS[kind]))


@pytest.mark.few(8)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", ["repeat", "then after a failure", "own node that wakes itself"])
def test_it_fails_alone_inside(tmp_path: Path, kind: str, around: str) -> None:
    nested = f"tree: nested\nroot: [{SPINS[kind]}]\n"
    check_alone(
        run(tmp_path, AROUND[around].format(SPINS[kind]), {"pack/nested.tree.yaml": nested})
    )


RESTS = {
    "a repeat that is skipped": "{repeat: -1, sequence: [{log: a, skip_if: true}]}",
    "a parallel with a skipped child": "{parallel: [{log: a, skip_if: true}, {wait: 1h}]}",
    "two nodes without a value": (
        "{parallel: [{switch: {of: 1 // level, cases: {}, default: {wait: 1h}}},"
        " {if: 2 // level == 1, reactive: true, then: {wait: 1h}, else: {wait: 1h}}]}"
    ),
    "a node without two values": (
        "{parallel: [{wait: 1h, skip_unless: 1 // level == 0,"
        " succeed_if: 2 // level == 1}, {wait: 1h}]}"
    ),
}


@pytest.mark.parametrize("kind", RESTS)
def test_what_is_skipped_or_has_no_value_comes_to_rest(tmp_path: Path, kind: str) -> None:
    b = run(tmp_path, RESTS[kind])
    assert b.skills() == ["go_to R2 ok"]
    assert not failed(b)
    nodes = {str(record.data["node"]) for record in b.told("node.failed")}
    assert all(path.startswith("main/parallel/") for path in nodes), nodes
    assert bool(nodes) == ("without" in kind)


WATCHER = "tree: watcher\nroot: [{on_change: level}, {log: seen}]\nthen: repeat\n"
FLIPS = "{repeat: -1, sequence: [{set: {level: 1}}, {set: {level: 0}}]}"
TICKS = (
    "{repeat: -1, sequence: [{if: level == 0, then: {set: {level: 1}}, else: {set: {level: 0}}}]}"
)


@pytest.mark.parametrize("order", ["{0}, {{tree: watcher}}", "{{tree: watcher}}, {0}"])
@pytest.mark.parametrize("bad", [FLIPS, TICKS])
def test_who_only_reacts_goes_on(tmp_path: Path, bad: str, order: str) -> None:
    inside = f"{{parallel: {{until: never, children: [{order.format(bad)}]}}}}"
    b = run(tmp_path, inside, {"pack/watcher.tree.yaml": WATCHER})
    check_alone(b)
    assert all("watcher" not in path for path in failed(b))
    assert b.nodes["main/parallel/watcher:then"].status is Status.RUNNING


def test_several_fail_each_with_its_name(tmp_path: Path) -> None:
    inside = (
        f"{{parallel: {{until: never, children: [{TICKS}, {{tree: spins}}, {{wakes: {{}}}}]}}}}"
    )
    b = run(tmp_path, inside)
    check_alone(b)
    assert sorted(failed(b)) == [
        "main/parallel/sequence:repeat",
        "main/parallel/spins:then",
        "main/parallel/wakes",
    ]


def test_what_is_around_it_takes_over(tmp_path: Path) -> None:
    bad = "{selector: [{log: again, repeat: -1, on_failure: [{log: '{{ reason }}'}]}, {wait: 1h}]}"
    b = run(tmp_path, bad)
    check_alone(b)
    (text,) = {str(r.data["text"]) for r in b.told("log")} - {"again"}
    assert text == "does not come to rest: 201 ticks at 0 s"
    assert b.nodes["main/selector/wait"].status is Status.RUNNING


def test_it_is_tried_again_later_and_ever_more_seldom(tmp_path: Path) -> None:
    ticker = "tree: ticker\nroot: [{wait: 1s}, {log: tick}]\nthen: repeat\n"
    root = "parallel: {until: never, children: [{tree: spins}, {tree: ticker}]}"
    b = Bench(tmp_path / "lib", {**tree(root), **MORE, "pack/ticker.tree.yaml": ticker})
    b.run.loop.run(deadline=40.0)
    assert [r.t for r in b.told("branch.restless")] == [0.0, PAUSE, 3.0, 7.0, 15.0, 31.0]


def test_a_picture_of_the_run_says_why(tmp_path: Path) -> None:
    """The page and the panels of a terminal fold the journal."""
    b = run(tmp_path, "{tree: fails}")
    state = fold([r for r in b.journal.records if r.t < 4])
    (place,) = (n for n, node in enumerate(state.nodes) if node.path == "main/fails:then")
    assert state.detail(place).startswith("does not come to rest")
    notes = [note for r in b.journal.records for e in flat(r.event) if (note := note_of(e))]
    assert any("main/fails:then does not come to rest" in note for note in notes)


def test_the_alarm_is_a_sentence(tmp_path: Path) -> None:
    b = run(tmp_path, "{tree: fails}")
    (alarm,) = b.told("branch.restless")
    words = alarm.event.describe()
    assert words is not None
    assert words.tone == "failure"
    assert words.line == (
        "! main/fails:then does not come to rest: 201 ticks at 0 s, last: not so: level == 9"
    )

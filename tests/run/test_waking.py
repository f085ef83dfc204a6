"""Whatever a waiting node depends on wakes it: random trees, beside a model that ticks always.

Each tree is run twice: as the engine does, which ticks when something requests it, and ticked many
times at every instant. Effects, values and statuses are the same, at the same times. Nodes that
count ticks, such as `on_change` in a reactive node, are left out: how many there are is not said.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.bench import library
from tests.support.files import KITCHEN
from tests.support.tiers import many
from treec.extensions import registry
from treec.files.library import Library
from treec.files.nodes import MODIFIERS
from treec.files.view import View
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.clock import RealClock, VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec

STEP, END = 0.25, 8.0
TICKS = 12
"""Ticks of the model at every instant: more than any of the trees needs to come to rest."""

PACK = {
    "pack/kitchen.domain.yaml": KITCHEN["pack/kitchen.domain.yaml"]
    + "  high: level >= 2\n  late: now > 3.5\n  ticking: now - level\n",
    "pack/inner.tree.yaml": """\
tree: inner
ports: {x: in number, y: out number, go: in bool}
root:
  - wait: {until: go or x >= 2, for: 2s}
  - set: {y: 3}
""",
}
CONDITIONS = (
    *("a == 1", "b > a", "a >= 2 and f", "not f", "g or b == 0", "a != b", "f == g", "f and a > b"),
    *("level == 1", "high", "late", "ticking > 2", "b < level", "now >= 2", "now - a > 1.5"),
    *("now // 2 == 1", "now % 3 > 1", "(now | round) in [1, 4]", "now < t + 1", "f and now > t"),
)
VARIABLES = "{a: number, b: number, f: bool, g: bool, t: number, queue: list of number}"


class Trees:
    """A generator of nodes. Pure ones may be ticked any number of times."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.logs = 0

    def condition(self) -> str:
        found = self.random.choice(CONDITIONS[:8] if self.chance(0.6) else CONDITIONS)
        return f"({found}) {self.random.choice(('and', 'or'))} f" if self.chance(0.2) else found

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def duration(self) -> str:
        return f"{self.random.choice((250, 500, 1000, 1500, 2250))}ms"

    def pure(self, depth: int) -> dict[str, Any]:
        kind = self.random.choice(("check", "check", "check", "set", "sequence", "if", "switch"))
        if kind == "check" or depth <= 0:
            node: dict[str, Any] = {"check": self.condition()}
        elif kind == "set":
            node = self.constant()
        elif kind == "sequence":
            kind = self.random.choice(("sequence", "selector", "reactive_sequence"))
            node = {kind: [self.pure(depth - 1) for _ in range(2)]}
        else:
            node = self.choice(kind, lambda: self.pure(depth - 1))
        if self.chance(0.3):
            key = self.random.choice(("skip_if", "fail_if", "while", "invert", "force_success"))
            node[key] = self.condition() if key in ("skip_if", "fail_if", "while") else True
        return node

    def constant(self) -> dict[str, Any]:
        name = self.random.choice("aabbffgg" if self.chance(0.9) else ("level",))
        if name in "fg":
            return {"set": {name: self.chance(0.6)}}
        return {"set": {name: self.random.randrange(4)}}

    def choice(self, kind: str, child: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if kind == "if":
            return {"if": self.condition(), "then": child(), "else": child()}
        cases = {str(key): child() for key in ("true", "false")}
        return {"switch": {"of": self.condition(), "cases": cases, "default": child()}}

    def root(self) -> dict[str, Any]:
        """Three nodes beside branches that set variables from time to time."""
        drivers = [
            [
                step
                for _ in range(4)
                for step in ({"wait": self.duration()}, self.constant(), APPEND)
            ]
            for _ in range(2)
        ]
        children = [*(self.node(3) for _ in range(3)), *drivers]
        return {"parallel": {"success": -1, "failure": 5, "children": children}}

    def list(self, depth: int) -> list[dict[str, Any]]:
        return [self.node(depth - 1) for _ in range(self.random.randint(1, 3))]

    def leaf(self) -> dict[str, Any]:
        match self.random.randrange(12):
            case 0:
                self.logs += 1
                return {"log": f"{self.logs}: {{{{ a }}}} {{{{ b }}}} {{{{ f }}}}"}
            case 1:
                return {"wait": self.duration()}
            case 2:
                return {"wait": {"until": self.condition(), "for": self.duration()}}
            case 3:
                return {"set": {"a": "$b"}} if self.chance(0.5) else {"set": {"t": "$now"}}
            case 4:
                return {"tree": "inner", "with": {"x": "$a", "y": "$b", "go": "$f"}}
            case 5:
                return {"check": self.condition()}
            case 6:
                return self.constant()
        return {"wait": {"until": self.condition()}}

    def node(self, depth: int) -> dict[str, Any]:
        kind = "leaf" if depth <= 0 else self.random.choice(KINDS)
        match kind:
            case "leaf":
                node = self.leaf()
            case "reactive_sequence" | "reactive_selector":
                node = {kind: [self.pure(2), self.pure(1), self.node(depth - 1)]}
            case "parallel":
                below = self.list(depth)
                counts = {"success": -1, "failure": self.random.randint(1, len(below))}
                node = {kind: {**counts, "children": below}}
            case "if" | "switch":
                node = self.choice(kind, lambda: self.node(depth - 1))
            case "recovery":
                body = {"do": self.node(depth - 1), "recover": self.node(depth - 1)}
                node = {kind: {"retries": 2, **body}}
            case "for_each":
                body = {"item": "c", "in": "[1, 3, 2]", "do": self.node(depth - 1)}
                if self.logs % 3 == 2:
                    body |= {"in": "queue", "takes": True, "if_empty": ENDS[self.logs % 4]}
                more = {"shuffle": self.logs % 4 == 1, "yields": self.logs % 5 == 1}
                node = {kind: {**body, **more}}
            case _:
                node = {kind: self.list(depth)}
                if kind in ("sequence", "selector"):
                    node |= {"yields": self.logs % 3 == 1, "shuffle": self.logs % 4 == 1}
        if self.chance(0.5):
            self.modify(node, depth)
        return node

    def modify(self, node: dict[str, Any], depth: int) -> None:
        key = self.random.choice(MODIFIED)
        if key in GUARDS:
            node[key] = self.condition()
        elif key in ("timeout", "delay", "cooldown"):
            node[key] = self.duration()
        elif key in ("on_failure", "on_success", "on_halted"):
            node[key] = self.node(depth - 1)
        else:
            node[key] = 2 if key in ("retry", "repeat", "rate") else True


APPEND = {"set": {"queue": "= queue + [a]"}}
ENDS = ("success", "failure", "skip", "running")
KINDS = (
    *("sequence", "selector", "reactive_sequence", "reactive_selector", "parallel", "parallel"),
    *("if", "switch", "for_each", "sequence_with_memory", "round_robin", "recovery"),
)
GUARDS = ("while", "skip_if", "fail_if", "succeed_if", "skip_unless")
MODIFIED = (
    *("while", "while", *GUARDS, "timeout", "delay", "cooldown", "retry", "on_success"),
    *("repeat", "invert", "once", "force_success", "force_failure", "on_failure"),
    *("on_halted", "rate"),
)
OTHERS = {
    *("ask", "do", "program", "read", "recipe", "report", "skill", "take", "probe"),
    *("on_change", "keep_running_until_failure", "pipeline"),
}
"""What needs agents and models, and what counts ticks or ticks anew what has ended."""


def make_library(folder: Path, seeds: range) -> Library:
    files = {
        f"pack/t{seed}.tree.yaml": f"tree: t{seed}\nvars: {VARIABLES}\nroot:\n"
        + "".join(
            f"  - {json.dumps(node)}\n"
            for node in (
                {"set": {"a": 0, "b": 1, "f": False, "g": True, "t": 1, "queue": [2]}},
                Trees(seed).root(),
            )
        )
        for seed in seeds
    }
    return library(folder, {**PACK, **files})


Moment = tuple[float, object]


class Observed:
    """A run of a tree, and what is to be seen of it at the end of each instant."""

    def __init__(self, found: Library, name: str, clock: VirtualClock | RealClock) -> None:
        view = View(found, found.find("system", "test"))
        self.clock = clock
        self.journal = Journal.in_memory()
        self.run = Run(view, clock, self.journal, RunSpec(tree=name))
        self.moments: dict[float, object] = {}
        self.run.loop.after_tick.append(self.look)

    def look(self) -> None:
        frame = self.run.frames[self.run.root.path][1]  # type: ignore[attr-defined]
        values = {name: cell.value for name, cell in frame.variables.items()}
        now = (self.run.root.status.name, values, self.run.world.state["level"])
        self.moments[self.clock.now()] = now

    def seen(self) -> list[Moment]:
        """When something has changed, and to what."""
        found: list[Moment] = []
        for time, now in self.moments.items():
            if not found or found[-1][1] != now:
                found.append((round(time, 3), now))
        return found

    def logged(self) -> list[tuple[float, str]]:
        told = (e for record in self.journal.records for e in events(record))
        return [(round(e.t, 3), str(e.data["text"])) for e in told if e.kind == "log"]


def run_by_itself(found: Library, name: str) -> Observed:
    observed = Observed(found, name, VirtualClock())
    loop = observed.run.loop
    loop.at_end = "stop"
    loop.run(deadline=END)
    return observed


def run_always(found: Library, name: str) -> Observed:
    clock = VirtualClock()
    observed = Observed(found, name, clock)
    loop = observed.run.loop
    time = 0.0
    while True:
        for _ in range(TICKS):
            loop.step()
            if loop.has_finished:
                return observed
        if clock.now() >= END:
            return observed
        if clock.now() >= time:
            time += STEP
            clock.call_at(time, lambda: None)
        clock.advance()


def comes_to_rest(found: Library, name: str) -> bool:
    """Whether a tree needs a bounded number of ticks at each instant."""
    records = run_by_itself(found, name).journal.records
    return all(record.kind not in ("branch.restless", "in_vain") for record in records)


@pytest.mark.thorough
def test_whatever_is_waited_for_wakes(tmp_path: Path) -> None:
    seeds = range(many(120, 40))
    found = make_library(tmp_path, seeds)
    compared = 0
    for seed in seeds:
        name = f"t{seed}"
        if not comes_to_rest(found, name):
            continue
        own, always = run_by_itself(found, name), run_always(found, name)
        text = (tmp_path / f"pack/{name}.tree.yaml").read_text("utf-8")
        assert own.logged() == always.logged(), text
        assert own.seen() == always.seen(), text
        compared += 1
    assert compared > 0.9 * len(seeds)


def test_every_node_is_tried_or_listed(tmp_path: Path) -> None:
    tried = " ".join(json.dumps(Trees(seed).root()) for seed in range(300))
    tried = tried.replace('"do":', "")  # of a loop
    ours = ("treec", "interchange")
    own = (key for key, at in registry().nodes.items() if registry().owner(at).name in ours)
    keys = {*own, *MODIFIERS}
    assert {key for key in keys if f'"{key}":' not in tried} == OTHERS


def tree(folder: Path, text: str, clock: VirtualClock | RealClock) -> Observed:
    """A run of one tree in the kitchen."""
    found = library(folder, {**PACK, "pack/main.tree.yaml": "tree: main\n" + text})
    return Observed(found, "main", clock)


WAITS: dict[str, dict[str, Any]] = {
    "wait": {"wait": {"until": "f"}},
    "while": {"sequence": [{"wait": "5s", "while": "not f"}], "force_success": True},
    "skill": {
        "sequence": [
            {"skill": "go_to", "with": {"agent": "R1", "place": "pantry"}, "while": "not f"}
        ],
        "force_success": True,
    },
    "reactive_sequence": {
        "reactive_sequence": [{"check": "not f"}, {"wait": "5s"}],
        "force_success": True,
    },
    "reactive_selector": {"reactive_selector": [{"check": "f"}, {"wait": "5s"}]},
    "switch": {
        "switch": {"of": "f", "cases": {"true": {"check": "true"}}, "default": {"wait": "5s"}}
    },
    "on_change": {"on_change": "f", "repeat": 2},
    "retry": {"sequence": [{"set": {"b": 1}}, {"check": "f"}], "retry": -1},
    "retry in retry": {"sequence": [{"check": "f", "retry": 2}], "retry": -1},
    "retries with one counter": {
        "parallel": [{"sequence": [{"set": {"a": "= (a or 0) + 1"}}, {"check": "f"}], "retry": -1}]
        * 2
    },
    "in port": {"tree": "inner", "with": {"x": 0, "y": "$a", "go": "$f"}},
    "out port": {
        "parallel": [
            {"wait": {"until": "a == 3"}},
            {"tree": "inner", "with": {"x": 0, "y": "$a", "go": "$f"}},
        ]
    },
}


def beside(*first: dict[str, Any]) -> str:
    """A tree of some nodes, and of a branch that sets a variable after a second."""
    setter = [{"wait": "1s"}, {"set": {"f": True}}]
    root = {"parallel": [[*first, {"log": "over"}], setter]}
    return f"vars: {VARIABLES}\nroot: {json.dumps(root)}\n"


@pytest.mark.parametrize("waits", WAITS)
@pytest.mark.parametrize("is_real", [False, True])
def test_a_variable_wakes_whoever_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: str, is_real: bool
) -> None:
    time = 0.0

    def wait(seconds: float | None) -> bool:
        nonlocal time
        if not run.inbox.ready():
            time += seconds or 0.0
        return run.inbox.ready()

    clock = RealClock(monotonic=lambda: time) if is_real else SteppingClock()
    observed = tree(tmp_path, beside(WAITS[waits]), clock)
    run = observed.run
    monkeypatch.setattr(run.inbox, "wait", wait)
    run.loop.at_end = "stop"
    assert run.loop.run(deadline=4.5) == "finished"
    assert observed.logged() == [(1.0, "over")]
    assert "skill.ended" not in [r.kind for r in observed.journal.records if r.t > 1.0]


def ticks(observed: Observed, until: float) -> int:
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1

    observed.run.loop.after_tick.append(tick)
    observed.run.loop.run(deadline=until)
    return count


@pytest.mark.parametrize(
    "first",
    [
        [{"set": {"a": 1}}, {"check": "a == 1"}, {"set": {"a": 2}}],
        [{"set": {"b": "$a"}}, {"set": {"a": 1}}, {"set": {"a": 2}}],
    ],
)
def test_what_is_set_to_and_fro_comes_to_rest(tmp_path: Path, first: list[dict[str, Any]]) -> None:
    text = beside({"reactive_sequence": [*first, {"wait": "5s"}]})
    assert ticks(tree(tmp_path, text, SteppingClock()), until=0.5) <= 3


def test_a_variable_that_nobody_reads_wakes_nobody(tmp_path: Path) -> None:
    observed = tree(tmp_path, beside({"wait": "5s"}), SteppingClock())
    assert ticks(observed, until=4.0) == 2  # at the beginning and after a second


def test_a_comparison_with_the_time_wakes_when_it_turns(tmp_path: Path) -> None:
    conditions = {
        2.25: "now >= 2.25",
        3.0: "now - t > 0.5 and now > t and now >= 3",
        5.0: "age(at(pepper)) * 2 >= 10",
        6.0: "now // 2 == 3",
        7.25: "now % 3 >= 1.25",
        9.0: "(now | int) == 9",
        9.5: "ticking + level >= 9.5",
        12.0: "[now, 20] | min == 12 or now > 15",
    }
    lines = [f"    - wait: {{until: '{c}'}}\n    - log: x\n" for c in conditions.values()]
    text = f"vars: {VARIABLES}\nroot:\n  sequence:\n    - set: {{t: $now}}\n" + "".join(lines)
    observed = tree(tmp_path, text, SteppingClock())
    observed.run.loop.run(deadline=20.0)
    assert [time for time, _ in observed.logged()] == list(conditions)

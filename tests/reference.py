"""BehaviorTree.CPP's ticking written down once more, in plain Python without py_trees.

The model keeps BehaviorTree.CPP's own vocabulary (idle, halt, reset) and shares no code with the
nodes, so that a mistake would have to be made twice. It knows the nodes of the golden traces.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

IDLE, RUNNING, SUCCESS, FAILURE = "IDLE", "RUNNING", "SUCCESS", "FAILURE"
LETTERS = {"S": SUCCESS, "F": FAILURE, "R": RUNNING}


@dataclass
class Log:
    leaf_ticks: list[list[str]] = field(default_factory=list)
    halted: list[int] = field(default_factory=list)


class Node:
    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        self.spec = spec
        self.log = log
        self.status = IDLE
        self.children = [make(child, log, leaves) for child in spec.get("children", ())]

    def execute(self) -> str:
        self.status = self.tick()
        return self.status

    def tick(self) -> str:
        raise NotImplementedError

    def halt(self) -> None:
        """Called on a running node only."""
        self.reset_children()

    def reset(self) -> None:
        if self.status == RUNNING:
            self.halt()
        self.status = IDLE

    def reset_children(self) -> None:
        for child in self.children:
            child.reset()


class Probe(Node):
    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        super().__init__(spec, log, leaves)
        self.place = len(leaves)
        self.ticks = 0
        leaves.append(self)

    def tick(self) -> str:
        script = self.spec["script"]
        status = LETTERS[script[self.ticks % len(script)]]
        self.ticks += 1
        self.log.leaf_ticks.append([self.spec["name"], status])
        return status

    def halt(self) -> None:
        self.log.halted.append(self.place)


class Ordered(Node):
    """Sequence and Fallback; `goes_on` is the status after which the next child is due."""

    goes_on = SUCCESS
    reactive = False

    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        super().__init__(spec, log, leaves)
        self.due = 0

    def tick(self) -> str:
        if self.reactive:
            self.due = 0
        while self.due < len(self.children):
            status = self.children[self.due].execute()
            if status == RUNNING:
                if self.reactive:
                    for other, child in enumerate(self.children):
                        if other != self.due:
                            child.reset()
                return RUNNING
            if status != self.goes_on:
                self.reset_children()
                self.due = 0
                return status
            self.due += 1
        self.reset_children()
        self.due = 0
        return self.goes_on

    def halt(self) -> None:
        self.due = 0
        super().halt()


class Fallback(Ordered):
    goes_on = FAILURE


class ReactiveSequence(Ordered):
    reactive = True


class ReactiveFallback(Fallback):
    reactive = True


class SequenceWithMemory(Node):
    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        super().__init__(spec, log, leaves)
        self.due = 0

    def tick(self) -> str:
        while self.due < len(self.children):
            child = self.children[self.due]
            before = child.status
            status = child.execute()
            if status == RUNNING:
                return RUNNING
            if status == FAILURE:
                for later in self.children[self.due :]:
                    later.reset()
                return FAILURE
            self.due += 1
            if before == IDLE and self.due < len(self.children):
                return RUNNING
        self.reset_children()
        self.due = 0
        return SUCCESS


class Parallel(Node):
    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        super().__init__(spec, log, leaves)
        self.results: dict[int, str] = {}

    def count(self, wanted: int) -> int:
        return max(len(self.children) + wanted + 1, 0) if wanted < 0 else wanted

    def tick(self) -> str:
        needed = self.count(self.spec["success_count"])
        tolerated = self.count(self.spec["failure_count"])
        for place, child in enumerate(self.children):
            if place not in self.results:
                status = child.execute()
                if status != RUNNING:
                    self.results[place] = status
            successes = list(self.results.values()).count(SUCCESS)
            failures = len(self.results) - successes
            if successes >= needed:
                return self.decide(SUCCESS)
            if len(self.children) - failures < needed or failures == tolerated:
                return self.decide(FAILURE)
        return RUNNING

    def decide(self, status: str) -> str:
        self.results.clear()
        self.reset_children()
        return status

    def halt(self) -> None:
        self.results.clear()
        super().halt()


class Decorator(Node):
    results: ClassVar = {SUCCESS: SUCCESS, FAILURE: FAILURE, RUNNING: RUNNING}

    def tick(self) -> str:
        status = self.children[0].execute()
        if status != RUNNING:
            self.children[0].reset()
        return self.results[status]


class Inverter(Decorator):
    results: ClassVar = {SUCCESS: FAILURE, FAILURE: SUCCESS, RUNNING: RUNNING}


class ForceSuccess(Decorator):
    results: ClassVar = {SUCCESS: SUCCESS, FAILURE: SUCCESS, RUNNING: RUNNING}


class ForceFailure(Decorator):
    results: ClassVar = {SUCCESS: FAILURE, FAILURE: FAILURE, RUNNING: RUNNING}


class KeepRunningUntilFailure(Decorator):
    results: ClassVar = {SUCCESS: RUNNING, FAILURE: FAILURE, RUNNING: RUNNING}


class RunOnce(Decorator):
    result = IDLE

    def tick(self) -> str:
        if self.result != IDLE:
            return self.result
        status = super().tick()
        if status != RUNNING:
            self.result = status
        return status


class Loop(Node):
    """RetryUntilSuccessful and Repeat; `again` is the status that uses a turn up."""

    again = FAILURE
    limit = "attempts"

    def __init__(self, spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> None:
        super().__init__(spec, log, leaves)
        self.turns = 0

    def more(self) -> bool:
        limit: int = self.spec[self.limit]
        return limit == -1 or self.turns < limit

    def tick(self) -> str:
        child = self.children[0]
        while self.more():
            before = child.status
            status = child.execute()
            if status == RUNNING:
                return RUNNING
            child.reset()
            if status != self.again:
                self.turns = 0
                return status
            self.turns += 1
            if before == IDLE and self.more():
                return RUNNING
        self.turns = 0
        return self.again

    def halt(self) -> None:
        self.turns = 0
        super().halt()


class Repeat(Loop):
    again = SUCCESS
    limit = "cycles"


KINDS: dict[str, type[Node]] = {
    "probe": Probe,
    "sequence": Ordered,
    "selector": Fallback,
    "reactive_sequence": ReactiveSequence,
    "reactive_selector": ReactiveFallback,
    "sequence_with_memory": SequenceWithMemory,
    "parallel": Parallel,
    "inverter": Inverter,
    "force_success": ForceSuccess,
    "force_failure": ForceFailure,
    "keep_running_until_failure": KeepRunningUntilFailure,
    "run_once": RunOnce,
    "retry": Loop,
    "repeat": Repeat,
}


def make(spec: Mapping[str, Any], log: Log, leaves: list[Node]) -> Node:
    return KINDS[spec["node"]](spec, log, leaves)


def reference_trace(spec: Mapping[str, Any], ticks: int) -> dict[str, Any]:
    """What the model does with a vector's tree, in the form of a vector."""
    log = Log()
    leaves: list[Node] = []
    root = make(spec, log, leaves)

    def halted() -> list[str]:
        names = [leaves[place].spec["name"] for place in sorted(log.halted)]
        log.halted.clear()
        return names

    recorded = []
    for _ in range(ticks):
        status = root.execute()
        if status != RUNNING:
            root.status = IDLE
        recorded.append({"root": status, "leaf_ticks": log.leaf_ticks.copy(), "halted": halted()})
        log.leaf_ticks.clear()
    root.reset()
    return {"ticks": recorded, "halted_at_end": halted()}


def random_tree(seed: int, depth: int = 4) -> dict[str, Any]:
    """A tree of the vectors' grammar, and of the edges it leaves out (0, -1 and -2 counts)."""
    rng = random.Random(seed)
    names = iter(range(10_000))

    def node(depth: int) -> dict[str, Any]:
        kind = rng.choice(sorted(KINDS)) if depth and rng.random() < 0.85 else "probe"
        if kind == "probe":
            script = "".join(rng.choices("SFR", weights=(4, 3, 3), k=rng.randint(1, 4)))
            return {"node": kind, "name": f"n{next(names)}", "script": script}
        one = kind in DECORATORS
        children = [node(depth - 1) for _ in range(1 if one else rng.randint(1, 4))]
        spec: dict[str, Any] = {"node": kind, "children": children}
        if kind == "parallel":
            spec["success_count"] = rng.randint(-3, len(children))
            spec["failure_count"] = rng.randint(-3, len(children))
        elif kind == "retry":
            spec["attempts"] = rng.randint(-1, 4)
        elif kind == "repeat":
            spec["cycles"] = rng.randint(-1, 4)
        return spec

    return node(depth)


DECORATORS = frozenset(
    {
        "inverter",
        "force_success",
        "force_failure",
        "keep_running_until_failure",
        "run_once",
        "retry",
        "repeat",
    }
)

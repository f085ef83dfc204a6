"""Vectors' trees for the model of BehaviorTree.CPP's ticking, and random ones.

The model is `treec_prove.btcpp`, which `treec prove` compares trees with; the vectors hold it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treec_prove import btcpp
from treec_prove.btcpp import IDLE, RUNNING, CppLeaf, CppNode

LETTERS = {"S": "SUCCESS", "F": "FAILURE", "R": "RUNNING"}


@dataclass
class Log:
    leaf_ticks: list[list[str]] = field(default_factory=list)
    halted: list[int] = field(default_factory=list)


def probe(spec: Mapping[str, Any], log: Log, leaves: list[str]) -> CppNode:
    place, ticks = len(leaves), 0
    leaves.append(spec["name"])

    def answer() -> str:
        nonlocal ticks
        status = LETTERS[spec["script"][ticks % len(spec["script"])]]
        ticks += 1
        log.leaf_ticks.append([spec["name"], status])
        return status

    return CppLeaf(answer, lambda: log.halted.append(place))


KINDS = {
    "probe": CppLeaf,
    "sequence": btcpp.CppSequence,
    "selector": btcpp.CppFallback,
    "reactive_sequence": btcpp.CppReactiveSequence,
    "reactive_selector": btcpp.CppReactiveFallback,
    "sequence_with_memory": btcpp.CppSequenceWithMemory,
    "parallel": btcpp.CppParallel,
    "inverter": btcpp.CppInverter,
    "force_success": btcpp.CppForceSuccess,
    "force_failure": btcpp.CppForceFailure,
    "keep_running_until_failure": btcpp.CppKeepRunningUntilFailure,
    "run_once": btcpp.CppRunOnce,
    "retry": btcpp.CppRetryUntilSuccessful,
    "repeat": btcpp.CppRepeat,
}
OPTIONS = {
    "success_count": "success_count",
    "failure_count": "failure_count",
    "attempts": "limit",
    "cycles": "limit",
}


def make(spec: Mapping[str, Any], log: Log, leaves: list[str]) -> CppNode:
    if spec["node"] == "probe":
        return probe(spec, log, leaves)
    children = [make(child, log, leaves) for child in spec["children"]]
    given = {option: spec[key] for key, option in OPTIONS.items() if key in spec}
    return KINDS[spec["node"]](*children, **given)


def reference_trace(spec: Mapping[str, Any], ticks: int) -> dict[str, Any]:
    """What the model does with a vector's tree, in the form of a vector."""
    log = Log()
    leaves: list[str] = []
    root = make(spec, log, leaves)

    def halted() -> list[str]:
        names = [leaves[place] for place in sorted(log.halted)]
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

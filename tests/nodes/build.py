"""Trees for the tests of nodes: from vectors and tree files' nodes, with no compiler between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from py_trees.behaviour import Behaviour

from treec.nodes.control.parallel import Parallel
from treec.nodes.control.reactive_selector import reactive_selector
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.control.selector import selector
from treec.nodes.control.sequence import sequence
from treec.nodes.control.sequence_with_memory import sequence_with_memory
from treec.nodes.leaves.probe import Probe
from treec.nodes.modifiers.force_failure import force_failure
from treec.nodes.modifiers.force_success import force_success
from treec.nodes.modifiers.invert import invert
from treec.nodes.modifiers.keep_running_until_failure import keep_running_until_failure
from treec.nodes.modifiers.once import once
from treec.nodes.modifiers.repeat import Repeat
from treec.nodes.modifiers.retry import Retry
from treec_testing.tick_trace import trace

COMPOSITES: dict[str, Callable[..., Behaviour]] = {
    "sequence": sequence,
    "selector": selector,
    "reactive_sequence": reactive_sequence,
    "reactive_selector": reactive_selector,
    "sequence_with_memory": sequence_with_memory,
}
DECORATORS: dict[str, Callable[..., Behaviour]] = {
    "inverter": invert,
    "force_success": force_success,
    "force_failure": force_failure,
    "run_once": once,
    "keep_running_until_failure": keep_running_until_failure,
}


def from_vector(spec: Mapping[str, Any]) -> Behaviour:
    """The tree of a vector, decorator for decorator."""
    kind = spec["node"]
    if kind == "probe":
        return Probe(name=spec["name"], script=spec["script"])
    children = [from_vector(child) for child in spec["children"]]
    if kind in COMPOSITES:
        return COMPOSITES[kind](name=kind, children=children)
    if kind == "parallel":
        return Parallel(
            name=kind,
            children=children,
            success_count=spec["success_count"],
            failure_count=spec["failure_count"],
        )
    (child,) = children
    if kind == "retry":
        return Retry(name=kind, attempts=spec["attempts"], child=child)
    if kind == "repeat":
        return Repeat(name=kind, cycles=spec["cycles"], child=child)
    return DECORATORS[kind](name=kind, child=child)


def from_data(data: Mapping[str, Any]) -> Behaviour:
    """The node of a tree file, its modifiers applied in the fixed order."""
    node = _core(data)
    for key, make in (
        ("keep_running_until_failure", keep_running_until_failure),
        ("once", once),
        ("force_failure", force_failure),
        ("force_success", force_success),
        ("invert", invert),
    ):
        if data.get(key):
            node = make(name=key, child=node)
    if "repeat" in data:
        node = Repeat(name="repeat", cycles=data["repeat"], child=node)
    if "retry" in data:
        node = Retry(name="retry", attempts=data["retry"], child=node)
    return node


def _core(data: Mapping[str, Any]) -> Behaviour:
    if "probe" in data:
        return Probe(**data["probe"])
    if "parallel" in data:
        body = data["parallel"]
        return Parallel(
            name="parallel",
            children=[from_data(child) for child in body["children"]],
            success_count=body["success"],
            failure_count=body["failure"],
        )
    (kind,) = data.keys() & COMPOSITES.keys()
    return COMPOSITES[kind](name=kind, children=[from_data(child) for child in data[kind]])


def probes(*scripts: str) -> list[Probe]:
    """Probes named a, b, c …"""
    return [Probe(name=chr(ord("a") + i), script=script) for i, script in enumerate(scripts)]


def shown(root: Behaviour, ticks: int) -> list[str]:
    """A trace, one line a tick, as tests like to read it: ``RUNNING aS bR | c``.

    The root's status, then the probes' ticks with their letters, then after a bar those halted;
    the last line is what was halted at the end.
    """
    recorded = trace(root, ticks)
    lines = []
    for tick in recorded["ticks"]:
        parts: Sequence[str] = [name + status[0] for name, status in tick["leaf_ticks"]]
        halted = ["|", *tick["halted"]] if tick["halted"] else []
        lines.append(" ".join([tick["root"], *parts, *halted]))
    return [*lines, " ".join(["end", *recorded["halted_at_end"]])]

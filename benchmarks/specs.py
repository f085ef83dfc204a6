"""Trees to compile and to tick, as the data of a tree file's nodes, and the same by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import py_trees
from py_trees.behaviour import Behaviour
from py_trees.common import OneShotPolicy, Status

from tests.vectors import yaml_lines
from treec.nodes.leaves.probe import Probe

Spec = dict[str, Any]

FANOUT = 4
MODIFIERS = ("once", "force_failure", "force_success", "invert")
"""Those that py_trees has, from the inside out, as the compiler applies them."""


def grow(size: int, composites: Sequence[str], wraps: Sequence[Spec], script: str) -> Spec:
    """A tree of so many nodes, modifiers counted, as even as can be; kinds take turns."""
    turns, names = count(), count()

    def leaf(wrap: Mapping[str, Any]) -> Spec:
        return {**wrap, "probe": {"name": f"leaf{next(names)}", "script": script}}

    def node(size: int, depth: int) -> Spec:
        if size == 1:
            return leaf({})
        if wraps and size <= 3:
            fitting = [wrap for wrap in wraps if len(wrap) == size - 1]
            if fitting:
                return leaf(fitting[next(turns) % len(fitting)])
        parts = min(FANOUT, size - 1)
        share, rest = divmod(size - 1, parts)
        children = [node(share + (i < rest), depth + 1) for i in range(parts)]
        return {composites[depth % len(composites)]: children}

    return node(size, 0)


def write_tree(spec: Mapping[str, Any], folder: Path, name: str) -> Path:
    """A tree file."""
    lines = [f"tree: {name}", "about: Measured.", "root:", *(f"  {x}" for x in yaml_lines(spec))]
    path = folder / f"{name}.tree.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def stock(spec: Mapping[str, Any], leaves: str = "ours") -> Behaviour:
    """The tree built by hand of py_trees' own nodes; ``leaves`` are ours or stock, too."""
    if "probe" in spec:
        node = _leaf(spec["probe"], leaves)
    else:
        ((key, parts),) = ((k, v) for k, v in spec.items() if k not in MODIFIERS)
        children = [stock(part, leaves) for part in parts]
        kind = py_trees.composites
        made = kind.Sequence if key.endswith("sequence") else kind.Selector
        node = made(key, not key.startswith("reactive"), children)
    decorators = py_trees.decorators
    if spec.get("once"):
        node = decorators.OneShot("once", node, OneShotPolicy.ON_COMPLETION)
    if spec.get("force_failure"):
        node = decorators.SuccessIsFailure("force_failure", node)
    if spec.get("force_success"):
        node = decorators.FailureIsSuccess("force_success", node)
    if spec.get("invert"):
        node = decorators.Inverter("invert", node)
    return node


def _leaf(probe: Mapping[str, str], leaves: str) -> Behaviour:
    if leaves == "ours":
        return Probe(probe["name"], probe["script"])
    letters = {"S": Status.SUCCESS, "F": Status.FAILURE, "R": Status.RUNNING}
    return py_trees.behaviours.StatusQueue(probe["name"], [letters[probe["script"]]], None)

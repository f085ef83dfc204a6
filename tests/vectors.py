"""Golden traces as tree files: ``python -m tests.vectors FILE OUTDIR``.

A line of FILE is a random tree with scripted leaves and what BehaviorTree.CPP did with it (see
tests/data/bt_vectors). Each becomes ``OUTDIR/<line:04d>.tree.yaml``, so that the traces hold the
whole way from a file to a running tree.

In a vector a decorator is a node; in a tree file it is a modifier of a node, and the modifiers of
one node are always applied in one order. Where a vector's decorators nest in another order, a
sequence with one child stands between them: its status is its child's, and it runs when the child
runs, so no trace tells the difference.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "data" / "bt_vectors" / "vectors.jsonl"

COMPOSITES = (
    "sequence",
    "selector",
    "reactive_sequence",
    "reactive_selector",
    "sequence_with_memory",
)

MODIFIERS: dict[str, tuple[int, str, str | None]] = {
    # decorator of a vector: place from the outside in, modifier, where its value stands
    "retry": (0, "retry", "attempts"),
    "repeat": (1, "repeat", "cycles"),
    "inverter": (2, "invert", None),
    "force_success": (2, "force_success", None),
    "force_failure": (2, "force_failure", None),
    "run_once": (3, "once", None),
    "keep_running_until_failure": (4, "keep_running_until_failure", None),
}

Spec = Mapping[str, Any]


def read_vectors(path: Path = VECTORS) -> list[dict[str, Any]]:
    """All vectors of a file, in order."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def node_data(spec: Spec) -> dict[str, Any]:
    """A vector's tree as the node of a tree file."""
    modifiers: dict[str, Any] = {}
    inner = -1
    while spec["node"] in MODIFIERS:
        place, key, value = MODIFIERS[spec["node"]]
        if place <= inner:
            return {**modifiers, "sequence": [node_data(spec)]}
        inner = place
        modifiers[key] = True if value is None else spec[value]
        (spec,) = spec["children"]
    return {**modifiers, **core_data(spec)}


def core_data(spec: Spec) -> dict[str, Any]:
    """A node without its modifiers."""
    kind = spec["node"]
    if kind == "probe":
        return {"probe": {"name": spec["name"], "script": spec["script"]}}
    children = [node_data(child) for child in spec["children"]]
    if kind == "parallel":
        return {
            "parallel": {
                "success": spec["success_count"],
                "failure": spec["failure_count"],
                "children": children,
            }
        }
    if kind not in COMPOSITES:
        raise ValueError(f"no such node in a vector: {kind}")
    return {kind: children}


def yaml_lines(node: Mapping[str, Any]) -> Iterator[str]:
    """A node in block style: a child begins with ``- `` on a line of its own."""
    for key, value in node.items():
        if key == "probe":
            yield f"probe: {{name: {value['name']}, script: {value['script']}}}"
        elif key == "parallel":
            yield "parallel:"
            yield f"  success: {value['success']}"
            yield f"  failure: {value['failure']}"
            yield "  children:"
            yield from child_lines(value["children"], "    ")
        elif isinstance(value, list):
            yield f"{key}:"
            yield from child_lines(value, "  ")
        else:
            yield f"{key}: {json.dumps(value)}"


def child_lines(children: list[Mapping[str, Any]], indent: str) -> Iterator[str]:
    """A list of nodes."""
    for child in children:
        for number, line in enumerate(yaml_lines(child)):
            yield f"{indent}{'  ' if number else '- '}{line}"


def tree_file(index: int, vector: Mapping[str, Any]) -> str:
    """The text of one tree file."""
    lines = [
        f"tree: v{index:04d}",
        f"about: Golden trace {index} ({vector['family']}).",
        "root:",
        *(f"  {line}" for line in yaml_lines(node_data(vector["tree"]))),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Write a tree file for each vector."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors", description=__doc__)
    parser.add_argument("file", type=Path, help="vectors, one JSON object a line")
    parser.add_argument("outdir", type=Path, help="where the tree files go")
    given = parser.parse_args(arguments)
    given.outdir.mkdir(parents=True, exist_ok=True)
    vectors = read_vectors(given.file)
    for index, vector in enumerate(vectors):
        path = given.outdir / f"{index:04d}.tree.yaml"
        path.write_text(tree_file(index, vector), encoding="utf-8")
    print(f"{len(vectors)} tree files in {given.outdir}")


if __name__ == "__main__":
    main()

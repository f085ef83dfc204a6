"""A class name stands for one thing: it is defined once in all of our packages."""

from __future__ import annotations

import ast
from collections import defaultdict

from docs.make_house import FOLDERS, ROOT, statements

TWICE = {
    "EventReader": "engine/treec/source/yaml_events.py: one interface for libyaml and for PyYAML",
    "Pour": "the worker of `pour` for arms and for mobile robots, each named by that skill",
}
"""Names that are defined more than once, each with the reason. The list may only get shorter."""


def definitions() -> dict[str, list[str]]:
    """Each class name and where it is defined, as `file:line`."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in (*FOLDERS, "experiments"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in statements(file):
                if isinstance(node, ast.ClassDef):
                    place = f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
                    found[node.name].append(place)
    return found


def test_a_class_name_stands_for_one_thing_and_no_exception_is_kept_in_vain() -> None:
    found = definitions()
    again = {name for name, places in found.items() if len(places) > 1}
    assert {name: found[name] for name in again - TWICE.keys()} == {}
    assert TWICE.keys() - again == set()

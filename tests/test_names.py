"""A class name stands for one thing: it is defined once in all of our packages."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "systems", "envs", "skills", "perception", "forecasting", "learning")

TWICE = {
    "EventReader": "engine/source/yaml_events.py: one interface for libyaml and for PyYAML",
    "Pour": "the worker of `pour` for arms and for mobile robots, each named by that skill",
}
"""Names that are defined more than once, each with the reason. The list may only get shorter."""


@cache
def definitions() -> dict[str, list[str]]:
    """Each class name and where it is defined, as `file:line`."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    place = f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
                    found[node.name].append(place)
    return found


@pytest.mark.thorough
def test_a_class_name_stands_for_one_thing() -> None:
    again = {name: places for name, places in definitions().items() if len(places) > 1}
    assert {name: places for name, places in again.items() if name not in TWICE} == {}


def test_no_exception_is_kept_that_is_not_needed() -> None:
    found = definitions()
    assert [name for name in TWICE if len(found[name]) < 2] == []

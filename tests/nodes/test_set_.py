from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_world_and_variables_are_set_from_values_of_before(tmp_path: Path) -> None:
    head = "vars: {who: Robot}\n"
    root = "sequence:\n  - set: {who: $R1, level: 3, mood: $R2}\n  - check: who == 'R1'\nonce: true"
    b = Bench(tmp_path, tree(root, head))
    assert b.tick() is Status.SUCCESS
    assert (b.world.state["level"], b.world.state["mood"]) == (3, "R2")
    assert len([r for r in b.journal.records if r.data.get("for") == "set"]) == 1


def test_a_name_that_nothing_has_is_a_failure_and_nothing_is_set(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("set: {level: 3, colour: red}"))
    assert b.tick() is Status.FAILURE
    assert b.world.state["level"] == 0


def test_a_variable_is_set_from_inside_a_loop_and_a_handler(tmp_path: Path) -> None:
    head = "vars: {seen: text, why: text}\n"
    root = """
sequence:
  - for_each: {item: x, in: "['a', 'b']", do: {set: {seen: $x}}}
  - check: level == 9
    on_failure: [{set: {why: $reason}}]
    force_success: true
  - log: "{{ seen }} {{ why }}"
once: true
"""
    b = Bench(tmp_path, tree(root.replace("    force_success: true\n", ""), head))
    b.tick()
    nodes = [n for n in b.nodes.values() if hasattr(n, "scope")]
    scope = next(n for n in nodes if n.name == "log").scope  # type: ignore[attr-defined]
    assert scope.lookup("seen") == "b"
    assert scope.lookup("why") == "not so: level == 9"

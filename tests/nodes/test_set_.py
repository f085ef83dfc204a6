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


def run(folder: Path, head: str, *nodes: str) -> Bench:
    root = "sequence:\n" + "".join(f"  - {node}\n" for node in nodes)
    b = Bench(folder, tree(root + "once: true", head))
    b.settle()
    return b


def logged(b: Bench) -> list[str]:
    return [str(e.data["text"]) for e in b.told("log")]


def test_values_are_computed_and_all_are_read_before_any_is_set(tmp_path: Path) -> None:
    head = "vars: {n: number = 2, a: text = 'x', b: text = 'y'}\n"
    b = run(
        tmp_path,
        head,
        "set: {n: = n * 10, a: $b, b: = a ~ n, level: = level + n}",
        'log: "{{ n }} {{ a }} {{ b }} {{ level }}"',
    )
    assert logged(b) == ["20 y x2 2"]


def test_nothing_is_set_where_one_value_cannot_be_computed(tmp_path: Path) -> None:
    head = "vars: {n: number = 2, m: number}\n"
    wrong = ("set: {n: 3, m: = 1 / 0}", "set: {n: 3, colour: red}")
    b = run(tmp_path, head, *(f"{{{node}, invert: true}}" for node in wrong), 'log: "{{ n }}"')
    assert logged(b) == ["2"]


def test_a_port_that_is_not_wired_has_its_default(tmp_path: Path) -> None:
    inner = "tree: inner\nports: {x: in number = level + 1, y: inout number}\nroot:\n"
    inner += "  - set: {y: = x + y}\n"
    files = tree(
        "sequence:\n  - tree: inner\n    with: {y: $n}\n  - tree: inner\n"
        '    with: {x: = n * 2, y: $n}\n  - log: "{{ n }}"\nonce: true',
        "vars: {n: number = 5}\n",
    )
    b = Bench(tmp_path, {**files, "pack/inner.tree.yaml": inner})
    b.settle()
    assert logged(b) == ["18"]


def test_the_demo_counts_and_takes_turns(tmp_path: Path) -> None:
    demo = Path(__file__).parents[2] / "trees/demos/counting.tree.yaml"
    text = demo.read_text("utf-8").replace("tree: counting", "tree: main")
    b = Bench(tmp_path, {"pack/main.tree.yaml": text})
    b.settle()
    assert logged(b) == [
        "round 1: letter for the hall; 1 letters",
        "round 2: parcel for the kitchen; 1 letters",
        "round 3: letter for the attic; 2 letters",
    ]

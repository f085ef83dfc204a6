from __future__ import annotations

from pathlib import Path

from tests.check.library import view_of
from treec.check.tc404_unreachable import check

WORLD = {
    "world/d.domain.yaml": "domain: d\n",
    "world/s.scene.yaml": "scene: s\ndomain: d\nobjects: {}\n",
}
SYSTEM = "system: {0}\nabout: x\nuses: [{1}, world]\nroot: {2}\ndomain: d\nscene: s\n"
ACTION = "action: {0}\nabout: x\nmay: [say]\n"


def test_what_another_system_of_the_pack_reaches_is_no_left_over(tmp_path: Path) -> None:
    files = {
        **WORLD,
        "one.system.yaml": SYSTEM.format("one", "shared", "first"),
        "two.system.yaml": SYSTEM.format("two", "shared", "second"),
        "shared/first.tree.yaml": "tree: first\nroot: {wait: 1s}\n",
        "shared/second.tree.yaml": "tree: second\nroot: {wait: 1s}\n",
        "shared/third.tree.yaml": "tree: third\nroot: {wait: 1s}\n",
    }
    (problem,) = check(view_of(tmp_path, files, "one"))
    assert (problem.span.path, problem.span.column) == ("shared/third.tree.yaml", 7)


def test_a_slip_in_a_name_does_not_make_all_below_it_unreached(tmp_path: Path) -> None:
    files = {
        **WORLD,
        "one.system.yaml": SYSTEM.format("one", "a", "main"),
        "a/main.tree.yaml": "tree: main\nroot: {ask: Excution}\n",
        "a/e.decision.yaml": "decision: Execution\nabout: x\noptions: {Act: x}\n",
        "a/act.action.yaml": ACTION.format("Act"),
        "a/left.action.yaml": ACTION.format("Left"),
    }
    assert [p.span.path for p in check(view_of(tmp_path, files, "one"))] == ["a/left.action.yaml"]


def test_what_a_wholly_unknown_name_would_reach_is_not_guessed(tmp_path: Path) -> None:
    files = {
        **WORLD,
        "one.system.yaml": SYSTEM.format("one", "a", "main"),
        "a/main.tree.yaml": "tree: main\nroot: {ask: Something_Else}\n",
        "a/act.action.yaml": ACTION.format("Act"),
    }
    assert list(check(view_of(tmp_path, files, "one"))) == []


def test_a_misspelt_node_type_hides_what_stands_below_it(tmp_path: Path) -> None:
    files = {
        **WORLD,
        "one.system.yaml": SYSTEM.format("one", "a", "main"),
        "a/main.tree.yaml": "tree: main\nroot: {sequnce: [{do: Act}]}\n",
        "a/act.action.yaml": ACTION.format("Act"),
    }
    assert list(check(view_of(tmp_path, files, "one"))) == []
    files["a/main.tree.yaml"] = "tree: main\nroot: {wait: 1s}\n"
    assert [p.span.path for p in check(view_of(tmp_path / "2", files, "one"))] == [
        "a/act.action.yaml"
    ]

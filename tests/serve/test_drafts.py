"""Trees edited on the page: what each edit does to the file's text, undo, the check, a save."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field as Said
from pydantic import create_model

from tests.extensions.plus.beep import NODE as BEEP
from tests.serve.client import HOST, TOKEN, sender
from tests.support.library import copy_warehouse
from treec.files.nodes import Node, NodeBase
from treec_editor.edits import CannotEdit
from treec_serve.app import make_app
from treec_serve.drafts import TreeDrafts
from treec_serve.new_nodes import new_node
from treec_serve.tree_edits import read_value, write_value

FILE = "trees/charge_when_low.tree.yaml"
ROBOT = "trees/robot_worker.tree.yaml"
TEXT = """\
# Charging
tree: charge_when_low
ports: {agent: in Robot}      # one robot
root:
  selector:
    # enough is enough
    - check: battery(agent) > 25   # per cent
    # then the dock

    - skill: "drive"
      with: { agent: $agent, place: dock }
    - sequence:
        - skill: charge
          with: {agent: $agent, level: = battery(agent)}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse whose tree of charging has comments."""
    library = copy_warehouse(tmp_path_factory.mktemp("drafts") / "library")
    (library / FILE).write_text(TEXT, "utf-8")
    return library


@pytest.fixture
def drafts(root: Path) -> TreeDrafts:
    """Drafts of that library."""
    return TreeDrafts(root)


def after(drafts: TreeDrafts, *ops: dict[str, Any]) -> str:
    for op in ops:
        drafts.edit(FILE, op)
    return drafts._draft(FILE).text


def test_a_file_is_shown_as_a_tree(drafts: TreeDrafts) -> None:
    state = drafts.show(FILE)
    nodes: Any = state["nodes"]
    assert [(one["id"], one["parent"], one["label"]) for one in nodes] == [
        ("root", -1, "selector"),
        ("root/selector/0", 0, "check: battery(agent) > 25"),
        ("root/selector/1", 0, "drive"),
        ("root/selector/2", 0, "sequence"),
        ("root/selector/2/sequence/0", 3, "charge"),
    ]
    assert nodes[3]["holds"]
    assert not nodes[2]["holds"]
    assert (state["problems"], state["diff"], state["edited"]) == ([], [], False)


@pytest.mark.parametrize(
    ("op", "old", "new"),
    [
        (
            {
                "op": "add",
                "target": "root/selector/1",
                "where": "before",
                "make": "{log: to do}",
            },
            '    - skill: "drive"\n',
            '    - log: to do\n    - skill: "drive"\n',
        ),
        (
            {"op": "set", "id": "root/selector/1", "key": "with/place", "value": "aisle_1"},
            "place: dock }",
            "place: aisle_1 }",
        ),
        (
            {"op": "set", "id": "root/selector/1", "key": "timeout", "value": "1m"},
            "place: dock }\n",
            "place: dock }\n      timeout: 1m\n",
        ),
        (
            {"op": "set", "id": "root/selector/1", "key": "about", "value": "first: the dock"},
            "place: dock }\n",
            "place: dock }\n      about: 'first: the dock'\n",
        ),
        (
            {"op": "set", "id": "root/selector/0", "key": "check", "value": 'agent == "r"'},
            "check: battery(agent) > 25",
            'check: agent == "r"',
        ),
        (
            {"op": "set", "id": "root/selector/1", "key": "about", "value": "one\ntwo\n"},
            "place: dock }\n",
            "place: dock }\n      about: |\n        one\n        two\n",
        ),
        (
            {"op": "wrap", "id": "root/selector/2/sequence/0", "key": "selector"},
            "        - skill: charge\n          with: {agent",
            "        - selector:\n            - skill: charge\n              with: {agent",
        ),
        (
            {"op": "unwrap", "id": "root/selector/2"},
            "    - sequence:\n        - skill: charge\n          with: {agent",
            "    - skill: charge\n      with: {agent",
        ),
    ],
    ids=["add", "set", "new key", "text with a colon", "quotes", "lines", "wrap", "unwrap"],
)
def test_only_what_is_edited_changes(
    drafts: TreeDrafts, op: dict[str, Any], old: str, new: str
) -> None:
    assert old in TEXT
    assert after(drafts, op) == TEXT.replace(old, new)


def test_a_moved_node_takes_its_comments_along_and_is_named_anew(drafts: TreeDrafts) -> None:
    op = {"op": "move", "id": "root/selector/0", "target": "root/selector/2", "where": "into"}
    state = drafts.edit(FILE, op)
    text = drafts._draft(FILE).text
    end = "        # enough is enough\n        - check: battery(agent) > 25   # per cent\n"
    assert text.endswith(end)
    assert "then the dock" in text
    assert state["chosen"] == "root/selector/1/sequence/1"
    assert after(drafts, {"op": "undo"}) == TEXT
    assert after(drafts, {"op": "redo"}) == text


def test_a_list_that_was_emptied_takes_nodes_again(drafts: TreeDrafts) -> None:
    add = {"op": "add", "target": "root/selector/2", "where": "into", "make": "{log: a}"}
    text = after(drafts, {"op": "delete", "id": "root/selector/2/sequence/0"}, add)
    assert text.endswith("    - sequence:\n        - log: a\n")


def test_a_node_that_is_in_no_list_gets_a_sequence_around_it(drafts: TreeDrafts) -> None:
    op = {"op": "add", "target": "root", "where": "after", "make": "{log: charged}"}
    text = after(drafts, op)
    assert "root:\n  sequence:\n    - selector:\n" in text
    assert text.endswith("    - log: charged\n")
    assert text.count("#") == TEXT.count("#")


@pytest.mark.parametrize(
    ("op", "why"),
    [
        ({"op": "delete", "id": "root"}, "a tree has a root"),
        ({"op": "delete", "id": "root/selector/7"}, "no longer there"),
        ({"op": "add", "target": "root", "where": "into", "make": "a"}, "a node is a mapping"),
        ({"op": "move", "id": "root", "target": "root", "where": "into"}, "the root stays"),
        (
            {"op": "add", "target": "root/selector/1", "where": "into", "make": "{log: a}"},
            "skill holds no list",
        ),
        ({"op": "unwrap", "id": "root"}, "selector has 3 nodes below it"),
        ({"op": "wrap", "id": "root", "key": "skill"}, "can be wrapped in: .*sequence"),
        ({"op": "set", "id": "root/selector/1", "key": "skil", "value": "pick"}, "skil"),
        ({"op": "dance"}, "^unknown edit: add, move, delete, wrap, unwrap or set$"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(
    drafts: TreeDrafts, op: dict[str, Any], why: str
) -> None:
    with pytest.raises(CannotEdit, match=why):
        drafts.edit(FILE, op)
    assert drafts.show(FILE)["edited"] is False


def test_a_node_of_a_bare_list_goes_beside_that_list(drafts: TreeDrafts) -> None:
    """An edit that leaves a node where it is changes nothing."""
    file = drafts._session.root / FILE
    before = file.read_text("utf-8")
    bare = TEXT[: TEXT.index("  selector")] + "  sequence:\n    - - log: a\n      - log: b # b\n"
    file.write_text(bare, "utf-8")
    try:
        op = {"op": "move", "id": "root/sequence/0/1", "target": "root/sequence/0"}
        new = after(drafts, {**op, "where": "before"})
        assert new.endswith("  sequence:\n    - log: b # b\n    - - log: a\n")
        op = {"op": "move", "id": "root/sequence/0", "target": "root/sequence/0"}
        assert after(drafts, {**op, "where": "after"}) == new
    finally:
        file.write_text(before, "utf-8")


def test_the_check_tells_of_a_node_and_completes_its_values(drafts: TreeDrafts) -> None:
    op = {"op": "set", "id": "root/selector/1", "key": "with/place", "value": "dok"}
    (problem,) = drafts.edit(FILE, op)["problems"]  # type: ignore[misc]
    assert problem["id"] == "root/selector/1"  # type: ignore[index]
    assert "dock" in problem["message"]  # type: ignore[index]
    found = drafts.complete(FILE, "root/selector/1", "with/place", "d")
    assert [one["text"] for one in found] == ["dock"]
    names = [one["text"] for one in drafts.complete(FILE, "root/selector/1", "skill", "")]
    assert {"drive", "charge", "pick"} <= {*names}
    node: Any = drafts.node(FILE, "root/selector/2/sequence/0")
    assert {one["key"]: one["value"] for one in node["keys"]} == {
        "skill": "charge",
        "with/agent": "$agent",
        "with/level": "= battery(agent)",
    }
    offers: Any = drafts.palette(FILE)
    assert {"sequence", "charge", "robot_worker", "Dispatch"} <= {one["name"] for one in offers}


def test_a_new_node_is_made_from_the_specification_of_its_type(drafts: TreeDrafts) -> None:
    """Each type that needs no file is offered, and the check finds nothing in most new nodes."""
    offers: Any = drafts.palette(FILE)
    made = {one["name"]: one["make"] for one in offers if one["group"] not in ("skill", "tree")}
    assert {"for_each", "if", "switch", "set", "wait", "on_change", "pipeline"} <= {*made}
    for name in ("for_each", "if", "switch", "parallel", "recovery", "on_change", "probe", "wait"):
        op = {"op": "add", "target": "root/selector/2", "where": "into", "make": made[name]}
        found: Any = drafts.edit(FILE, op)
        errors = [one["message"] for one in found["problems"] if one["severity"] == "error"]
        assert errors == [], (name, errors)
        drafts.edit(FILE, {"op": "undo"})


def test_a_new_node_of_a_strangers_type() -> None:
    listed = Annotated[list[int], Said(min_length=2)]
    shout = create_model("Shout", __base__=NodeBase, shout=(str, Said(examples=["hey"])))
    count = create_model("Count", __base__=NodeBase, count=(listed, Said()))
    for model in (BEEP.model, shout, count):
        model.model_rebuild(_types_namespace={"Node": Node})
    assert new_node(BEEP) == {"beep": "true"}
    assert new_node(replace(BEEP, key="shout", model=shout)) == {"shout": "hey"}
    assert new_node(replace(BEEP, key="count", model=count)) is None  # it cannot be told


def test_a_node_is_wrapped_in_whatever_has_a_place_for_it(drafts: TreeDrafts) -> None:
    node = "root/selector/1"
    text = after(drafts, {"op": "wrap", "id": node, "key": "if"})
    assert "    - if: 'true'\n      then:\n        skill: \"drive\"\n" in text
    text = after(drafts, {"op": "undo"}, {"op": "wrap", "id": node, "key": "for_each"})
    assert '        do:\n          skill: "drive"\n' in text
    assert after(drafts, {"op": "unwrap", "id": node}).count("for_each") == 0


def test_a_number_is_a_text_where_a_text_belongs(drafts: TreeDrafts) -> None:
    """What somebody types into the field of `about` may look like a number."""
    op = {"op": "set", "id": "root/selector/1", "value": "3"}
    text = after(drafts, {**op, "key": "about"}, {**op, "key": "retry"})
    assert "about: '3'" in text or 'about: "3"' in text
    assert "retry: 3" in text
    for key, value in (("retry", "1.5"), ("timeout", "0")):  # no text belongs there
        with pytest.raises(CannotEdit, match="should be"):
            drafts.edit(FILE, {**op, "key": key, "value": value})


@pytest.mark.parametrize("value", ['a == "b"', '"a" == b', '"a"', "'", "it's", "", "one\ntwo\n"])
def test_a_text_goes_through_its_field_as_it_is(value: str) -> None:
    assert read_value(write_value(value)) == value


def test_a_read_only_file_is_not_written(root: Path, drafts: TreeDrafts) -> None:
    before = (root / FILE).read_bytes()
    drafts.edit(FILE, {"op": "add", "make": "{log: new}", "target": "root", "where": "before"})
    (root / FILE).chmod(0o444)
    try:
        with pytest.raises(CannotEdit, match=r"is read-only: chmod u\+w lets it be written$"):
            drafts.save(FILE)
    finally:
        (root / FILE).chmod(0o644)
    assert (root / FILE).read_bytes() == before


def test_a_draft_is_saved_but_not_over_what_somebody_else_wrote(root: Path) -> None:
    drafts = TreeDrafts(root)
    before = (root / ROBOT).read_text("utf-8")
    op = {"op": "set", "id": "root/selector/0", "key": "about", "value": "first of all"}
    drafts.edit(ROBOT, op)
    assert (root / ROBOT).read_text("utf-8") == before
    assert drafts.save(ROBOT)["edited"] is False
    saved = (root / ROBOT).read_text("utf-8")
    assert "about: first of all" in saved
    (root / ROBOT).write_text(before, "utf-8")  # somebody else
    assert drafts.show(ROBOT)["edited"] is False
    drafts.edit(ROBOT, op)
    (root / ROBOT).write_text(before + "# mine\n", "utf-8")
    with pytest.raises(CannotEdit, match="changed meanwhile"):
        drafts.save(ROBOT)
    assert (root / ROBOT).read_text("utf-8").endswith("# mine\n")
    (root / ROBOT).write_text(before, "utf-8")


def test_a_draft_whose_file_was_deleted_is_saved_as_a_new_one(root: Path) -> None:
    drafts, file = TreeDrafts(root), root / FILE
    op = {"op": "set", "id": "root/selector/1", "key": "about", "value": "first of all"}
    shown: Any = drafts.show(FILE)["version"]
    file.unlink()
    try:
        assert FILE not in [one["file"] for one in drafts.files()]
        with pytest.raises(CannotEdit, match="was deleted meanwhile"):
            drafts.show(FILE)
        assert drafts.edit(FILE, {**op, "version": shown})["gone"] is True  # a page shows it still
        assert {"file": FILE, "tree": "charge_when_low", "edited": True} in drafts.files()
        with pytest.raises(CannotEdit, match="was deleted meanwhile"):
            drafts.save(FILE)
        assert not file.exists()
        state = drafts.save(FILE, as_new=True)
        assert (state["edited"], state["gone"]) == (False, False)
        assert "about: first of all" in file.read_text("utf-8")
        drafts.edit(FILE, {**op, "value": "second"})
        file.write_text(TEXT, "utf-8")  # it came back, as somebody else's
        with pytest.raises(CannotEdit, match="changed meanwhile"):
            drafts.save(FILE, as_new=True)
    finally:
        file.write_text(TEXT, "utf-8")


def test_an_edit_of_a_page_that_shows_an_older_text_is_refused(drafts: TreeDrafts) -> None:
    """The second of two pages would delete what moved up in place of the deleted node."""
    op = {"op": "delete", "id": "root/selector/1", "version": drafts.show(FILE)["version"]}
    state = drafts.edit(FILE, op)
    with pytest.raises(CannotEdit, match="edited elsewhere meanwhile"):
        drafts.edit(FILE, op)
    with pytest.raises(CannotEdit, match="edited elsewhere meanwhile"):
        drafts.save(FILE, op["version"])
    assert drafts.show(FILE) == {key: state[key] for key in state if key != "chosen"}


def test_files_that_others_write_are_seen(root: Path, drafts: TreeDrafts) -> None:
    op = {"op": "set", "id": "root/selector/1", "key": "skill", "value": "hover"}
    (problem,) = drafts.edit(FILE, op)["problems"]  # type: ignore[misc]
    assert "unknown skill 'hover'" in problem["message"]  # type: ignore[index]
    drive = (root / "skills/drive/drive.skill.yaml").read_text("utf-8")
    new = root / "skills/drive/hover.skill.yaml"
    new.write_text(drive.replace("skill: drive", "skill: hover"), "utf-8")
    try:
        problems: Any = drafts.show(FILE)["problems"]
        assert [one["message"] for one in problems if one["severity"] == "error"] == []
        assert "hover" in [one["name"] for one in drafts.palette(FILE)]
    finally:
        new.unlink()


def test_a_file_that_somebody_broke_meanwhile_is_said_to_be_broken(root: Path) -> None:
    drafts = TreeDrafts(root)
    drafts.show(FILE)
    before = (root / FILE).read_text("utf-8")
    try:
        (root / FILE).write_text("tree: [\n", "utf-8")
        for ask in (drafts.show, drafts.save, TreeDrafts(root).show):
            with pytest.raises(CannotEdit, match=rf"{FILE}:\d cannot be read as a tree: "):
                ask(FILE)
        problem = drafts.files()[-1]["problem"]
        assert str(problem).startswith(f"{FILE}:1 cannot be read as a tree: ")
    finally:
        (root / FILE).write_text(before, "utf-8")
    assert drafts.show(FILE)["edited"] is False


def test_only_trees_of_the_library_and_only_if_asked_for(root: Path) -> None:
    runs = root / "runs"
    off = sender(make_app(runs, TOKEN, (HOST,)))
    assert off(f"/{TOKEN}/edit/files").json() is None
    assert off(f"/{TOKEN}/edit/tree?file={FILE}").status_code == 409
    get = sender(make_app(runs, TOKEN, (HOST,), drafts=TreeDrafts(root)))
    assert FILE in [one["file"] for one in get(f"/{TOKEN}/edit/files").json()]
    assert get(f"/{TOKEN}/edit/tree?file={FILE}").json()["tree"] == "charge_when_low"
    for name in ("../x.tree.yaml", "trees/warehouse.system.yaml", "/etc/passwd"):
        assert get(f"/{TOKEN}/edit/tree?file={name}").status_code == 400
    assert get(f"/{TOKEN}/edit/nothing").status_code == 404

"""Nodes are added, moved, wrapped and deleted, and all else of a file stays, to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from difflib import ndiff
from pathlib import Path

import pytest

from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Sequence, YamlNode, read_documents
from treec_editor import edits

FILE = Path(__file__).parent / "files/commented.tree.yaml"
TEXT = FILE.read_text("utf-8")
AT = ("root", "sequence")
Way = tuple[str | int, ...]


def changes(new: str) -> tuple[str, str]:
    """The lines that went, and those that came."""
    lines = [*ndiff(TEXT.splitlines(), new.splitlines())]
    return tuple("\n".join(it[2:] for it in lines if it[0] == sign) for sign in "-+")  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("edit", "gone", "come"),
    [
        (
            lambda: edits.wrap(TEXT, (*AT, 0), ["sequence"]),
            "  - skill: drive   # beside the first\n"
            "    with: {agent: $agent,   place: $place}\n    retry:   3",
            "  - sequence:\n      - skill: drive   # beside the first\n"
            "        with: {agent: $agent,   place: $place}\n        retry:   3",
        ),
        (
            lambda: edits.unwrap(TEXT, (*AT, 3), ("selector", 0)),
            TEXT[TEXT.index("    selector:") : TEXT.index("           # last")].rstrip(),
            "    {check: a, name: one}",
        ),
        (
            lambda: edits.move(TEXT, (*AT, 1), (*AT, 3, "selector", 0)),
            "  # above the second\n  -   log: |\n        literal: # no comment\n          deeper",
            "      # above the second\n      - log: |\n"
            "          literal: # no comment\n            deeper",
        ),
        (
            lambda: edits.delete(TEXT, (*AT, 3, "selector", 0)),
            "      - {check: a, name: one}   # in braces",
            "",
        ),
        (
            lambda: edits.add(TEXT, (*AT, 5), {"check": "= x", "with": {"at": "a, b"}}),
            "",
            '  - check: = x\n    with: {at: "a, b"}',
        ),
        (lambda: edits.set_key(TEXT, (*AT, 0), "timeout", "20s"), "", "    timeout: 20s"),
        (
            lambda: edits.set_key(TEXT, (*AT, 2, 1), "name", "third"),
            '      name: "second"',
            '      name: "third"',
        ),
        (
            lambda: edits.set_key(
                TEXT, (*AT, 1), "log", "first\nliteral: # no comment\n  deeper\n"
            ),
            "",
            "        first",
        ),
        (
            lambda: edits.rename_key(TEXT, ("vars",), "wide", "broad"),
            "    wide:   number = 0     # four columns",
            "    broad:   number = 0     # four columns",
        ),
    ],
)
def test_an_edit_changes_its_own_lines_only(edit: Callable[[], str], gone: str, come: str) -> None:
    assert changes(edit()) == (gone, come)


def test_nodes_in_brackets_stay_there() -> None:
    at = (*AT, 4, "parallel", "children")
    new = edits.wrap(TEXT, (*at, 1), ["inverter"], listed=False)
    new = edits.add(new, (*at, 3), {"skill": "drive"})
    new = edits.delete(new, (*at, 0))
    assert "children: [{inverter: {check: y, name: z}}, [{check: w}], {skill: drive}]}" in new


@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
def test_whatever_is_edited_comments_and_line_breaks_stay(breaks: str) -> None:
    text = "\ufeff" + TEXT.replace("\n", breaks)
    ways = [*_ways(read_documents(SourceFile("a.yaml", text))[0][0].root, ())]
    assert len(ways) == 14
    for way in ways:
        for new in (
            edits.wrap(text, way, ["parallel", "children"], first={"until": "never"}),
            edits.add(text, way, {"skill": "drive", "about": "a: b"}),
            edits.move(text, way, (*AT, 0)) if way != (*AT, 0) else text,
        ):
            assert _comments(new) == _comments(text), way
            assert new.startswith("\ufeff# Kept")
            assert new.count("\n") == new.count(breaks)
        wrapped = edits.wrap(text, way, ["sequence"])
        assert edits.unwrap(wrapped, way, ("sequence", 0)) == text, way


BRACKETS = """\
root: {sequence: [ # first
  {log: a}, # a
  # above b
  {log: b} # b
]}
"""


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (
            lambda: edits.move(BRACKETS, (*AT, 0), ("after",)),
            "after: {log: a} # a\nroot: {sequence: [ # first\n  # above b\n  {log: b} # b\n]}\n",
        ),
        (
            lambda: edits.move(BRACKETS, (*AT, 1), ("after",)),
            "# above b\nafter: {log: b} # b\nroot: {sequence: [ # first\n  {log: a}, # a\n]}\n",
        ),
        (
            lambda: edits.add(
                edits.delete(edits.delete(BRACKETS, (*AT, 0)), (*AT, 0)), (*AT, 0), 1
            ),
            "root: {sequence: [ # first\n1]}\n",
        ),
        (lambda: edits.add(BRACKETS, (*AT, 2), 1), BRACKETS.replace("} # b\n", "}, # b\n  1\n")),
        (
            lambda: edits.add(BRACKETS, (*AT, 1), 1),
            BRACKETS.replace("  # above b", "  1,\n  # above b"),
        ),
    ],
)
def test_comments_in_brackets_stay_with_what_they_stand_beside(
    edit: Callable[[], str], expected: str
) -> None:
    assert edit() == expected


def test_the_only_item_takes_its_comments_along_once() -> None:
    text = "root:\n  # above\n  sequence:\n  # one\n  - log: a # a\n  # tail\n"
    new = edits.move(text, (*AT, 0), ("after",))
    assert new == "# one\nafter:\n  log: a # a\nroot:\n  # above\n  sequence: []\n  # tail\n"
    shown = edits.delete("root:\n  sequence: # why\n  # one\n  - log: a\n", (*AT, 0))
    assert shown == "root:\n  sequence: # why\n    []\n"


def test_what_cannot_be_edited_is_said() -> None:
    tries: list[tuple[Callable[[], str], str]] = [
        (lambda: edits.delete(TEXT, (*AT, 9)), "there is nothing at 'root.sequence.9'"),
        (lambda: edits.move(TEXT, (*AT, 3), (*AT, 3, "selector", 0)), "into itself"),
        (lambda: edits.set_key(TEXT, (*AT, 2), "name", "x"), "it has no keys"),
        (lambda: edits.add(TEXT, ("tree",), "x"), "already has 'tree'"),
        (lambda: edits.rename_key(TEXT, (), "tree", "root"), "already has 'root'"),
        (lambda: edits.move(TEXT, (*AT, 1), (*AT, 4, "parallel", "children", 0)), "in brackets"),
        (lambda: edits.delete("tree: [", ("tree",)), "cannot be read: line 1"),
        (lambda: edits.add(TEXT, (*AT, 0), object()), "cannot be written"),
    ]
    for edit, why in tries:
        with pytest.raises(edits.CannotEdit, match=why):
            edit()


def _ways(node: YamlNode, way: Way) -> Iterator[Way]:
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _ways(value, (*way, key.text))
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield (*way, number)
            yield from _ways(item, (*way, number))


def _comments(text: str) -> Counter[str]:
    return Counter(it[it.index("#") :].rstrip() for it in text.split("\n") if "#" in it)

"""What edits, new files and renamings refuse, by the whole message."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import golden
from treec_editor.edits import add, delete, move, rename_key, set_key, unwrap, wrap

TREE = "tree: a\nroot:\n  sequence:\n    - log: b\n    - {log: c}\n"

TOLD: dict[str, Callable[[], object]] = {
    "CannotEdit: name the key of the new node: sequence": lambda: wrap(TREE, ("root",), []),
    "CannotEdit: name a place below the document": lambda: add(TREE, (), {"log": "x"}),
    "CannotEdit: 'root.sequence' has 2 items: an index up to 2 is right": lambda: add(
        TREE, ("root", "sequence", 7), {"log": "x"}
    ),
    "CannotEdit: 'root.sequence' is not a mapping: it has no keys": lambda: add(
        TREE, ("root", "sequence", "x"), {"log": "x"}
    ),
    "CannotEdit: 'root' is not a list": lambda: add(TREE, ("root", 0), {"log": "x"}),
    "CannotEdit: the document already has 'tree'": lambda: add(TREE, ("tree",), {"log": "x"}),
    "CannotEdit: the file has 1 documents; there is no 2": lambda: add(
        TREE, ("root", "sequence", 0), {"log": "x"}, document=2
    ),
    "CannotEdit: the file cannot be read: it is empty": lambda: add("", ("root",), {"log": "x"}),
    "CannotEdit: the file cannot be read: line 1: the '[' is never closed": lambda: add(
        "a: [", ("root",), {"log": "x"}
    ),
    "CannotEdit: there is nothing at 'toor'": lambda: add(TREE, ("toor", 0), {"log": "x"}),
    "CannotEdit: 'sequence' is the only key of 'root': delete that": lambda: delete(
        TREE, ("root", "sequence")
    ),
    "CannotEdit: there is nothing at 'root.sequence.9'": lambda: delete(
        TREE, ("root", "sequence", 9)
    ),
    "CannotEdit: a whole document cannot be deleted: delete its file": lambda: delete("- a\n", ()),
    "CannotEdit: a node cannot be moved into itself": lambda: move(
        TREE, ("root",), ("root", "sequence", 0)
    ),
    "CannotEdit: 'tree' is not a list": lambda: move(TREE, ("root", "sequence", 0), ("tree", 0)),
    "CannotEdit: 'root' has no key 'selector'": lambda: rename_key(
        TREE, ("root",), "selector", "x"
    ),
    "CannotEdit: the document already has 'root'": lambda: rename_key(TREE, (), "tree", "root"),
    "CannotEdit: 'root.sequence' has no key 'a'": lambda: rename_key(
        TREE, ("root", "sequence"), "a", "b"
    ),
    "CannotEdit: 'tree' is not a mapping: it has no keys": lambda: set_key(TREE, ("tree",), "x", 1),
    "CannotEdit: there is nothing at 'root.nosuch'": lambda: set_key(
        TREE, ("root", "nosuch"), "x", 1
    ),
    "CannotEdit: there is nothing at 'nosuch'": lambda: unwrap(TREE, ("root",), ("nosuch",)),
    "CannotEdit: there is nothing at 'sequence.4'": lambda: unwrap(
        TREE, ("root",), ("sequence", 4)
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)

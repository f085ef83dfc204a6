"""What a tree that is built by itself is refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import golden
from treec.compile.standalone import BuildError, build_file


def built(text: str, tree: str | None = None, name: str = "a.tree.yaml") -> object:
    """The tree of a file of this text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(text, "utf-8")
        try:
            return build_file(file, tree)
        except BuildError as error:
            raise BuildError(str(error).replace(folder, "x")) from None


TOLD: dict[str, Callable[[], object]] = {
    "BuildError: no such file: /nosuch.tree.yaml": lambda: build_file(Path("/nosuch.tree.yaml")),
    "BuildError: a/lgo: unknown node 'lgo'": lambda: built("tree: a\nroot:\n  - lgo: x\n"),
    "BuildError: x/a.tree.yaml is wrong": lambda: built("tree: a\n"),
    "BuildError: x/a.skill.yaml has no tree: its name must end in .tree.yaml": lambda: built(
        "skill: a\nabout: A.\n", name="a.skill.yaml"
    ),
    "BuildError: x/a.tree.yaml: unknown tree 'b'; known: a": lambda: built(
        "tree: a\nroot:\n  - log: x\n", "b"
    ),
    (
        "BuildError: x/a.tree.yaml:3:14: the text ends too early: something is missing after this"
    ): lambda: built("tree: a\nroot:\n  - check: 1 +\n"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)

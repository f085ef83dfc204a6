"""Libraries of any size: MOSAIC's files over and over, each copy a system of its own.

Every copy lies in a folder of its own, and its behaviours, facts, derived names, robots and most
things of its scene are named anew throughout, so that few expressions and templates, and only
short ones, are the same text in two copies: what treec keeps by text then helps little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from treec.files.library import load_library
from treec.files.view import View

SYSTEM = "mosaic"
_NOUNS = (
    *("pepper", "ranch", "lettuce", "tomatoes", "vegetable", "cream", "onions", "yoghurt"),
    *("bananas", "salt", "pantry", "shelf", "ladle", "bowl", "pot"),
)
_NAMES = (
    *("a", "c", "d", "p", "r", "s", "t", "u", "line", "item", "tool"),
    *("pick", "go_to", "put_down", "pour", "stir"),
)
"""Variables of loops, arguments, skills and tasks."""

_PROSE = ("The", "Nothing", "nothing", "Sorry", "Answer", "wants", "could")
_KEPT = {"Recipe", "at"}
"""Also a type, and a key of faults."""


class Source:
    """MOSAIC's files and the words that a copy names anew."""

    def __init__(self, root: Path) -> None:
        library = load_library(root)
        system = library.find("system", SYSTEM)
        view = View(library, system)
        # 36 recipes would be most of its files: those that other files name are enough.
        others = {e.path for e in view.entries if e.kind != "recipe"}
        texts = "\n".join(library.sources[path].text for path in others)
        entries = [e for e in view.entries if e.kind != "recipe" or e.name in texts]
        paths = sorted({entry.path for entry in entries})
        self.files = {path: library.sources[path].text for path in paths}
        kinds = ("decision", "action", "reading", "program", "tree", "recipe", "contract")
        names = [name for kind in kinds for name in view.all(kind)]
        domain = [*view.facts, *view.derived]
        words = {SYSTEM, *names, *domain, *view.robots, *_NOUNS, *_NAMES, *_PROSE} - _KEPT
        longest_first = sorted(words, key=lambda word: (-len(word), word))
        word = "|".join(map(re.escape, longest_first))
        # not of a body, nor in the name of a Python object
        self._words = re.compile(rf"treec[._][\w.:]+|(?<!kind: )(?<!colour: )\b(?:{word})\b")
        self.recordings = {
            path.relative_to(root): path.read_bytes()
            for path in sorted((root / "trees" / "scenarios").glob("*.npz"))
        }
        """The motions of scenarios' people."""
        self.recipe = self.files[view.all("recipe")["Caesar Salad"].path]

    def copy(self, number: int) -> Iterator[tuple[str, str]]:
        """A system's files: paths and texts."""
        folder = f"s{number:04d}"
        for path, text in self.files.items():
            if path.endswith(".system.yaml"):
                text = re.sub(r"^  - ", f"  - {folder}/", text, flags=re.MULTILINE)
                text = re.sub(r"^(system|root): (\w+)", rf"\1: \g<2>{number}", text, flags=re.M)
            else:
                text = self.renamed(text, number)
            if path.endswith(".hearing.yaml"):  # the check reads no weights
                text = re.sub(r"^network: .*\n", "", text, flags=re.MULTILINE)
            yield f"{folder}/{path}", text

    def renamed(self, text: str, number: int) -> str:
        """A text in which the words to rename end in the copy's number."""

        def rename(match: re.Match[str]) -> str:
            return match[0] if match[0].startswith(("treec.", "treec_")) else f"{match[0]}{number}"

        return self._words.sub(rename, text)


def generate(source: Source, folder: Path, files: int, first: int = 1) -> None:
    """Write a library of exactly so many files; more recipes of the last system fill it up."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "treec.toml").write_text("[library]\n", encoding="utf-8")
    copies = max(1, files // len(source.files))
    last = first + copies - 1
    for number in range(first, last + 1):
        for path, text in source.copy(number):
            _write(folder / path, text)
        for recording, content in source.recordings.items():
            (folder / f"s{number:04d}" / recording).write_bytes(content)
    for extra in range(files - copies * len(source.files)):
        text = re.sub(r"(?m)^(recipe: .*)$", rf"\1 {extra}", source.renamed(source.recipe, last))
        _write(folder / f"s{last:04d}/trees/recipes/extra_{extra}.recipe.yaml", text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

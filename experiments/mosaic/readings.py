"""What a model reads in words, wrongly or rightly, and whether a system believes it.

`readings.yaml` has, by system, utterances with what a model quotes of them and the act that it
makes of that. A wrong one should be refused; a right one should stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from treec.api.find import find_system
from treec.files.library import Library, load_library
from treec.files.view import View
from treec_testing.decisions.cases import DecisionCase

FILE = Path(__file__).with_name("readings.yaml")
TEMPLATES = Path(__file__).parents[2] / "engine/treec/templates"
READINGS = {"mosaic": "Kitchen_Talk", "warehouse": "Operator_Talk"}


@dataclass(frozen=True)
class ReadWords:
    """What somebody said, what a model made of it, and whether that was committed."""

    system: str
    words: str
    act: Mapping[str, Any]
    right: bool
    stands: bool

    def __str__(self) -> str:
        fields = {k: v for k, v in self.act.items() if k not in ("kind", "quote")}
        return f"{self.words!r}, '{self.act['quote']}' as {self.act['kind']} {fields}"


def home_of(library: Library, system: str) -> View:
    """The system's view: the library's, or that of the template of its name."""
    if library.find("system", system) is None:
        library = load_library(TEMPLATES / system)
    return View(library, find_system(library, system))


def read_all(library: Library, path: Path = FILE) -> Iterator[ReadWords]:
    """Let a scripted model read all utterances, each once."""
    for system, given in yaml.safe_load(path.read_text("utf-8")).items():
        view = home_of(library, system)
        entry = view.find("reading", READINGS[system])
        assert entry is not None
        for right in (False, True):
            for line in given["right" if right else "wrong"]:
                words, quote, text = (part.strip() for part in line.split(" | "))
                act = {"quote": words if quote == "=" else quote, **yaml.safe_load(text)}
                if act["quote"] not in words:
                    act["quote"] = act["quote"][:1].upper() + act["quote"][1:]
                moment = {**given["given"], "user_input": words}
                case = DecisionCase("words", "", "words", view, entry, given=moment)
                answer = {"reasoning": "", "acts": [act]}
                result = asyncio.run(case.situation({}).expected(answer))
                found = result.decision.get("acts", ())
                stands = any(_is_same(act, one) for one in found)
                yield ReadWords(system, words, act, right, stands)


def _is_same(act: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
    """Whether an act was committed, apart from its quote and text."""
    return act["kind"] == one.get("kind") and all(
        one.get(name) == value for name, value in act.items() if name not in ("quote", "about")
    )

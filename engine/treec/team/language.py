"""The language in which people speak: a reading's hearing file, or the shipped one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from treec.files.hearing import HearingFile
from treec.files.library import load_library
from treec.files.view import View, per_view
from treec.team.talk import TalkAgent
from treec.team.words import any_of

if TYPE_CHECKING:
    from treec.team.stop_words import StopWords

SHIPPED = Path(__file__).parents[1] / "everyday_english"
"""The pack of the language that treec ships."""


@cache
def shipped_language() -> HearingFile:
    """The hearing file that treec ships."""
    found = load_library(SHIPPED).find("hearing", "Everyday_English")
    assert found is not None
    file: HearingFile = found.model
    return file


def language_of(view: View) -> HearingFile:
    """The hearing file of the system's readings; the shipped one if they have none."""
    names = (entry.model.hearing for entry in view.all("reading").values())
    found = (view.find("hearing", name) for name in names if name is not None)
    own = next((entry.model for entry in found if entry is not None), None)
    return shipped_language() if own is None else own


def talk_agent(
    file: HearingFile,
    name: str,
    also: Iterable[str] = (),
    *,
    person: bool = False,
    stopped: bool = False,
) -> TalkAgent:
    """An agent as parsers are told of it; a robot with a number is also called by that."""
    numbered = () if person else _numbered_names(file, name)
    return TalkAgent(name, (*also, *numbered), person, stopped)


def _numbered_names(file: HearingFile, name: str) -> Iterator[str]:
    """What a robot with a number is also called: R2 is "robot two"."""
    if numbered := re.fullmatch(r"([A-Za-z]+)[ -]?([1-9])", name):
        digit = numbered[2]
        words = (word for word, number in file.numbers.items() if str(number) == digit)
        for number in (digit, *words):
            for said in file.numbered:
                yield said.replace("{name}", numbered[1]).replace("{number}", number)


def stop_words_in(file: HearingFile) -> StopWords:
    """The words of a hearing file that stop robots; those of the shipped one if it has none."""
    from treec.team.stop_words import StopWords  # what only checks hears no stop

    return StopWords(file if file.stops.get("stop") else shipped_language())


@per_view
def stop_words_of(view: View) -> StopWords:
    """The words that stop the robots of a system."""
    return stop_words_in(language_of(view))


@per_view
def articles_before(view: View) -> re.Pattern[str]:
    """The articles and amounts in front of a name, and what follows it: "for ten minutes"."""
    file = language_of(view)
    before, after = file.amounts or ["(?!)"] * 2
    words = rf"^(?:(?:{any_of(file.articles)}|{before})\s+)+|\s+(?:{after})$"
    return re.compile(words, re.IGNORECASE)

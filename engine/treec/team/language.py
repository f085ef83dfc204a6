"""The language in which people speak: a reading's hearing file, or the shipped one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from treec.files.hearing import HearingFile, QuestionWords
from treec.files.library import load_library
from treec.files.view import View, per_view

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


def stop_words_in(file: HearingFile) -> StopWords:
    """The words of a hearing file that stop robots; those of the shipped one if it has none."""
    from treec.team.stop_words import StopWords  # what only checks hears no stop

    return StopWords(file if file.stops.get("stop") else shipped_language())


@per_view
def stop_words_of(view: View) -> StopWords:
    """The words that stop the robots of a system."""
    return stop_words_in(language_of(view))


@per_view
def place_words(view: View) -> re.Pattern[str]:
    """Where a thing's words end before where it is to be: "the crate onto the shelf"."""
    said = "|".join(map(re.escape, language_of(view).places))
    return re.compile(rf"\s+(?:{said or '(?!)'})\b", re.IGNORECASE)


class QuestionLanguage:
    """What the words of a question ask for, by the `questions` of a hearing file."""

    def __init__(self, view: View) -> None:
        file = language_of(view)
        self.file = file if file.questions or file.pleasantries else shipped_language()

    def words(self, name: QuestionWords) -> re.Pattern[str]:
        """The words of a sort."""
        return _whole_words((*self.file.questions.get(name, ()),))

    def is_all(self, name: QuestionWords, text: str) -> bool:
        """Whether a text is nothing but words of a sort and punctuation."""
        return bool(self.words(name).fullmatch(text.strip(" .!?").lower()))

    def pleasantry(self, clause: str) -> str | None:
        """The sentence that is said to a clause that only greets or thanks."""
        kinds = self.file.pleasantries.items()
        return next((kind for kind, said in kinds if any(p.fullmatch(clause) for p in said)), None)

    def without_end(self, phrase: str) -> str:
        """What a question names, without articles and the words that may follow it."""
        before = None
        while phrase != before:
            before, phrase = phrase, phrase.strip(" ?!.")
            for word in self.file.trailing:
                phrase = f" {phrase}".removesuffix(f" {word}").strip()
        words = phrase.split()
        return " ".join(words[1:] if words[:1] and words[0] in self.file.articles else words)


@cache
def _whole_words(said: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of any of these; of none, of nothing."""
    return re.compile(rf"\b(?:{'|'.join(said)})\b" if said else r"(?!)")

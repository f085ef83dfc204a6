"""The language in which people speak: a reading's hearing file, or the shipped one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from treec.files.hearing import HearingFile, QuestionWords
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
def place_words(view: View) -> re.Pattern[str]:
    """Where a thing's words end before where it is to be: "the crate onto the shelf"."""
    return re.compile(rf"\s+(?:{any_of(language_of(view).places)})\b", re.IGNORECASE)


@per_view
def clause_ends(view: View) -> re.Pattern[str]:
    """What stands between two requests."""
    joins = any_of(language_of(view).joins)
    return re.compile(rf"[.!?;:,]+(?:\s+|$)|\b(?:{joins})\b", re.IGNORECASE)


@per_view
def articles_before(view: View) -> re.Pattern[str]:
    """The articles and amounts in front of a name, and what follows it: "for ten minutes"."""
    file = language_of(view)
    before, after = (one.pattern for one in file.amounts or [re.compile("(?!)")] * 2)
    words = rf"^(?:(?:{any_of(file.articles)}|{before})\s+)+|\s+(?:{after})$"
    return re.compile(words, re.IGNORECASE)


@per_view
def determiners_before(view: View) -> re.Pattern[str]:
    """The articles in front of a name, and words such as "any"."""
    file = language_of(view)
    return _before((*file.articles, *file.determiners))


def _before(words: Iterable[str]) -> re.Pattern[str]:
    """One or more of these words in front of others."""
    return re.compile(rf"^(?:(?:{any_of(words)})\s+)+", re.IGNORECASE)


@per_view
def known_words(view: View) -> frozenset[str]:
    """The words of the language's file, and of the names in a system: what nobody is called."""
    names = [*view.objects, *view.all("recipe"), *view.types.parents]
    names += [word for spec in view.objects.values() for word in spec.also]
    names += [says for entry in view.all("task").values() for says in entry.model.says]
    texts = (language_of(view).model_dump_json(), *names)
    return frozenset(word for text in texts for word in re.findall(r"[^\W_]+", text.lower()))


def singulars(view: View, word: str) -> set[str]:
    """A word, and it without the endings in which a name may differ."""
    return {word, *map(word.removesuffix, language_of(view).endings)}


def is_plural(view: View, name: str) -> bool:
    """Whether a name is that of several: the crates."""
    plural = language_of(view).plural
    return plural is not None and bool(plural.search(name))


class QuestionLanguage:
    """What the words of a question ask for, by the `questions` of a hearing file."""

    def __init__(self, view: View) -> None:
        self.view = view
        file = language_of(view)
        self.file = file if file.questions or file.pleasantries else shipped_language()

    def words(self, name: QuestionWords) -> re.Pattern[str]:
        """The words of a sort."""
        return _whole_words((*self.file.questions.get(name, ()),))

    def is_all(self, name: QuestionWords, text: str) -> bool:
        """Whether a text is nothing but words of a sort and punctuation."""
        return bool(self.words(name).fullmatch(text.strip(" .!?").lower()))

    def prohibitions(self, text: str) -> list[str]:
        """The clauses that say what must never happen, and are no question."""
        says = self.words("prohibition")
        clauses = (one.strip() for one in clause_ends(self.view).split(text) if "?" not in text)
        return [one for one in clauses if says.match(one.lower())]

    def the(self, name: str) -> str:
        """A thing's name in a sentence."""
        return re.sub(*self.file.definite, name, count=1)

    def doers(self, text: str) -> list[str]:
        """Who is spoken to or of as doing something, if that is a name."""
        found = self.words("doer").finditer(text) if text != text.upper() else ()
        return [match[match.lastindex] for match in found if match.lastindex]

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

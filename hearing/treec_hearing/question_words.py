"""The words of a language by which questions and requests are taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from treec.files.hearing import QuestionWords
from treec.files.view import View, per_view
from treec.team.language import language_of, shipped_language
from treec.team.words import any_of


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
    return plural is not None and bool(re.search(plural, name))


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
        return next(
            (kind for kind, said in kinds if any(re.fullmatch(p, clause) for p in said)), None
        )

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

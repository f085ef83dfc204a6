"""Sentence templates, matched with the words of an utterance.

A template explains a clause, its slots are typed by the moment, and all that fits is found, so that
what else was possible can be reported (docs/hearing.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from treec.files.hearing import HearingFile, SaidForm
from treec.frozen import frozen
from treec.source.diagnostics import suggestion
from treec.team.spoken_words import plain_words
from treec_hearing.sentences import (
    Group,
    RuleUse,
    SentenceError,
    TemplateSlot,
    TemplateWords,
    parse_sentence,
)
from treec_hearing.sentences import Part as Expression

if TYPE_CHECKING:
    from treec_hearing.mentions import Language, Mentions

Bound = tuple[tuple[str, object], ...]
Ends = Iterator[tuple[int, Bound]]
TEXT = "text"
SLOTS = {
    "agent": "Agent",
    "robot": "Robot",
    "person": "Person",
    "stranger": "Stranger",
    "task": "Task",
    "inflected": "Inflected",
    "again": "Again",
    "proposed": "Proposed",
    "failed": "Failed",
    "meant": "Meant",
    "mistaken": "Mistaken",
    "other": "Other",
    "free": "Free",
    "relieved": "list of Relieved",
    "wrong": "Wrong",
    "unclaimed": "Unclaimed",
    "current": "list of Current",
    "replaced": "list of Replaced",
    "refused": "list of Refused",
    "wanted": "Wanted",
    "doer": "Doer",
    "recipe": "Recipe",
    "subtasks": "list of Subtask",
    "held": "list of Held",
    "work": "list of Work",
    "unbegun": "list of Unbegun",
    "finished": "list of Finished",
    "rest": "list of Rest",
    "text": TEXT,
    "proposals": "list of Proposal",
}
"""Slots that need be no field of the act, and their types."""
_WORDLESS = frozenset({"Current", "Mistaken", "Refused"})
"""Slots that may stand behind the last word."""
_DEEPEST = 12


class WordSpan(NamedTuple):
    """The words from `first` up to `end`, which a slot for any text takes."""

    first: int
    end: int


@frozen
class MatchAttempt:
    """A template is tried from the word `begin` on."""

    mentions: Mentions
    begin: int
    joins: frozenset[str]

    def has(self, at: int) -> bool:
        """Whether there is a word, and no sentence ends before it."""
        words = self.mentions.words
        return at < len(words) and (at == self.begin or words[at].breaks < 2)


Part = Callable[[MatchAttempt, int], Ends]


@frozen
class HearingTemplate:
    """A template of a kind of act, ready to be matched."""

    kind: str
    text: str
    fields: Mapping[str, object]
    needs: str | None
    part: Part
    first: frozenset[str] | None
    """The words that it can begin with; None if a slot can stand first."""
    needed: frozenset[str] | None
    """Words of which one must be said; None if slots alone can explain all."""


class TemplateError(ValueError):
    """A template that cannot be used; the message says why."""


class SentenceCompiler:
    """Compiles the templates of a reading, whose kinds of acts have these fields."""

    def __init__(self, acts: Mapping[str, Mapping[str, object]], file: HearingFile | None) -> None:
        self.acts = {kind: fields or {} for kind, fields in acts.items()}
        self.file = file or HearingFile.model_validate({"hearing": "none", "about": ""})
        self._words = cache(partial(plain_words, spellings=self.file.spellings))
        self._parsed_rules: dict[str, Expression] = {}
        self._rule_parts: dict[tuple[str, str], Part] = {}
        self._judged: set[tuple[str, str]] = set()
        """The rules that can be used for a kind; for every kind, "", if they have no slots."""
        self._rule_beginnings: dict[str, tuple[frozenset[str] | None, bool]] = {}
        self._rule_needs: dict[str, frozenset[str] | None] = {}
        self.literals: set[str] = set()
        """The words of all templates that were compiled."""

    @cached_property
    def language(self) -> Language:
        """The words of the shared file."""
        from treec_hearing.mentions import Language  # only where something is to be heard

        return Language(self.file)

    def compiled(self, kind: str, one: str | SaidForm) -> Iterator[HearingTemplate]:
        """The templates of a kind that one item of a list says. Raises TemplateError."""
        fields, needs = ({}, None) if isinstance(one, str) else (one.fields, one.needs)
        for text in self._texts(kind, one):
            part, *words = self.parts(text, kind)
            yield HearingTemplate(kind, text, fields, needs, part, *words)

    def judge(self, kind: str, one: str | SaidForm) -> None:
        """Raise TemplateError for what `compiled` would raise it for, and compile nothing."""
        for text in self._texts(kind, one):
            self._judge_text(text, kind)

    def _texts(self, kind: str, one: str | SaidForm) -> Sequence[str]:
        if isinstance(one, str):
            return [one]
        for name in one.fields:
            if name not in self.acts[kind]:
                hint = suggestion(name, self.acts[kind], "its fields")
                raise TemplateError(f"unknown field '{name}' of {kind}; {hint}")
        return [one.says] if isinstance(one.says, str) else one.says

    def _judge_text(self, text: str, kind: str) -> Expression:
        parsed = self._parsed(text)
        self._judge(parsed, kind, 0)
        if self._first(parsed, 0)[1]:
            raise TemplateError(f"'{text}' can be empty: at least one word or slot must be there")
        return parsed

    def own_words(self, kind: str, text: str) -> HearingTemplate:
        """Words that say a kind of act, wherever they stand. Raises TemplateError."""
        part, *words = self.parts(text, kind)
        return HearingTemplate(kind, text, {}, None, part, *words)

    def parts(
        self, text: str, kind: str
    ) -> tuple[Part, frozenset[str] | None, frozenset[str] | None]:
        """A template of a kind of act as a function, the words that it begins with, and needs.

        Raises TemplateError.
        """
        parsed = self._judge_text(text, kind)
        return self._part(parsed, kind, 0), self._first(parsed, 0)[0], self._needed(parsed, 0)

    def _judge(self, node: Expression, kind: str, depth: int) -> bool:
        """Whether it has slots, which are of the kind's fields. Raises TemplateError."""
        if isinstance(node, TemplateWords):
            return False
        if isinstance(node, TemplateSlot):
            slot_type(kind, self.acts[kind], node.type, node.into)
            return True
        if isinstance(node, Group):
            judged = [self._judge(item, kind, depth) for item in node.items]
            return any(judged)
        if (node.name, "") in self._judged:
            return False
        if (node.name, kind) not in self._judged:
            has_slots = self._judge(self.parsed_rule(node.name, depth), kind, depth + 1)
            self._judged.add((node.name, kind if has_slots else ""))
            return has_slots
        return True

    def _parsed(self, text: str) -> Expression:
        try:
            return _expression(text)
        except SentenceError as error:
            raise TemplateError(f"'{text}' cannot be read: {error}") from error

    def parsed_rule(self, name: str, depth: int) -> Expression:
        """A rule's template, used at this depth of rules. Raises TemplateError."""
        if name not in self.file.rules:
            hint = suggestion(name, sorted(self.file.rules), "rules")
            raise TemplateError(f"unknown rule '<{name}>'; {hint}")
        if depth > _DEEPEST:
            raise TemplateError(f"the rule '<{name}>' uses itself")
        if name not in self._parsed_rules:
            self._parsed_rules[name] = self._parsed(self.file.rules[name])
        return self._parsed_rules[name]

    def _part(self, node: Expression, kind: str, depth: int) -> Part:
        if isinstance(node, TemplateWords):
            words = self._words(node.text)
            self.literals.update(words)
            return _literal(words)
        if isinstance(node, TemplateSlot):
            type_ = slot_type(kind, self.acts[kind], node.type, node.into)
            each = node.into == "agent" and "task" in self.acts[kind]
            return _slot(node.into, type_, each)
        if isinstance(node, RuleUse):
            key = (node.name, "" if (node.name, "") in self._judged else kind)
            if key not in self._rule_parts:
                rule = self.parsed_rule(node.name, depth)
                self._rule_parts[key] = self._part(rule, kind, depth + 1)
            return self._rule_parts[key]
        parts = [self._part(item, kind, depth) for item in node.items]
        if len(parts) == 1:
            return parts[0]
        if node.order == "alternative":
            begins = (self._first(item, depth) for item in node.items)
            return _either(parts, [None if empty else words for words, empty in begins])
        return _in_order(parts) if node.order == "sequence" else _any_order(parts)

    def _first(self, node: Expression, depth: int) -> tuple[frozenset[str] | None, bool]:
        """The words that it can begin with (None: any), and whether it can be empty."""
        if isinstance(node, TemplateWords):
            words = self._words(node.text)
            return frozenset(words[:1]), not words
        if isinstance(node, TemplateSlot):
            return None, False
        if isinstance(node, RuleUse):
            name = node.name
            if name not in self._rule_beginnings:
                self._rule_beginnings[name] = self._first(self.parsed_rule(name, depth), depth + 1)
            return self._rule_beginnings[name]
        found: set[str] = set()
        every = node.order == "alternative"
        empty = not every
        for item in node.items:
            begins, nothing = self._first(item, depth)
            if begins is None:
                return None, False
            found |= begins
            empty = empty or nothing if every else empty and nothing
            if node.order == "sequence" and not nothing:
                break
        return frozenset(found), empty

    def _needed(self, node: Expression, depth: int) -> frozenset[str] | None:
        """The fewest words of which one must be said; None if nothing must."""
        if isinstance(node, TemplateWords):
            return frozenset(sorted(self._words(node.text), key=len)[-1:]) or None
        if isinstance(node, TemplateSlot):
            return None
        if isinstance(node, RuleUse):
            if node.name not in self._rule_needs:
                rule = self.parsed_rule(node.name, depth)
                self._rule_needs[node.name] = self._needed(rule, depth + 1)
            return self._rule_needs[node.name]
        needs = [self._needed(item, depth) for item in node.items]
        some = [words for words in needs if words is not None]
        if node.order == "alternative":
            return frozenset().union(*some) if len(some) == len(needs) else None
        return min(some, key=len, default=None)


def template_errors(
    acts: Mapping[str, Mapping[str, object]],
    hears: Mapping[str, Sequence[str | SaidForm]],
    file: HearingFile | None,
) -> Iterator[tuple[str, int, str]]:
    """What is wrong with templates: the kind, the number in its list, and why."""
    compiler = SentenceCompiler(acts, file)
    for kind, templates in hears.items():
        for number, one in enumerate(templates if kind in acts else ()):
            try:
                compiler.judge(kind, one)
            except TemplateError as error:
                yield kind, number, str(error)


def rule_errors(file: HearingFile) -> Iterator[tuple[str, str]]:
    """What is wrong with the rules of templates: the name, and why."""
    compiler = SentenceCompiler({}, file)
    for name in file.rules:
        try:
            compiler.parsed_rule(name, 0)
        except TemplateError as error:
            yield name, str(error)


@lru_cache(maxsize=4096)
def _expression(text: str) -> Expression:
    """A template's parts: what was checked is not parsed again to be run."""
    return parse_sentence(text)


def slot_type(kind: str, fields: Mapping[str, object], slot: str, into: str) -> str:
    """The type of a slot: of the act's field, of a slot that is always there, or its own name.

    ``into`` is what it fills, which ``{slot:into}`` names. Raises TemplateError.
    """
    if slot[:1].isupper() and slot not in fields:
        return slot
    for name in (slot, into):
        if name not in fields and name not in SLOTS:
            known = ", ".join(dict.fromkeys([*fields, *SLOTS]))
            message = f"'{{{name}}}' is neither a field of {kind}, nor a slot ({known}), nor a type"
            raise TemplateError(message + "; a type is written {Type:name}")
    if slot in fields:
        given = fields[slot]
        return given if isinstance(given, str) else "mapping"
    return SLOTS[slot]


def _literal(words: Sequence[str]) -> Part:
    def match(attempt: MatchAttempt, at: int) -> Ends:
        there = attempt.mentions.words
        for word in words:
            if not attempt.has(at) or there[at].text != word:
                return
            at += 1
        yield at, ()

    return match


def _slot(name: str, kind: str, each: bool = False) -> Part:
    """A slot; with ``each`` several may be named, each of whom is meant."""
    several = kind.startswith("list of ")
    item = kind.removeprefix("list of ").removesuffix(" or none")

    def match(attempt: MatchAttempt, at: int) -> Ends:
        if not attempt.has(at) and item not in _WORDLESS:
            return
        if item == TEXT:
            words, end = attempt.mentions.words, at
            while end < len(words) and (end == at or not words[end].breaks):
                end += 1
                yield end, ((name, WordSpan(at, end)),)
            return
        mentions = attempt.mentions
        found = mentions.lists(item, at, attempt.joins) if several else mentions.find(item, at)
        for end, value in found:
            yield end, ((name, value),)
        for end, value in mentions.several(item, at) if each else ():
            yield end, ((name, value),)

    return match


def _in_order(parts: Sequence[Part]) -> Part:
    def match(attempt: MatchAttempt, at: int, number: int = 0) -> Ends:
        if number == len(parts):
            yield at, ()
            return
        for middle, one in parts[number](attempt, at):
            for end, more in match(attempt, middle, number + 1):
                yield end, one + more

    return match


def _either(parts: Sequence[Part], begins: Sequence[frozenset[str] | None]) -> Part:
    """One of several, each with the words that it can begin with (None: any, or none)."""
    each = [*zip(parts, begins, strict=True)]
    others = [part for part, words in each if words is None]
    by_word = {
        word: [part for part, words in each if words is None or word in words]
        for word in frozenset().union(*filter(None, begins))
    }

    def match(attempt: MatchAttempt, at: int) -> Ends:
        there = attempt.mentions.words
        for part in by_word.get(there[at].text, others) if at < len(there) else others:
            yield from part(attempt, at)

    return match


def _any_order(parts: Sequence[Part]) -> Part:
    def match(
        attempt: MatchAttempt, at: int, left: tuple[int, ...] = tuple(range(len(parts)))
    ) -> Ends:
        if not left:
            yield at, ()
            return
        for number in left:
            rest = tuple(other for other in left if other != number)
            for middle, one in parts[number](attempt, at):
                for end, more in match(attempt, middle, rest):
                    yield end, one + more

    return match

"""An ear: finds the acts in an utterance by the templates of a reading's files.

Every clause that a template explains from end to end is an act; fillers between clauses change
nothing; the rest is left over, and said to be so. Of several ways to cover the words the one that
leaves over the least is heard. Words such as "if" or "never" that no template explains keep their
sentence from being an order or an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from treec.files.hearing import HearingFile, SaidForm
from treec.files.types import BOOL, MAPPING, TEXT, ListOf, Named, parse_type, without_none
from treec.hearing.mentions import Lexicon, Mentions, SaidTask
from treec.hearing.templates import (
    Bound,
    HearingTemplate,
    MatchAttempt,
    SentenceCompiler,
    TemplateError,
    WordSpan,
)
from treec.hearing.words import SpokenWord, split_words
from treec.team.talk import TalkContext

LONGEST = 2000
"""Characters of an utterance that are read."""
_WORDS = 200
_MATCH_COST = 0.3
_WILD_COST = 0.6
_SKIP_COST = 0.01
Fields = Mapping[str, object]
"""An act's fields and their types, as a reading declares them."""


@dataclass(frozen=True, slots=True)
class FoundAct:
    """An act, the words that say it (from `start` to `end`), and the template that explains them.

    `others` are further acts that the same words could have been.
    """

    kind: str
    fields: Mapping[str, object]
    start: int
    end: int
    template: str
    wild: int = 0
    """How many of the words a slot for any text took."""
    others: tuple[FoundAct, ...] = ()


@dataclass(frozen=True, slots=True)
class Hearing:
    """What was heard in a text, and the places that nothing explains."""

    text: str
    acts: tuple[FoundAct, ...]
    left_over: tuple[tuple[int, int], ...]
    held_back: tuple[FoundAct, ...] = ()
    """Acts that a word such as "if" in their sentence keeps from being meant."""


@dataclass(frozen=True, slots=True)
class _Path:
    """A way to cover the words up to here."""

    score: float
    acts: tuple[tuple[int, int, FoundAct], ...] = ()
    left: tuple[tuple[int, int], ...] = ()


class Ear:
    """The templates of a reading and its shared file. Raises TemplateError for one that is wrong.

    `acts` are the reading's kinds with the types of their fields. An ear is a parser: called with
    a text and the moment, it gives the acts as plain data.
    """

    def __init__(
        self,
        acts: Mapping[str, Fields],
        own: Mapping[str, Sequence[str | SaidForm]],
        shared: HearingFile | None = None,
    ) -> None:
        compiler = SentenceCompiler(acts, shared)
        file = compiler.file
        self.acts, self.language = compiler.acts, compiler.language
        self.templates = [
            template
            for hears in (own, file.hears)
            for kind, items in hears.items()
            if kind in self.acts
            for one in items
            for template in compiler.compiled(kind, one)
        ]
        self.joins = frozenset(word.lower() for word in file.joins)
        self.fillers: dict[str, list[tuple[str, ...]]] = {}
        for phrase in sorted(filter(None, self.language.phrases(file.fillers)), key=len)[::-1]:
            self.fillers.setdefault(phrase[0], []).append(phrase)
        self.guards = self.language.phrases(file.guards)
        self._lexicon: Lexicon | None = None

    def __call__(self, text: str, context: TalkContext) -> list[dict[str, object]]:
        """The acts as a reading takes them from a parser; words left over are a remark."""
        heard = self.listen(text, context)
        found: list[dict[str, object]] = []
        for act in heard.acts:
            entry = {"kind": act.kind, "quote": heard.text[act.start : act.end], **act.fields}
            if entry not in found:
                found.append(entry)
        if not found and "remark" in context.acts and text.strip():
            found.append({"kind": "remark", "quote": text.strip()[:LONGEST].strip()})
        return found

    def listen(self, text: str, context: TalkContext) -> Hearing:
        """What the text says in this moment."""
        text = text[:LONGEST]
        lexicon = self.lexicon(context)
        words = split_words(text, self.language.file.spellings)[:_WORDS]
        words = tuple(replace(word, text=lexicon.corrected(word.text)) for word in words)
        mentions = Mentions(lexicon, context, words)
        best = self._best(mentions, text)
        kept, back = self._held_back(best, words)
        left = [*best.left, *((first, last) for first, last, _ in back)]
        return Hearing(
            text,
            tuple(act for _, _, act in kept),
            tuple((words[first].start, words[last - 1].end) for first, last in sorted(left)),
            tuple(act for _, _, act in back),
        )

    def lexicon(self, context: TalkContext) -> Lexicon:
        """The names of the domain, made once for all of its moments."""
        if self._lexicon is None or not self._lexicon.is_of(context):
            self._lexicon = Lexicon(self.language, context)
        return self._lexicon

    # Covering the words

    def _best(self, mentions: Mentions, text: str) -> _Path:
        """The way that covers the most words; of equal ones the first found."""
        words = mentions.words
        best: dict[int, _Path] = {0: _Path(0)}

        def offer(at: int, path: _Path) -> None:
            if at not in best or path.score > best[at].score:
                best[at] = path

        for at in range(len(words)):
            path = best.get(at)
            if path is None:
                continue
            for end in self._fillers(words, at):
                offer(end, replace(path, score=path.score + 0.9 * (end - at)))
            for end, act in self._matches(mentions, at, text):
                gain = end - at - (_MATCH_COST + _WILD_COST * act.wild)
                acts = (*path.acts, (at, end, act))
                offer(end, replace(path, score=path.score + gain, acts=acts))
            end = self._next_begin(words, at)
            offer(end, replace(path, score=path.score - _SKIP_COST, left=(*path.left, (at, end))))
        return best[len(words)]

    def _fillers(self, words: Sequence[SpokenWord], at: int) -> Iterator[int]:
        if words[at].text in self.joins:
            yield at + 1
        for phrase in self.fillers.get(words[at].text, ()):
            there = words[at : at + len(phrase)]
            if tuple(word.text for word in there) == phrase:
                yield at + len(phrase)

    def _next_begin(self, words: Sequence[SpokenWord], at: int) -> int:
        """Where a clause can begin next."""
        for other in range(at + 1, len(words)):
            if words[other].breaks or words[other].text in self.joins:
                return other
        return len(words)

    def _can_end(self, words: Sequence[SpokenWord], at: int) -> bool:
        if at == len(words) or words[at].breaks or words[at].text in self.joins:
            return True
        return any(True for _ in self._fillers(words, at))

    def _matches(self, mentions: Mentions, at: int, text: str) -> Iterator[tuple[int, FoundAct]]:
        """What templates explain from this word on: one act for each end, with the others."""
        words = mentions.words
        attempt = MatchAttempt(mentions, at, self.joins)
        found: dict[int, list[FoundAct]] = {}
        for template in self.templates:
            if template.first is not None and words[at].text not in template.first:
                continue
            if not self._is_time(template, mentions.context):
                continue
            for end, bound in template.part(attempt, at):
                if not self._can_end(words, end):
                    continue
                fields = self._fields(template, bound, mentions, text)
                if fields is None:
                    continue
                spans = [value for _, value in bound if isinstance(value, WordSpan)]
                wild = sum(span.end - span.first for span in spans)
                start, stop = words[at].start, words[end - 1].end
                act = FoundAct(template.kind, fields, start, stop, template.text, wild)
                found.setdefault(end, []).append(act)
        for end, acts in found.items():
            acts.sort(key=lambda act: act.wild)
            others = {(act.kind, str(act.fields)): act for act in acts}
            others.pop((acts[0].kind, str(acts[0].fields)))
            yield end, replace(acts[0], others=tuple(others.values()))

    def _is_time(self, template: HearingTemplate, context: TalkContext) -> bool:
        if template.needs == "stopped":
            return any(agent.stopped for agent in context.agents)
        if template.needs == "running":
            return any(subtask.status == "running" for subtask in context.subtasks)
        if template.needs == "proposals":
            return bool(context.proposals)
        return template.needs != "offered" or bool(context.offered)

    # Fields

    def _fields(
        self, template: HearingTemplate, bound: Bound, mentions: Mentions, text: str
    ) -> dict[str, object] | None:
        """The act's fields; None if one that must be there is not said and goes not without."""
        said = dict(bound)
        given: dict[str, object] = {}
        declared = self.acts[template.kind]
        for slot, value in said.items():
            if isinstance(value, SaidTask):
                given |= {"task": value.task, "args": dict(value.args)}
            elif isinstance(value, WordSpan):
                words = mentions.words
                given[slot] = text[words[value.first].start : words[value.end - 1].end]
            elif slot in declared:
                given[slot] = [*value] if isinstance(value, tuple) else value
        for slot, value in said.items():
            if slot not in declared and isinstance(value, str):
                for name, kind in declared.items():
                    if not isinstance(kind, str) or parse_type(kind) == MAPPING:
                        things = cast("Mapping[str, object]", given.get(name, {}))
                        given[name] = {**things, slot: value}
        given = {name: value for name, value in given.items() if name in declared}
        given |= template.fields
        for name, kind in declared.items():
            if name not in given:
                value = self._unsaid(kind, said, mentions.context, text)
                if value is _MISSING:
                    return None
                given[name] = value
        return given

    def _unsaid(
        self, kind: object, said: Mapping[str, object], context: TalkContext, text: str
    ) -> object:
        """What a field is when no word says it: all open proposals, what the person has in hand."""
        if not isinstance(kind, str):
            return {}
        type_ = parse_type(kind)
        if isinstance(type_, ListOf) and type_.item == Named("Proposal"):
            return [p.id for p in context.proposals] or _MISSING
        if isinstance(type_, ListOf) and type_.item == Named("Subtask"):
            who = said.get("agent", said.get("robot", context.user))
            of = [s.id for s in context.subtasks if s.agent == who and s.status == "running"]
            return of or _MISSING
        if isinstance(type_, ListOf):
            return []
        if type_ == BOOL:
            return False
        if type_ == TEXT:
            return text.strip()
        return None if without_none(type_) != type_ else _MISSING

    # Safety

    def _held_back(
        self, best: _Path, words: Sequence[SpokenWord]
    ) -> tuple[list[tuple[int, int, FoundAct]], list[tuple[int, int, FoundAct]]]:
        """The acts that are kept, and those that a guard in their sentence holds back."""
        careful = frozenset(self.language.file.careful)
        free = [(first, last) for first, last, act in best.acts if act.wild]
        guarded = {
            self._sentence(words, first)
            for first, last in (*best.left, *free)
            if self._has_guard(words, first, last)
        }
        kept: list[tuple[int, int, FoundAct]] = []
        back: list[tuple[int, int, FoundAct]] = []
        for first, last, act in best.acts:
            held = act.kind in careful and self._sentence(words, first) in guarded
            (back if held else kept).append((first, last, act))
        return kept, back

    def _has_guard(self, words: Sequence[SpokenWord], first: int, last: int) -> bool:
        said = [word.text for word in words[first:last]]
        return any(
            tuple(said[at : at + len(guard)]) == guard
            for guard in self.guards
            for at in range(len(said))
        )

    def _sentence(self, words: Sequence[SpokenWord], at: int) -> int:
        """The number of the word with which the sentence of a word begins."""
        while at > 0 and words[at].breaks < 2:
            at -= 1
        return at


def template_errors(
    acts: Mapping[str, Fields],
    hears: Mapping[str, Sequence[str | SaidForm]],
    file: HearingFile | None,
) -> Iterator[tuple[str, int, str]]:
    """What is wrong with templates: the kind, the number in its list, and why."""
    compiler = SentenceCompiler(acts, file)
    for kind, templates in hears.items():
        for number, one in enumerate(templates if kind in acts else ()):
            try:
                list(compiler.compiled(kind, one))
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


_MISSING = object()

"""Whether an utterance says a kind of act in words of its own (`own_words` of the hearing file).

A yes, a no, a report or a go-on that a model or a network reads changes what robots do. Words that
are none ("purple") must not be read as one: what has no word of its own is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from treec.team.stop_words import STOP
from treec_hearing.clauses import NEGATED, TOLD, Clause, Clauses, said_between
from treec_hearing.mentions import SaidTask
from treec_hearing.templates import HearingTemplate, MatchAttempt, SentenceCompiler

ACCEPT, DECLINE, DONE, DROP = "accept", "decline", "done", "drop"
RELEASE, RESUME = "release", "resume"
_STRICT = frozenset({ACCEPT, DONE, RESUME})
"""Kinds after which robots start something."""
Fields = Mapping[str, object]


class OwnWords:
    """The words of each kind of act that a reading declares."""

    def __init__(self, compiler: SentenceCompiler) -> None:
        file = compiler.file
        self._templates: Mapping[str, Sequence[HearingTemplate]] = {
            kind: [compiler.own_words(kind, text) for text in texts]
            for kind, texts in file.own_words.items()
            if kind in compiler.acts
        }
        self._joins = frozenset(word.lower() for word in file.joins)
        self._known = compiler.literals | compiler.language.vocabulary

    def places(self, kind: str, words: Clauses, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where words of a kind are said between two words."""
        for at in range(first, last):
            for template in self._templates.get(kind, ()):
                if template.first is None or words.words[at].text in template.first:
                    attempt = MatchAttempt(words.mentions, at, self._joins)
                    yield from ((at, end) for end, _ in template.part(attempt, at) if end <= last)

    def license(self, kind: str, fields: Fields, words: Clauses, within: Sequence[Clause]) -> bool:
        """Whether clauses have a word of a kind, or say in another way what its fields are.

        A no, a drop and a release may be a negation, a report a verb in its past form, a yes an
        order of what was proposed. A stop needs none, and a clause that orders reports nothing.
        """
        if kind not in self._templates or kind == STOP:
            return True
        if kind in (DECLINE, DROP, RELEASE) and any(
            mark.property == NEGATED for clause in within for mark in words.marks[clause]
        ):
            return True
        if kind == DONE:
            within = [clause for clause in within if not words.begins_as_order(clause)]
        said = [*_works(fields, words)]
        places = [at for clause in within for at in range(clause.first, clause.last)]
        told = any(mark.property == TOLD for clause in within for mark in words.marks[clause])
        if kind == ACCEPT and not told and _is_ordered(said, _doers(fields, words), words, within):
            return True
        if kind == DONE and any(map(words.is_past, places)):
            return True
        may_name = kind == DONE or (kind == ACCEPT and not told)
        if may_name and self._name(kind, said, words, places):
            return True
        return any(
            _is_own(words, clause, at, end)
            for clause in within
            if kind not in _STRICT or not self._speaks_of_unknown(clause, words)
            for at, end in self.places(kind, words, clause.first, clause.last)
            if not (kind == DROP and words.is_within_polite(at, end))
        )

    def _name(
        self, kind: str, said: Sequence[SaidTask], words: Clauses, places: Sequence[int]
    ) -> bool:
        """Whether words name work and say more, in words that all are known: "roses by Rover"."""
        names, by = words.names, words.by
        groups = (names.things, names.parts, names.tasks, names.agents, names.recipes)
        known = {at for group in groups for found in group.values() for at in found}
        things = {
            at
            for one in said
            for _, thing in one.args
            for of in (names.things, names.parts)
            for at in of.get(thing, ())
        }
        tasks = {at for one in said for at in names.tasks.get(one.task, ())}
        rest = {words.words[at].text for at in places if at not in known}
        if (things | tasks).isdisjoint(places) or not rest <= self._known:
            return False
        if kind == DONE:
            return not rest.isdisjoint(by.states)
        return bool(rest - by.idle - words.mentions.lexicon.language.articles) or not (
            things.isdisjoint(places) or tasks.isdisjoint(places)
        )

    def _speaks_of_unknown(self, clause: Clause, words: Clauses) -> bool:
        """Whether a clause speaks of what nobody here knows: "the cat is fine"."""
        articles = words.mentions.lexicon.language.articles
        names = words.names
        groups = (names.things, names.parts, names.tasks, names.agents, names.recipes)
        return all(not said_between(of, clause.first, clause.last) for of in groups) and any(
            words.words[at - 1].text in articles and words.words[at].text not in self._known
            for at in range(clause.first + 1, clause.last)
        )


def _works(fields: Fields, words: Clauses) -> Iterator[SaidTask]:
    """The tasks of the subtasks that an act lists, or whose proposals it does."""
    context, lexicon = words.mentions.context, words.mentions.lexicon
    ids = {*cast("Sequence[str]", fields.get("subtasks") or ())}
    proposals = cast("Sequence[str]", fields.get("proposals") or ())
    ids.update(one.subtask for one in context.proposals if one.id in proposals)
    found = (lexicon.of_subtask(one.words).said for one in context.subtasks if one.id in ids)
    yield from filter(None, found)


def _doers(fields: Fields, words: Clauses) -> set[str]:
    """The agents of the proposals that an act does."""
    proposals = cast("Sequence[str]", fields.get("proposals") or ())
    return {one.agent for one in words.mentions.context.proposals if one.id in proposals}


def _is_ordered(
    said: Sequence[SaidTask], agents: set[str], words: Clauses, within: Sequence[Clause]
) -> bool:
    """Whether clauses order work, of these if of anybody: "R2, bring the rake"."""
    verbs = words.names.base_verbs
    return bool(said) and all(
        any(
            clause.first <= at < clause.last and at in verbs
            for clause in within
            if not (own := words.agents(clause.first, clause.last)) or not agents.isdisjoint(own)
            for at in words.names.tasks.get(one.task, ())
        )
        for one in said
    )


def _is_own(words: Clauses, clause: Clause, at: int, end: int) -> bool:
    """Whether words are a kind's own; a filler ("fine") is one only if nothing else is said."""
    by = words.by
    if not {word.text for word in words.words[at:end]} <= by.idle:
        return True
    named = words.called.union(*words.names.things.values())
    rest = [n for n in range(clause.first, clause.last) if not at <= n < end]
    idle = by.bare | by.pronouns
    if named.isdisjoint(rest):
        idle |= by.states  # "that is fine"; "the roses are lovely" is none
    return all(n in named or words.words[n].text in idle for n in rest)

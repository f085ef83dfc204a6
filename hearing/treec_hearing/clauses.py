"""The clauses of an utterance, and what keeps each from being meant as an order or an answer.

A clause ends at a comma, at the end of a sentence, or before a word such as "and". It can be
negated, a question, a condition, a report of what somebody else said, about the past or the future,
or only supposed: words of the hearing file say so (`unmeant`). "And" and a list of things carry
such a word on ("don't get the roses and the lawn"); conditions and reports hold for their
sentence, a report also for what stands behind a colon, and quotation marks for what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from treec.files.hearing import HearingFile
from treec.team.spoken_words import SpokenWord
from treec_hearing.heard import FoundAct
from treec_hearing.mentioned_names import MentionedNames
from treec_hearing.mentions import Language, Mentions

NEGATED, QUESTION, CONDITION, REPORTED = "negated", "question", "condition", "reported"
LATER = frozenset({"future", "timed"})
"""With these an order is for another time."""
TOLD = "told"
"""It tells what is or was done; no word of the file says so, but the form of a task's verb."""
_SENTENCE = frozenset({CONDITION, REPORTED})
"""What holds for all clauses of a sentence."""
FIRM = frozenset({QUESTION, CONDITION, REPORTED, "past", "future", "supposed"})
"""With these a network hears no order and no answer."""
_QUOTED = re.compile(r'["“”«„]([^"“”«»„]+)["“”»]|(?<!\w)[\'‘’]([^\'‘’]+)[\'‘’](?!\w)')
_ANY_NUMBER = "number"
_LONGEST_REVOCATION = 3
"""Words of a clause such as "never again" that takes back what stands before it."""


Places = Mapping[str, Collection[int]]
"""Names, each with the words at which it is said."""


def said_between(names: Places, first: int, last: int) -> list[str]:
    """The names that are said from one word up to another."""
    return [name for name, at in names.items() if any(first <= n < last for n in at)]


Phrase = tuple[str, ...]
Phrases = Mapping[str, Sequence[Phrase]]
"""Phrases by their first words."""


def _by_first(phrases: Collection[Phrase]) -> Phrases:
    found: dict[str, list[Phrase]] = {}
    for phrase in filter(None, phrases):
        found.setdefault(phrase[0], []).append(phrase)
    return found


class Mark(NamedTuple):
    """What keeps the characters from `since` up to `until` from being meant, and its word."""

    property: str
    word: str
    since: int
    until: int
    own: bool = True
    """Whether the word stands in the clause itself."""
    revokes: bool = False
    """Whether it takes back what stands before it: "no, never"."""


class Clause(NamedTuple):
    """The words from `first` up to `last`, said by the characters `start` to `end`."""

    first: int
    last: int
    start: int
    end: int


class ClauseWords:
    """The words of a hearing file by which clauses are told apart."""

    def __init__(self, language: Language) -> None:
        file: HearingFile = language.file
        self.unmeant: dict[str, list[tuple[str, Phrase]]] = {}
        for name, texts in file.unmeant.items():
            for phrase in sorted(filter(None, language.phrases(texts))):
                self.unmeant.setdefault(phrase[0], []).append((name, phrase))
        self.unreported = (*file.progressive, *file.endings)
        """Endings of a verb that does not report: "mowing", "mows"."""
        self.base = frozenset({*file.irregular, *file.wishes})
        """Verbs as they stand in an order: "put"."""
        self.asking = _by_first(language.phrases(file.asking))
        self.polite = _by_first(language.phrases(file.polite))
        self.joins = frozenset(word.lower() for word in file.joins)
        idle = language.phrases(file.fillers)
        self.fillers = _by_first(idle)
        fillers = frozenset(one[0] for one in idle if len(one) == 1)
        self.idle = fillers | self.joins
        self.parting = self.joins - fillers
        """Words before which a clause always ends; "then" may also stand within one."""
        self.listing = frozenset(file.listing)
        self.addressing = frozenset(file.addressing)
        self.letting = frozenset(file.letting)
        self.states = frozenset(word for phrase in language.states for word in phrase)
        self.telling = frozenset(phrase[0] for phrase in language.states if len(phrase) > 1)
        """Words with which is told what is so: "is", "has"."""
        self.bare = self.idle | language.articles | language.particles
        self.pronouns = frozenset(word for phrase in language.pronouns for word in phrase)
        self._numbers = frozenset(file.numbers)

    def is_number(self, word: str) -> bool:
        """Whether a word is a number, in digits or letters."""
        return word.isdigit() or word in self._numbers


class Clauses:
    """The clauses of an utterance of one moment."""

    def __init__(self, words: ClauseWords, mentions: Mentions, text: str) -> None:
        self.text, self.mentions, self.by = text, mentions, words
        self.words: Sequence[SpokenWord] = mentions.words
        self.names = MentionedNames(mentions)

    @cached_property
    def all(self) -> tuple[Clause, ...]:
        """The clauses, in order."""
        found: list[Clause] = []
        first = 0
        for at in range(1, len(self.words) + 1):
            if at == len(self.words) or self._begins(first, at):
                found.append(Clause(first, at, self.words[first].start, self.words[at - 1].end))
                first = at
        return tuple(found)

    def _begins(self, first: int, at: int) -> bool:
        """Whether a clause that has begun at a word ends before another."""
        if self.words[at].breaks == 2:
            return True
        if at in self._inside_names:
            return False
        word, before = self.words[at].text, self.words[first:at]
        if not self.words[at].breaks and word not in self.by.joins:
            return False
        if all(one.text in self.by.joins for one in before):
            return False
        return bool(self.words[at].breaks) or word in self.by.parting or self._names_work(first, at)

    @cached_property
    def _inside_names(self) -> frozenset[int]:
        """Words within a name, before which no clause begins: "fork and spade"."""
        found = (
            range(at + 1, end)
            for at in range(len(self.words))
            for kind in ("", "Recipe", "Agent")
            for end, _ in self.mentions.find(kind, at)[:1]
        )
        return frozenset(word for inside in found for word in inside)

    def _names_work(self, first: int, last: int) -> bool:
        names = (self.names.things, self.names.tasks, self.names.recipes)
        return any(said_between(one, first, last) for one in names)

    @cached_property
    def called(self) -> frozenset[int]:
        """The words that name an agent."""
        return frozenset(at for places in self.names.agents.values() for at in places)

    # What clauses name

    def of(self, start: int, end: int) -> list[Clause]:
        """The clauses of which some of the characters are."""
        return [clause for clause in self.all if clause.start < end and start < clause.end]

    def with_verb(self, act: FoundAct) -> list[Clause]:
        """The clauses of an act in which a verb of its task stands."""
        verbs = self.names.tasks.get(str(act.fields.get("task")), set())
        return [c for c in self.of(act.start, act.end) if verbs & {*range(c.first, c.last)}]

    def marks_at(self, place: int) -> Iterator[Mark]:
        """What keeps the words at a character from being meant."""
        for clause in self.of(place, place + 1):
            yield from self.marks[clause]

    def sentence(self, clause: Clause) -> list[Clause]:
        """The clauses of the sentence in which one stands."""
        found: list[Clause] = []
        for one in self.all:
            if self.words[one.first].breaks == 2:
                if clause in found:
                    break
                found = []
            found.append(one)
        return found

    def agents(self, first: int, last: int, *, receiving: bool = False) -> dict[str, int]:
        """The agents that are named, each where first; whom something is brought only if asked."""
        found: dict[str, int] = {}
        for name, places in self.names.agents.items():
            for at in sorted(places):
                if first <= at < last and (receiving or not self._receives(at, first)):
                    found.setdefault(name, at)
                    break
        return found

    def _receives(self, at: int, first: int) -> bool:
        """Whether a word names the speaker for whom something is done: "bring me the rake"."""
        if self.words[at].text not in self.mentions.lexicon.language.receivers:
            return False
        return at == first or self.words[at - 1].text not in self.by.letting

    def doers(self, clause: Clause) -> set[str]:
        """Who is spoken to or of as doing what a clause says.

        Those named before a task's verb or by the clause beside it ("R2, …"); else those that the
        clause names anywhere; else those named last before it.
        """
        verbs = [at for at in range(clause.first, clause.last) if self._is_verb(at)]
        called = {
            name
            for one in self.beside(clause)
            if self.is_call(one)
            for name in self.agents(one.first, one.last, receiving=True)
        }
        own = self.agents(clause.first, clause.last)
        before = {name for name, at in own.items() if verbs and at < verbs[0]}
        if before or called:
            return before | called
        if own:
            return {*own}
        for one in reversed(self.all[: self.all.index(clause)]):
            if earlier := self.agents(one.first, one.last):
                return {*earlier}
        return set()

    def _is_infinitive(self, tells: int, verbs: Sequence[int]) -> bool:
        """Whether what is told of stands behind "to": "it is hard to mow the lawn"."""
        verb = next(v for v in verbs if v > tells)
        speaks = (self.words[tells - 1].text,) in self.mentions.lexicon.language.speaker
        to = self.words[verb - 1].text in self.mentions.lexicon.language.particles
        return to and verb - 1 > tells + 1 and not speaks

    def is_past(self, at: int) -> bool:
        """Whether a word is a task's verb in the form in which its work is reported."""
        word = self.words[at].text
        known = self._is_verb(at) and at not in self.names.base_verbs
        return known and not word.endswith(self.by.unreported)

    def begins_as_order(self, clause: Clause) -> bool:
        """Whether a clause begins with a verb as orders do: "put everything back"."""
        at = self._content(clause)
        return self.words[at].text in self.by.base or at in self.names.base_verbs

    def _is_verb(self, at: int) -> bool:
        return any(True for _ in self.mentions.verbs(at))

    def beside(self, clause: Clause) -> Iterator[Clause]:
        """The clauses before and behind one."""
        at = self.all.index(clause)
        yield from (self.all[n] for n in (at - 1, at + 1) if 0 <= n < len(self.all))

    def is_call(self, clause: Clause) -> bool:
        """Whether a clause only calls somebody: "R2,"."""
        here = range(clause.first, clause.last)
        return bool(self.called.intersection(here)) and all(
            at in self.called or self.words[at].text in self.by.bare for at in here
        )

    def is_list(self, clause: Clause) -> bool:
        """Whether a clause has nothing but names: "and the lawn"."""
        places = {
            at
            for names in (self.names.agents, self.names.things, self.names.parts)
            for found in names.values()
            for at in found
        }
        return all(
            at in places or self.words[at].text in self.by.bare
            for at in range(clause.first, clause.last)
        )

    def asks_something(self, clause: Clause, *, only_work: bool) -> bool:
        """Whether words that nobody has read may ask for something, and are no chat.

        They name work and do not tell of it; or they go on with what was asked ("and the lamp"), or
        begin like an order ("polish the lamp").
        """
        told = any(mark.property == TOLD for mark in self.marks[clause])
        if only_work or self._names_work(clause.first, clause.last):
            return not told and self._names_work(clause.first, clause.last)
        at = self._content(clause)
        idle = self._within(self.by.fillers, clause)
        rest = [self.words[n].text for n in range(at, clause.last) if n not in idle]
        language = self.mentions.lexicon.language
        empty = all(word in self.by.bare or word in self.by.pronouns for word in rest)
        denied = any(mark.property == NEGATED for mark in self.marks[clause])
        subjects = self.by.pronouns | self.by.addressing
        subject = bool(rest) and ((rest[0],) in language.speaker or rest[0] in subjects)
        if told or empty or denied or subject or not self.by.telling.isdisjoint(rest):
            return False
        numbers = [word for word in rest if word in self.mentions.lexicon.numbered]
        if numbers and self.by.bare.issuperset({*rest} - {*numbers}):
            return True  # "…, then 12"
        follows = self.all.index(clause) and self.words[clause.first].breaks < 2
        if follows and self.words[clause.first].text in self.by.listing:
            return True
        objects = language.articles | self.by.pronouns
        if rest[0] in language.articles:
            before = self.all[self.all.index(clause) - 1]
            return bool(follows) and self._names_work(before.first, before.last)
        return any(word in objects for word in rest[1:])

    def names_unknown(self, clause: Clause) -> bool:
        """Whether a clause names what goes by no name: "fetch the unicorn", "fetch crate 99"."""
        lexicon = self.mentions.lexicon
        return any(
            self.mentions.stems[at] not in lexicon.vocabulary
            and (word.text.isdigit() or self.words[at - 1].text in lexicon.language.articles)
            for at, word in enumerate(self.words[clause.first : clause.last], clause.first)
            if at
        )

    def plain(self, clause: Clause) -> str:
        """The words of a clause, without those that join it."""
        first = clause.first
        while first + 1 < clause.last and self.words[first].text in self.by.idle:
            first += 1
        return self.text[self.words[first].start : clause.end]

    def stops(self) -> bool:
        """Whether the word "stop" is said, and not negated."""
        stops = self.mentions.lexicon.language.stop_words.stops
        for clause in self.all:
            for at in range(clause.first, clause.last):
                word = self.words[at]
                if word.text in stops and not any(
                    mark.property == NEGATED and mark.since <= word.start < mark.until
                    for mark in self.marks[clause]
                ):
                    return True
        return False

    # What is not meant

    @cached_property
    def marks(self) -> Mapping[Clause, tuple[Mark, ...]]:
        """What keeps each clause from being meant."""
        found: dict[Clause, list[Mark]] = {clause: [] for clause in self.all}
        for clause in self.all:
            for name, at, end in self._said(clause):
                word = " ".join(one.text for one in self.words[at:end])
                self._spread(found, clause, Mark(name, word, self.words[at].start, clause.end))
            for one in self._asked(clause):
                found[one].append(Mark(QUESTION, "?", one.start, one.end))
        for match in _QUOTED.finditer(self.text):
            start, end = match.span()
            if len(match[0].split()) > 1 and self.text[:start].strip(" .,!"):
                for clause in self.of(start, end):
                    found[clause].append(Mark(REPORTED, match[0][0], start, end))
        return {clause: tuple(marks) for clause, marks in found.items()}

    def _said(self, clause: Clause) -> Iterator[tuple[str, int, int]]:
        """The words of a clause that keep it from being meant."""
        polite = self.spared(clause)
        asking = polite | self._within(self.by.asking, clause)
        begin = self._content(clause, calls=False)
        for at in range(clause.first, clause.last):
            for name, phrase in self.by.unmeant.get(self.words[at].text, ()):
                if name == QUESTION and at != begin:
                    continue
                spared = asking if name == QUESTION else polite
                if at not in spared and not self._in_name(at) and self._has(phrase, at):
                    yield name, at, at + len(phrase)
        told = self._told(clause)
        if told is not None:
            yield TOLD, told, told + 1

    def _has(self, phrase: Sequence[str], at: int) -> bool:
        """Whether the words of a phrase stand here, with nothing between them."""
        there = self.words[at : at + len(phrase)]
        same = len(there) == len(phrase) and all(
            word.text == said or (said == _ANY_NUMBER and self.by.is_number(word.text))
            for word, said in zip(there, phrase, strict=True)
        )
        return same and not any(word.breaks for word in there[1:])

    def _told(self, clause: Clause) -> int | None:
        """The word with which a clause tells what is or was done, and asks for nothing.

        "R2 has mowed the lawn", "the rake is on the lawn", "I raked the leaves": no order follows.
        """
        verbs = [at for at in range(clause.first, clause.last) if self._is_verb(at)]
        base = [at for at in verbs if at in self.names.base_verbs]
        language = self.mentions.lexicon.language
        no_subject = self.by.idle | language.receivers
        for at in range(clause.first + 1, clause.last):
            word, before = self.words[at].text, self.words[at - 1].text
            if word not in self.by.telling or before in no_subject:
                continue
            if not any(v > at for v in base) or self._is_infinitive(at, base):
                return at
        others = (at for at in verbs if self.is_past(at) and at - 1 in self.called)
        return None if base else next((at for at in others if at > clause.first), None)

    def _content(self, clause: Clause, *, calls: bool = True) -> int:
        """The first word of a clause that is no filler, and does not call somebody."""
        called = self.called if calls else frozenset()
        at = clause.first
        while at + 1 < clause.last:
            idle = [len(phrase) for phrase in self._said_here(self.by.fillers, at)]
            if not idle and self.words[at].text not in self.by.idle and at not in called:
                break
            at = min(at + max(idle, default=1), clause.last - 1)
        return at

    def spared(self, clause: Clause) -> set[int]:
        """The words of a clause that are only polite: "do not forget"."""
        return self._within(self.by.polite, clause)

    def is_within_polite(self, first: int, last: int) -> bool:
        """Whether words are part of a longer polite phrase: "forget" of "do not forget"."""
        return any(
            at + len(phrase) >= last and len(phrase) > last - first
            for at in range(first + 1)
            for phrase in self._said_here(self.by.polite, at)
        )

    def _within(self, phrases: Phrases, clause: Clause) -> set[int]:
        """The words of a clause that are part of a phrase, also where it begins just before."""
        return {
            word
            for at in range(max(clause.first - 1, 0), clause.last)
            for phrase in self._said_here(phrases, at)
            for word in range(at, at + len(phrase))
        }

    def _said_here(self, phrases: Phrases, at: int) -> Iterator[Phrase]:
        """The phrases that begin with a word."""
        return (one for one in phrases.get(self.words[at].text, ()) if self._has(one, at))

    def _in_name(self, at: int) -> bool:
        names = (self.names.things, self.names.recipes)
        return any(at in places for one in names for places in one.values())

    def _asked(self, clause: Clause) -> list[Clause]:
        """The clauses that a question mark behind a clause asks about.

        None if they ask for something to be done ("can R2 mow the lawn?"), or if it stands behind
        words such as "okay?".
        """
        following = self.words[clause.last].start if clause.last < len(self.words) else None
        if "?" not in self.text[clause.end : following]:
            return []
        before = [one for one in self.sentence(clause) if one.first <= clause.first]
        part = [before.pop()]
        while before and (not self.words[part[0].first].breaks or self.is_call(part[0])):
            part.insert(0, before.pop())
        begin = range(part[0].first, self._content(part[0]) + 1)
        idle = all(self.words[n].text in self.by.idle for n in range(part[0].first, clause.last))
        opens = (self.by.asking, self.by.polite)
        if idle or any(True for at in begin for of in opens for _ in self._said_here(of, at)):
            return []
        return part

    def _spread(self, found: Mapping[Clause, list[Mark]], clause: Clause, mark: Mark) -> None:
        """Note a mark for all clauses for which it holds."""
        sentence = self.sentence(clause)
        here = sentence.index(clause)
        if mark.property != NEGATED:
            mark = mark._replace(since=clause.start)
        found[clause].append(mark)
        whole = partial(mark._replace, own=False)
        is_adverb = self._is_adverb(clause, mark)  # "fetch it, but tomorrow"
        if mark.property in _SENTENCE or is_adverb:
            # "not yet, fetch the rake" says no to what was asked, and orders something now
            is_no = (
                is_adverb and (mark.word.split()[0],) in self.mentions.lexicon.language.negations
            )
            behind = range(0) if is_no else range(here + 1, len(sentence))
            for way in (range(here - 1, -1, -1), behind):
                for n in way:
                    parted = sentence[n if n > here else n + 1]
                    says_when = is_adverb and parted is clause
                    if mark.property != CONDITION and self._contrasts(parted) and not says_when:
                        break
                    one = sentence[n]
                    found[one].append(whole(since=one.start, until=one.end))
        else:
            for one in sentence[here + 1 :]:
                if not self._goes_on(one, mark):
                    break
                found[one].append(whole(since=one.start, until=one.end))
        if mark.property == REPORTED and ":" in self.text[mark.since : sentence[-1].end + 1]:
            for one in self.all:
                if one.start > sentence[-1].start:
                    found[one].append(whole(since=one.start, until=one.end))
        at = self.all.index(clause)
        if mark.property == NEGATED and at and self._revokes(clause, mark):
            one = self.all[at - 1]
            found[one].append(whole(since=one.start, until=one.end, revokes=True))

    def _is_adverb(self, clause: Clause, mark: Mark) -> bool:
        """Whether a clause says nothing but when or how likely: "tomorrow, R2 should mow"."""
        if mark.property in (NEGATED, QUESTION):
            return False
        rest = {word.text for word in self.words[clause.first : clause.last]}
        return rest <= {*mark.word.split(), *self.by.bare}

    def _contrasts(self, clause: Clause) -> bool:
        """Whether a clause begins with a word such as "but"."""
        word = self.words[clause.first].text
        return word in self.by.parting and word not in self.by.listing

    def _goes_on(self, clause: Clause, mark: Mark) -> bool:
        """Whether a clause carries on what holds for the one before it."""
        if self._contrasts(clause):
            return False
        if self.is_list(clause):
            return True
        if mark.property == QUESTION:
            return not self.words[clause.first].breaks
        joined = self.words[clause.first].text in self.by.listing
        return joined and self._content(clause) - clause.first <= self._joins(clause)

    def _joins(self, clause: Clause) -> int:
        """How many words a clause begins with that join it; a name behind them is its own."""
        return sum(
            self.words[at].text in self.by.idle for at in range(clause.first, self._content(clause))
        )

    def _revokes(self, clause: Clause, mark: Mark) -> bool:
        """Whether a clause takes back what stands before it: "never again"."""
        begin = self._content(clause)
        long = clause.last - begin > _LONGEST_REVOCATION
        first = self.words[begin].text
        return first == mark.word.split()[0] and not long and not self._names_anything(clause)

    def _names_anything(self, clause: Clause) -> bool:
        names = self.names
        groups = (
            names.agents,
            names.things,
            names.parts,
            names.tasks,
            names.recipes,
            names.recipe_parts,
        )
        return any(said_between(group, clause.first, clause.last) for group in groups)

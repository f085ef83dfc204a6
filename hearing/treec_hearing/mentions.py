"""Names of a moment in what was said: agents, things, tasks, subtasks, proposals and recipes.

A mention is (end, value): words up to `end` say the value. Names differ in articles and in the
endings of the language; the first word of a task may stand in any form ("watering the roses").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import chain, compress, islice, product
from operator import is_not
from typing import TYPE_CHECKING, Any

from treec.files.hearing import HearingFile
from treec.frozen import frozen
from treec.team.language import stop_words_in
from treec.team.spoken_words import SpokenWord, plain_words, split_words
from treec.team.talk import TalkContext, TalkSubtask, TalkTask
from treec.team.words import any_of
from treec_hearing.directions import SLOTS, directed
from treec_hearing.name_index import NameIndex

if TYPE_CHECKING:
    from treec.team.stop_words import StopWords

Mention = tuple[int, object]
_SLOT = re.compile(r"<(\w+)>")
_CLOSED = ("done", "dropped")
_GOES_ON = ("running", "interrupted", "queued")
_NO_MOMENT = TalkContext((), "", (), (), (), "", (), (), ())
_PREFIX = 4
"""Characters by which a long word of a name is known."""
_SHORTEST = 5
"""Words from this length on are looked up with a typing mistake."""
_MOST_THINGS = 3
"""Things that are read after a verb."""
_MOST_CORRECTED = 4096
"""Words whose corrections are kept."""


@frozen
class SaidTask:
    """A task with the things that were named for it."""

    task: str
    args: tuple[tuple[str, str], ...]


class Several(tuple[object, ...]):
    """Values each of which is meant where a slot takes one: "crates 12 and 31"."""


class Others(Several):
    """All but some: "everyone except Scout"."""


@frozen
class _TaskPattern:
    """What is said of a task: words, and slots as (name, type)."""

    task: str
    parts: tuple[str | tuple[str, str], ...]
    base: bool
    """Whether its first word stands as in the task's file, which is how orders are given."""
    own: frozenset[str]
    """What must be said beside its first word to speak of it: the "boil" of "bring to a boil"."""


@frozen
class _SubtaskName:
    """A subtask's words without articles and endings, and the task that they are."""

    words: tuple[str, ...]
    said: SaidTask | None


class _OpenSubtasks:
    """The subtasks that are neither done nor dropped, by what names them.

    Each list is in the order of the moment's subtasks. From one moment to the next only what has
    changed is added and removed.
    """

    def __init__(self, name_of: Callable[[str], _SubtaskName]) -> None:
        self._name_of = name_of
        self._clear()

    def _clear(self) -> None:
        self._subtasks: tuple[TalkSubtask, ...] = ()
        self.names: NameIndex[str] = NameIndex()
        self._by_thing: dict[str, dict[str, str]] = {}
        self._by_first: dict[str, dict[str, None]] = {}
        self._by_task: dict[str, dict[str, frozenset[tuple[str, str]]]] = {}

    def follow(self, subtasks: tuple[TalkSubtask, ...]) -> None:
        """Become those of another moment."""
        if subtasks is self._subtasks:
            return
        before = self._subtasks
        both = range(min(len(before), len(subtasks)))
        changed = [*compress(both, map(is_not, before, subtasks))]
        # What closes is removed; anything else must not change the order.
        if len(subtasks) < len(before) or not all(_closes(before[n], subtasks[n]) for n in changed):
            self._clear()
            changed, both = [], range(0)
        for n in changed:
            if _is_open(before[n]) and not _is_open(subtasks[n]):
                self._remove(subtasks[n])
        for subtask in subtasks[len(both) :]:
            if _is_open(subtask):
                self._add(subtask)
        self._subtasks = subtasks

    def with_thing(self, thing: str) -> Mapping[str, str]:
        """The subtasks in which a thing is named, each with its task."""
        return self._by_thing.get(thing, {})

    def that_begin_with(self, thing: str) -> Iterable[str]:
        """The subtasks whose first thing this is."""
        return self._by_first.get(thing, ())

    def of(self, task: str) -> Mapping[str, frozenset[tuple[str, str]]]:
        """The subtasks of a task, each with its things by the names of arguments."""
        return self._by_task.get(task, {})

    def _add(self, subtask: TalkSubtask) -> None:
        id, name = subtask.id, self._name_of(subtask.words)
        if name.words:
            self.names.add(name.words, id)
        if (said := name.said) is not None:
            self._by_task.setdefault(said.task, {})[id] = frozenset(said.args)
            for _, thing in said.args[:1]:
                self._by_first.setdefault(thing, {})[id] = None
            for _, thing in said.args:
                self._by_thing.setdefault(thing, {})[id] = said.task

    def _remove(self, subtask: TalkSubtask) -> None:
        id, name = subtask.id, self._name_of(subtask.words)
        if name.words:
            self.names.remove(name.words, id)
        if (said := name.said) is not None:
            del self._by_task[said.task][id]
            for _, thing in said.args[:1]:
                del self._by_first[thing][id]
            for thing in {thing for _, thing in said.args}:
                del self._by_thing[thing][id]


def _is_open(subtask: TalkSubtask) -> bool:
    return subtask.status not in _CLOSED


def _closes(before: TalkSubtask, now: TalkSubtask) -> bool:
    """Whether it is the same subtask, and is open now only if it was."""
    same = (before.id, before.words) == (now.id, now.words)
    return same and (_is_open(before) or not _is_open(now))


class Language:
    """A hearing file, made ready: the forms of words that it gives."""

    def __init__(self, file: HearingFile) -> None:
        self.file = file
        self.articles = frozenset(file.articles)
        self.speaker = self.phrases(file.speaker)
        self.all = self.phrases(file.all)
        self.everyone = self.phrases(file.everyone)
        self.someone = self.phrases(file.someone)
        self.others = {kind: self.phrases(file.others.get(kind, ())) for kind in ("any", "agent")}
        self.times: dict[str, frozenset[tuple[str, ...]]] = {
            kind: self.phrases(words) for kind, words in file.times.items()
        }
        """Words between orders by what they say of their order in time."""
        self.adding = frozenset(file.joins).intersection(file.listing)
        """Words between two names both of which are meant: "and", not "or"."""
        self.following = frozenset(file.joins).intersection(file.fillers)
        """Words that may stand behind them: "and then"."""
        self.pronouns = self.phrases(file.pronouns)
        self.particles = frozenset(file.particles)
        self.excepting = self.phrases(file.excepting)
        self.beside = self.phrases(file.beside)
        self.directions = [
            (direction, self._pattern(text))
            for direction, texts in file.directions.items()
            for text in texts
        ]
        """What is said of things by where they are: words and slots."""
        self.lending = frozenset(file.lending)
        self.receivers = frozenset(file.receivers)
        self.states = self.phrases(file.states)
        of = {str(name): self.phrases(said) for name, said in file.unmeant.items()}
        self.unmeant = defaultdict[str, frozenset[tuple[str, ...]]](frozenset, of)
        self.negations, self.correcting = self.unmeant["negated"], self.unmeant["correcting"]
        self.polite = self.phrases(file.polite)
        self.ordinals = {self.words(said): number for said, number in file.ordinals.items()}
        self._forms = [(re.compile(pattern), to) for pattern, to in file.forms]
        self._endings = tuple(sorted(file.endings, key=len, reverse=True))
        self.anything = frozenset(self.stem(word) for word in file.anything)
        self._amount = re.compile(
            rf"\b(?:{file.amounts[0]})(?=\s)" if file.amounts else "(?!)", re.IGNORECASE
        )
        self._count = re.compile(rf"\b(?:\d+|{any_of(file.numbers)})(?=\s)", re.IGNORECASE)

    @cached_property
    def stop_words(self) -> StopWords:
        """The words by which a stop is heard."""
        return stop_words_in(self.file)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that the file lists, other than those of templates."""
        file = self.file
        texts = chain(
            *(file.spellings, file.spellings.values(), *file.unmeant.values(), file.articles),
            *(
                file.speaker,
                file.all,
                file.everyone,
                file.someone,
                file.pronouns,
                file.particles,
                file.excepting,
                file.beside,
            ),
            *(file.receivers, file.anything, file.states, file.ordinals, file.fillers, file.joins),
            *(file.guards, file.asking, file.letting, file.addressing, file.listing, file.polite),
            *file.times.values(),
        )
        return frozenset(chain.from_iterable(map(self.words, texts)))

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text as they are matched."""
        return plain_words(text, self.file.spellings)

    def _pattern(self, text: str) -> tuple[str, ...]:
        parts = re.split(r"({\w+})", text)
        words = ((part,) if part in SLOTS else self.bare(part) for part in parts)
        return tuple(chain.from_iterable(words))

    def amounts(self, text: str) -> list[tuple[int, int]]:
        """Where a text says how much, or how many, of what follows."""
        patterns = (self._amount, self._count)
        return [found.span() for pattern in patterns for found in pattern.finditer(text)]

    def phrases(self, texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
        """The words of each text."""
        return frozenset(self.words(text) for text in texts)

    def name(self, text: str) -> tuple[str, ...]:
        """The words of a name, without articles and endings."""
        return tuple(self.stem(word) for word in self.named(text))

    def bare(self, text: str) -> tuple[str, ...]:
        """The words of a text without articles."""
        return tuple(word for word in self.words(text) if word not in self.articles)

    def named(self, text: str) -> tuple[str, ...]:
        """The words of a name without articles, but for its last: "shelf A"."""
        words = self.words(text)
        last = len(words) - 1
        return tuple(word for n, word in enumerate(words) if n == last or word not in self.articles)

    def stem(self, word: str) -> str:
        """A word without its ending; short words stay as they are."""
        for ending in self._endings:
            if word.endswith(ending) and len(word) - len(ending) > 2:
                return word[: -len(ending)]
        return word

    def content(self, words: Iterable[str]) -> frozenset[str]:
        """Words without those for places, directions and receivers."""
        file = self.file
        return frozenset(words).difference(file.places, file.particles, file.receivers)

    def forms(self, verb: str) -> frozenset[str]:
        """The other forms of a verb."""
        found = {to.sub(end, verb, count=1) for to, end in self._forms if to.search(verb)}
        return frozenset({*found, *self.file.irregular.get(verb, ())})


class Lexicon:
    """What goes by which words in a domain: what is the same for all of its moments."""

    def __init__(self, language: Language, context: TalkContext) -> None:
        self.language = language
        self._of = context
        self.things: NameIndex[str] = NameIndex()
        self.types = {thing.name: frozenset(thing.types) for thing in context.objects}
        things = [
            (words, thing.name)
            for thing in context.objects
            for said in (thing.name, *thing.also)
            if (words := language.name(said))
        ]
        for words, name in things:
            self.things.add(words, name)
        self.agents = [
            (language.named(said), agent.name) for agent in context.agents for said in agent.names()
        ]
        self.agents += [(words, context.user) for words in language.speaker]
        self.recipes = [(language.name(recipe), recipe) for recipe in context.recipes]
        self._parts_of_things = _by_parts(things)
        self.numbered: dict[str, dict[str, None]] = {}
        """Things by a number in their names."""
        for words, name in things:
            for number in filter(str.isdigit, words):
                self.numbered.setdefault(number, {})[name] = None
        self._parts_of_recipes = _by_parts(self.recipes)
        self.tasks: dict[str, list[_TaskPattern]] = {}
        for task in context.tasks:
            for pattern in self._patterns(task):
                self.tasks.setdefault(str(pattern.parts[0]), []).append(pattern)
        self.vocabulary = frozenset(self._vocabulary(context))
        self._corrected: dict[str, str] = {}
        self._subtasks: dict[str, _SubtaskName] = {}
        self._open = _OpenSubtasks(self.of_subtask)
        self._work: tuple[list[str], frozenset[str]] = ([], frozenset())
        wishes = language.phrases(language.file.wishes)
        self.wished = frozenset(
            task.name
            for task in context.tasks
            for pattern in self._patterns(task)
            if pattern.parts[:1] in wishes and not pattern.own
        )
        """Tasks that are meant by a wish for a thing alone."""

    def things_with(self, stem: str) -> Sequence[str]:
        """The things that have this word, or one that begins with it, in one of their names."""
        return self._parts_of_things.get(stem, ())

    def recipes_with(self, stem: str) -> Sequence[str]:
        """The same for recipes."""
        return self._parts_of_recipes.get(stem, ())

    def is_of(self, context: TalkContext) -> bool:
        """Whether a moment has the same names; tasks and things are the same objects in a run."""
        mine = self._of
        same = mine.tasks is context.tasks and mine.objects is context.objects
        return same and _plain_names(mine) == _plain_names(context)

    def _patterns(self, task: TalkTask) -> Iterator[_TaskPattern]:
        """All that is said of the task, in all forms of its first word."""
        language = self.language
        seen: set[tuple[object, ...]] = set()
        for says in task.says:
            for said in (says, *self._with_synonyms(says)):
                parts = self._parts(said, task)
                if not parts or not isinstance(parts[0], str):
                    continue
                verb, *words = (part for part in parts if isinstance(part, str))
                own = language.content(words)
                for first in (verb, *sorted(language.forms(verb) - {verb})):
                    whole = (first, *parts[1:])
                    if whole not in seen:
                        seen.add(whole)
                        yield _TaskPattern(task.name, whole, first == verb, own)

    def _with_synonyms(self, says: str) -> Iterator[str]:
        first, _, rest = says.partition(" ")
        for other in self.language.file.synonyms.get(first, ()):
            yield f"{other} {rest}".strip()

    def _parts(self, says: str, task: TalkTask) -> tuple[str | tuple[str, str], ...]:
        parts: list[str | tuple[str, str]] = []
        for number, piece in enumerate(_SLOT.split(says)):
            if number % 2:
                parts.append((piece, task.args.get(piece, "")))
            else:
                parts += self.language.bare(piece)
        return tuple(parts)

    def _vocabulary(self, context: TalkContext) -> Iterator[str]:
        """The words of all names and tasks, with and without their endings."""
        for thing in context.objects:
            for said in (thing.name, *thing.also):
                yield from self.language.words(said)
                yield from self.language.name(said)
        for recipe in context.recipes:
            yield from self.language.words(recipe)
        for words, _ in self.agents:
            yield from words
        for words, _ in self.recipes:
            yield from words
        for patterns in self.tasks.values():
            for pattern in patterns:
                yield from (part for part in pattern.parts if isinstance(part, str))

    def of_subtask(self, words: str) -> _SubtaskName:
        """What a subtask's words name; most are as they were when somebody last spoke."""
        if words not in self._subtasks:
            self._subtasks[words] = _SubtaskName(self.language.name(words), self._task_of(words))
        return self._subtasks[words]

    def open_subtasks(self, context: TalkContext) -> _OpenSubtasks:
        """The open subtasks of a moment, until those of another one are asked for."""
        self._open.follow(context.subtasks)
        return self._open

    def things_of_work(self, subtasks: Sequence[TalkSubtask]) -> frozenset[str]:
        """The things that subtasks name; collected anew only when there are others."""
        words = [one.words for one in subtasks]
        if words != self._work[0]:
            tasks = (self.of_subtask(one).said for one in words)
            things = frozenset(
                thing for task in tasks if task is not None for _, thing in task.args
            )
            self._work = (words, things)
        return self._work[1]

    def _task_of(self, text: str) -> SaidTask | None:
        """The task and things that words name, if they are a task's."""
        words = [SpokenWord(word, 0, 0) for word in self.language.words(text)]
        for end, said, base in Mentions(self, _NO_MOMENT, words).every_task(0):
            if base and end == len(words):
                return said
        return None

    def corrected(self, word: str) -> str:
        """The one name that a word is a typing mistake of, else the word."""
        if len(word) < _SHORTEST or word in self.vocabulary:
            return word
        if word not in self._corrected:  # the same words are said again and again
            if len(self._corrected) >= _MOST_CORRECTED:
                self._corrected.clear()
            self._corrected[word] = self._nearest(word)
        return self._corrected[word]

    def _nearest(self, word: str) -> str:
        if self.language.stem(word) in self.vocabulary:
            return word
        from rapidfuzz.distance import OSA  # what only checks needs no distances

        near = [
            known
            for known in self.vocabulary
            if len(known) >= _SHORTEST - 1
            and known[0] == word[0]
            and OSA.distance(word, known, score_cutoff=1) <= 1
        ]
        return near[0] if len(near) == 1 else word


def _each(task: str, args: Sequence[tuple[str, Any]]) -> tuple[SaidTask, ...]:
    """A task with each of the things that one of its arguments lists."""
    values = [value if isinstance(value, Several) else (value,) for _, value in args]
    names = [name for name, _ in args]
    return tuple(SaidTask(task, tuple(zip(names, one, strict=True))) for one in product(*values))


def _by_parts(names: Iterable[tuple[tuple[str, ...], str]]) -> dict[str, list[str]]:
    """Names by each of their words and by how these begin."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for words, name in names:
        for word in words:
            for length in {*range(_PREFIX, len(word)), len(word)}:
                of = found[word[:length]]
                if len(word) >= 3:
                    of[name] = None
    return {part: list(of) for part, of in found.items()}


def _plain_names(context: TalkContext) -> tuple[object, ...]:
    agents = tuple((agent.name, agent.also, agent.person) for agent in context.agents)
    return agents, context.recipes, context.user


class Mentions:
    """The names in one utterance of one moment."""

    def __init__(self, lexicon: Lexicon, context: TalkContext, words: Sequence[SpokenWord]) -> None:
        self.lexicon = lexicon
        self.context = context
        self.words = words
        self._found: dict[tuple[str, int], tuple[Mention, ...]] = {}
        self.stems = [lexicon.language.stem(word.text) for word in words]
        self._by: dict[str, Callable[[int], Iterator[Mention]]] = {
            "Agent": self._agents,
            "Robot": self._agents,
            "Person": self._agents,
            "Stranger": self._strangers,
            "Task": self._tasks,
            "Inflected": self._inflected,
            "Again": self._again,
            "Subtask": self._subtasks,
            "Held": self._held,
            "Work": self._work,
            "Finished": self._finished,
            "Proposal": self._proposals,
            "Proposed": self._proposed,
            "Rest": self._rest,
            "Failed": self._failed,
            "Meant": self._meant,
            "Mistaken": self._mistaken,
            "Other": self._other,
            "Free": self._free,
            "Relieved": self._relieved,
            "Wrong": self._wrong,
            "Unclaimed": self._unclaimed,
            "Current": self._current,
            "Replaced": self._replaced,
            "Refused": self._refused,
            "Wanted": self._wanted,
            "Doer": self._doers,
            "Unbegun": self._unbegun,
            "Recipe": self._recipes,
        }

    @cached_property
    def subtasks(self) -> Mapping[str, TalkSubtask]:
        """The subtasks by id; only where words are of work."""
        return {one.id: one for one in self.context.subtasks}

    @cached_property
    def corrected(self) -> TalkSubtask | None:
        """The one order that the user gave last, else what goes on; none if they named others."""
        language = self.lexicon.language
        going = [one.id for one in self.context.subtasks if one.status in _GOES_ON]
        for text in self.context.before:
            said = Mentions(self.lexicon, self.context, split_words(text, language.file.spellings))
            of = [(self._open.of(one.task), {*one.args}) for one in said._orders()]
            found = list({id for work, own in of for id, args in work.items() if args >= own})
            found = found if of else said._with_own_things(going)
            if (of or said._all_things()) and (found or not said._says(language.correcting)):
                going = [] if said._says(language.unmeant["question"]) else found
                break
        if len(going) > 1:  # "not the roses, the tulips"
            going = self._with_own_things(going)
        return self.subtasks[going[0]] if len(going) == 1 else None

    def without(self, amounts: Iterable[tuple[int, int]]) -> Mentions:
        """The same without words that say how much of the thing behind them: "two cups of milk"."""
        left_out: set[int] = set()
        for start, end in amounts:
            own = [n for n, word in enumerate(self.words) if start <= word.start < end]
            after = own[-1] + 1 if own else 0
            if not own or after == len(self.words) or self.words[after].breaks:
                continue
            names = [(self.find("", n), after if n == own[0] else own[0]) for n in range(after)]
            is_named = any(last > end for found, end in names for last, _ in found)
            if not is_named and self.find("", after):
                left_out.update(own)
        if not left_out:
            return self
        kept, breaks = list[SpokenWord](), 0
        for n, word in enumerate(self.words):
            if n not in left_out:
                kept.append(replace(word, breaks=max(breaks, word.breaks)))
                breaks = 0
            elif n - 1 not in left_out:
                breaks = word.breaks
        return Mentions(self.lexicon, self.context, tuple(kept))

    def _says(self, phrases: Iterable[Sequence[str]]) -> bool:
        return any(self.says(one, at) for one in phrases for at in range(len(self.words)))

    def _orders(self) -> Iterator[SaidTask]:
        denied = self.lexicon.language.negations
        for at in range(len(self.words)):
            is_denied = any(self.says(one, at - len(one)) for one in denied if at >= len(one))
            for _, said in self.find("Task", at)[: not is_denied]:
                each = said if isinstance(said, Several) else (said,)
                yield from (one for one in each if isinstance(one, SaidTask))

    def _all_things(self) -> set[str]:
        return {thing for at in range(len(self.words)) for _, thing in self._things_of_tasks(at)}

    def _with_own_things(self, ids: Iterable[str]) -> list[str]:
        own = {id for thing in self._all_things() for id in self._open.with_thing(thing)}
        return [id for id in ids if id in own]

    def find(self, kind: str, at: int) -> tuple[Mention, ...]:
        """The mentions of a type that begin at a word, the longest first."""
        key = (kind, at)
        if key not in self._found:
            by = self._by.get(kind)
            found = by(at) if by else self._things(kind, at)
            if kind in ("Robot", "Person"):
                people = {agent.name for agent in self.context.agents if agent.person}
                found = (one for one in found if (one[1] in people) == (kind == "Person"))
            unique = dict.fromkeys(found)
            self._found[key] = tuple(sorted(unique, key=lambda one: -one[0]))
        return self._found[key]

    def lists(self, kind: str, at: int, joins: frozenset[str]) -> Iterator[tuple[int, object]]:
        """One or several of a type: "the roses and the lawn"."""
        for end, value in self.find(kind, at):
            values = value if isinstance(value, tuple) else (value,)
            following = end + (end < len(self.words) and self.words[end].text in joins)
            goes_on = at < end and following < len(self.words)
            if goes_on and (following > end or self.words[end].breaks == 1):
                for last, more in self.lists(kind, following, joins):
                    assert isinstance(more, tuple)
                    yield last, tuple(dict.fromkeys((*values, *more)))
            yield end, values

    def says(self, words: Sequence[str], at: int) -> bool:
        """Whether these words stand here, in one clause."""
        if words and (at >= len(self.words) or words[0] != self.words[at].text):
            return False
        there = self.words[at : at + len(words)]
        return [word.text for word in there] == [*words] and self._joined(at, len(words))

    def _named(self, name: Sequence[str], at: int) -> int | None:
        """Where a name ends that stands here, with or without its articles; None if it does not."""
        stop = at
        for number, stem in enumerate(name):
            is_said = self._stem(stop) == stem
            stop = self.after_articles(stop) if number and not is_said else stop
            if self._stem(stop) != stem or (number and self.words[stop].breaks > 1):
                return None
            stop += 1
        return stop

    def _in(self, names: NameIndex[str], at: int) -> Iterator[tuple[int, str]]:
        """What goes by a name that stands here, with or without its articles, with its end."""
        stop = at
        following = names.after(self._stem(stop))
        while following is not None:
            stop += 1
            yield from ((stop, value) for value in following)
            here = following.after(self._stem(stop))
            other = stop if here is not None else self.after_articles(stop)
            following = here or following.after(self._stem(other))
            if following is None or self.words[other].breaks > 1:
                return
            stop = other

    def several(self, kind: str, at: int) -> Iterator[tuple[int, Several]]:
        """Two or more of a type, all of which are meant; for agents also words for everybody.

        A word that names have in common is said once or several times: "crates 12 and 31".
        """
        if kind in ("Agent", "Robot"):
            robots = Several(agent.name for agent in self.context.agents if not agent.person)
            for words in self.lexicon.language.everyone:
                if self.says(words, at) and len(robots) > 1:
                    yield at + len(words), robots
                    yield from self._others(robots, words, at)
        else:
            yield from self._all_before(kind, at)
            if (
                at < len(self.words)
                and self.words[at].text in self.lexicon.language.file.determiners
            ):
                yield from self.several(kind, at + 1)  # "both the lamp and the rake"
        for end, value in self.find(kind, at):
            common = self.stems[self.after_articles(at) : end - 1]
            yield from self._and_more(kind, common, end, (value,))

    def _all_before(self, kind: str, at: int) -> Iterator[tuple[int, Several]]:
        """The things that were named before words such as "both", if there are several."""
        for words in self.lexicon.language.all:
            if self.says(words, at):
                found = (thing for n in range(at) for _, thing in self.find(kind, n)[:1])
                things = Several(dict.fromkeys(found))
                if len(things) > 1:
                    yield at + len(words), things

    def _others(
        self, robots: Several, words: tuple[str, ...], at: int
    ) -> Iterator[tuple[int, Several]]:
        """Everybody that is said here without those that are left out: "all but Scout"."""
        end, language = at + len(words), self.lexicon.language
        for begin in self.exceptions(end, words):
            for last, left in self.lists("Robot", begin, language.adding):
                assert isinstance(left, tuple)
                if others := Others(name for name in robots if name not in left):
                    yield last, others

    def _and_more(
        self, kind: str, common: Sequence[str], end: int, values: tuple[object, ...]
    ) -> Iterator[tuple[int, Several]]:
        """What is added to names that end here; the last has these words before its last."""
        at, language = end, self.lexicon.language
        while at < len(self.words) and self.words[at].text in language.adding:
            at += 1
        if at == len(self.words) or not (at > end or self.words[at].breaks == 1):
            return
        while at + 1 < len(self.words) and self.words[at].text in language.following:
            at += 1
        named: list[tuple[Sequence[str], int, object]] = [
            (self.stems[self.after_articles(at) : last - 1], last, value)
            for last, value in self.find(kind, at)
        ]
        for words, last, value in named or [*self._sharing(kind, common, at)]:
            if value not in values:
                yield from self._and_more(kind, words, last, (*values, value))
                yield last, Several((*values, value))

    def _sharing(
        self, kind: str, common: Sequence[str], at: int
    ) -> Iterator[tuple[Sequence[str], int, object]]:
        """The thing whose last word stands here, and whose others a name before had."""
        names: NameIndex[str] | None = self.lexicon.things
        for stem in common:
            names = names.after(stem) if names is not None else None
        last = names.after(self._stem(at)) if names is not None and common else None
        for thing in last or ():
            if not kind or kind in self.lexicon.types[thing]:
                yield common, at + 1, thing

    def _joined(self, at: int, count: int) -> bool:
        return all(word.breaks < 2 for word in self.words[at + 1 : at + count])

    def names_of_things(self, at: int) -> Iterator[tuple[int, str]]:
        """The things whose names stand here, and where these end."""
        return self._in(self.lexicon.things, at)

    def after_articles(self, at: int) -> int:
        """The number of the first word from here on that is no article."""
        while at < len(self.words) and self.words[at].text in self.lexicon.language.articles:
            at += 1
        return at

    def _stem(self, at: int) -> str:
        """The stem of a word; behind the last there is none."""
        return self.stems[at] if at < len(self.stems) else ""

    def _agents(self, at: int) -> Iterator[Mention]:
        for begin in dict.fromkeys((at, self.after_articles(at))):
            for words, name in self.lexicon.agents:
                if self.says(words, begin):
                    yield begin + len(words), name

    def _strangers(self, at: int) -> Iterator[Mention]:
        """A name such as robots have ("R3") that nothing here goes by."""
        word = self.words[at].text if at < len(self.words) else ""
        is_new = word not in self.lexicon.vocabulary
        names = self.lexicon.language.stop_words.unknown_names
        if is_new and names(word, self.context.agents):
            yield at + 1, word

    def names_robots(self, first: int, last: int) -> bool:
        """Whether words are nothing but robots' names, and what joins them."""
        joins = {*self.lexicon.language.file.listing}
        at = first
        while at < last:
            ends = [end for end, _ in self.find("Robot", at)]
            if not ends and self.words[at].text not in joins:
                return False
            at = max(ends, default=at + 1)
        return True

    def sentence_of(self, character: int) -> range:
        """The numbers of the words of the sentence in which a character of the text stands."""
        first = max((n for n, word in enumerate(self.words) if word.start <= character), default=0)
        last = first + 1
        while first > 0 and self.words[first].breaks < 2:
            first -= 1
        while last < len(self.words) and self.words[last].breaks < 2:
            last += 1
        return range(first, min(last, len(self.words)))

    def exceptions(self, at: int, behind: tuple[str, ...] = ()) -> Iterator[int]:
        """Where words here end that leave out what follows: "all but"; or "but" behind "all"."""
        excepting = self.lexicon.language.excepting
        for words in {
            *excepting,
            *(one[-1:] for one in excepting if behind and one[:-1] == behind),
        }:
            if self.says(words, at):
                yield at + len(words)

    def clause_end(self, at: int) -> int:
        """The number of the word before which the next comma or the like stands."""
        return next(
            (n for n in range(at + 1, len(self.words)) if self.words[n].breaks), len(self.words)
        )

    def _things(self, kind: str, at: int) -> Iterator[Mention]:
        begin = self.after_articles(at)
        for stop, name in self.names_of_things(begin):
            fits = not kind or kind in self.lexicon.types[name]
            if fits and self._joined(at, stop - at):
                yield stop, name
        for stop, name in directed(self, begin):
            if not kind or kind in self.lexicon.types[name]:
                yield stop, name
        number = self.words[begin].text if kind and begin < len(self.words) else ""
        if number.isdigit():  # "12" for the one crate of that number
            named = self.lexicon.numbered.get(number, ())
            of = [name for name in named if kind in self.lexicon.types[name]]
            yield from ((begin + 1, name) for name in of if len(of) == 1)

    def _recipes(self, at: int) -> Iterator[Mention]:
        begin = self.after_articles(at)
        for words, name in self.lexicon.recipes:
            if words and (stop := self._named(words, begin)) is not None:
                yield stop, name
        yield from ((end, ids[0]) for end, ids in self._counted(at, self.context.offered))

    def _tasks(self, at: int) -> Iterator[Mention]:
        yield from ((end, said) for end, said, base in self.every_task(at, True) if base)
        for pattern in self.lexicon.tasks.get(self.words[at].text, ()) if self._is_word(at) else ():
            if pattern.base:
                yield from self._with_several(pattern, at)

    def _inflected(self, at: int) -> Iterator[Mention]:
        """A task with its verb in another form: "charging", "fetched it"."""
        yield from ((end, said) for end, said, base in self.every_task(at, True) if not base)

    def _again(self, at: int) -> Iterator[Mention]:
        """What the task that was said last is to be done with next: "fetch 12, then crate 17".

        If none was, it is the next: "before crate 17, fetch 12".
        """
        places = (*range(at - 1, -1, -1), *range(at + 1, len(self.words)))
        last = next((said for n in places for _, said in self.find("Task", n)), None)
        task = last[0] if isinstance(last, Several) else last
        for one in self.context.tasks:
            if not isinstance(task, SaidTask) or one.name != task.task:
                continue
            for name, _ in task.args:
                things = (*self._things(one.args[name], at), *self.several(one.args[name], at))
                for end, thing in things:
                    args = [(n, thing if n == name else other) for n, other in task.args]
                    each = _each(one.name, args)
                    yield end, each[0] if len(each) == 1 else Several(each)

    def _with_several(self, pattern: _TaskPattern, at: int) -> Iterator[Mention]:
        """A task that is said of several things: "fetch the rake and the spade"."""
        found: dict[int, tuple[SaidTask, ...]] = {}
        for end, args in self._parts(pattern.parts, at, at, True, several=True):
            lists = [name for name, value in args if isinstance(value, Several)]
            if len(lists) == 1:
                found.setdefault(end, _each(pattern.task, args))
        yield from ((end, Several(said)) for end, said in found.items())

    def every_task(self, at: int, back: bool = False) -> Iterator[tuple[int, SaidTask, bool]]:
        """The tasks that are said here; true with a verb as in the task's file.

        With ``back`` a pronoun is the thing that was named last before the task.
        """
        if at < len(self.words):
            for pattern in self.lexicon.tasks.get(self.words[at].text, ()):
                for end, args in self._parts(pattern.parts, at, at, back):
                    yield end, SaidTask(pattern.task, args), pattern.base
            yield from self._lent(at, back)

    def _lent(self, at: int, back: bool) -> Iterator[tuple[int, SaidTask, bool]]:
        """A task whose verb stands behind its thing as a noun: "give the roses a trim"."""
        if self.words[at].text not in self.lexicon.language.lending:
            return
        language = self.lexicon.language
        for noun in range(at + 3, self.clause_end(at)):
            for pattern in self.lexicon.tasks.get(self.words[noun].text, ()):
                match pattern.parts:
                    case (str(), (str(name), str(kind))) if pattern.base:
                        things = [*self.find(kind, at + 1)]
                        things += self._named_before(kind, at + 1, at) if back else ()
                        for end, thing in things:
                            is_next = noun - end in (1, 2)  # "a trim", "a quick trim"
                            if is_next and self.words[end].text in language.articles:
                                said = SaidTask(pattern.task, ((name, str(thing)),))
                                yield noun + 1, said, True

    def verbs(self, at: int) -> Iterator[tuple[_TaskPattern, list[int], bool]]:
        """Tasks whose first word is here, with all words of theirs that follow in the sentence."""
        for pattern in self.lexicon.tasks.get(self.words[at].text, ()):
            words, after = [at], at + 1
            literals = [part for part in pattern.parts[1:] if isinstance(part, str)]
            for literal in literals:
                while after < len(self.words) and self.words[after].breaks < 2:
                    after += 1
                    if self.words[after - 1].text == literal:
                        words.append(after - 1)
                        break
            complete = len(words) == len(literals) + 1
            names_thing = bool(literals) and any(self.find("", at))  # a thing, or to move it into
            if pattern.own:
                complete = any(self._parts(pattern.parts, at, at, back=True))
            if complete or not (pattern.own or names_thing):
                yield pattern, words, complete

    def numbers(self, at: int) -> Iterator[tuple[int, int]]:
        """Words here that count what was named; 0 is all."""
        language = self.lexicon.language
        for words in language.all:
            if self.says(words, at):
                yield at + len(words), 0
        for words, number in language.ordinals.items():
            if self.says(words, at):
                yield at + len(words), number

    def _parts(
        self,
        parts: Sequence[str | tuple[str, str]],
        at: int,
        begin: int,
        back: bool,
        several: bool = False,
    ) -> Iterator[tuple[int, tuple[tuple[str, Any], ...]]]:
        """The arguments of a task's pattern; with ``several`` a slot may take more than one."""
        if not parts:
            yield at, ()
            return
        if at >= len(self.words) or (at > begin and self.words[at].breaks == 2):
            return
        first, rest = parts[0], parts[1:]
        if isinstance(first, str):
            after = at if at == begin else self.after_articles(at)
            if after < len(self.words) and self.words[after].text == first:
                yield from self._parts(rest, after + 1, begin, back, several)
            return
        name, kind = first
        if at == begin + 1 and self.words[at].text in self.lexicon.language.receivers:
            yield from self._parts(parts, at + 1, begin, back, several)
        for end, thing in (
            *self.find(kind, at),
            *(self._named_before(kind, at, begin) if back else ()),
            *(self.several(kind, at) if several else ()),
        ):
            said = thing if isinstance(thing, Several) else str(thing)
            for last, args in self._parts(rest, end, begin, back, several):
                yield last, ((name, said), *args)

    def _named_before(self, kind: str, at: int, begin: int) -> Iterator[Mention]:
        """What a pronoun here is: the thing of a type that was named last before a task."""
        for words in self.lexicon.language.pronouns:
            if self.says(words, at) and not any(self._all_before(kind, at)):
                before = (
                    found[0] for n in range(begin - 1, -1, -1) if (found := self.find(kind, n))
                )
                yield from ((at + len(words), thing) for _, thing in islice(before, 1))

    @property
    def _open(self) -> _OpenSubtasks:
        return self.lexicon.open_subtasks(self.context)

    def _subtasks(self, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """By all its words, its task and things (the first of several), or a thing of its own."""
        if at >= len(self.words):
            return
        for end, said, _ in self.every_task(at):
            same, args = [*self._open.of(said.task).items()][::-1], {*said.args}
            if ids := {known: id for id, known in same if args <= known}:
                yield end, tuple(ids.values())[::-1]
        begin = self.after_articles(at)
        for stop, id in self._in(self._open.names, begin):
            yield stop, (id,)
        for end, thing in self.find("", at):
            of = self._open.with_thing(str(thing))
            if len(of) == 1:
                yield end, tuple(of)
            yield from self._passive(end, str(thing))
        yield from self._with_pronoun(at)

    def _unfinished(self, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The same, but for words that say that it is done."""
        done = {(end, ids) for end, ids in self._finished(at)}
        if at < len(self.words):
            verbs = self.lexicon.tasks.get(self.words[at].text, ())
            if not any(pattern.base for pattern in verbs):
                done |= {(end, ids) for end, ids in self._with_pronoun(at)}
        for end, ids in self._subtasks(at):
            if (end, ids) not in done:
                yield end, ids

    def _held(self, at: int) -> Iterator[Mention]:
        """The one subtask of words, or with a thing, that somebody is at, best the speaker."""
        running = {s.id: s.agent for s in self.context.subtasks if s.status == "running"}
        for end, ids in self._work_of(at):
            held = [id for id in ids if id in running]
            own = [id for id in held if running[id] == self.context.user]
            if len(own or held) == 1:
                yield end, tuple(own or held)

    def _work_of(self, at: int) -> Iterator[tuple[int, Sequence[str]]]:
        """The open subtasks with a thing, or of a task as an order says it."""
        for end, thing in self.find("", at):
            yield end, tuple(self._open.with_thing(str(thing)))
        for end, said, base in self.every_task(at):
            if base:
                args = {*said.args}
                yield end, [id for id, of in self._open.of(said.task).items() if args <= of]

    def _unclaimed(self, at: int) -> Iterator[Mention]:
        """The task of words that nobody is at: of several the one that is proposed, or ready."""
        proposed = {one.subtask for one in self.context.proposals}

        def comes_later(one: TalkSubtask) -> tuple[bool, bool]:
            return one.id not in proposed, one.status != "ready"

        for end, ids in self._work_of(at):
            work = [self.subtasks[id] for id in ids]
            if any(one.status == "running" for one in work):
                continue
            for one in sorted(work, key=comes_later)[:1]:
                said = self.lexicon.of_subtask(one.words).said
                if said is not None:
                    yield end, said

    def _wanted(self, at: int) -> Iterator[Mention]:
        """The same; of a thing that somebody is at what is ready, and what is nowhere is got."""
        open_work = {*self._unclaimed(at)}
        yield from open_work
        for end, thing in self.find("", at):
            of = self._open.with_thing(str(thing))
            if end in {one[0] for one in open_work}:
                continue
            ready = [one.words for id in of if (one := self.subtasks[id]).status == "ready"]
            works = (self.lexicon.of_subtask(one).said for one in ready[:1])
            yield from ((end, said) for said in (works if of else self._wishes(str(thing))) if said)

    def _wishes(self, thing: str) -> Iterator[SaidTask]:
        """The tasks that a wish for a thing alone asks for."""
        kinds = self.lexicon.types[thing]
        for task in self.context.tasks:
            names = [name for name, kind in task.args.items() if not kind or kind in kinds]
            if task.name in self.lexicon.wished and len(task.args) == 1:
                yield from (SaidTask(task.name, ((name, thing),)) for name in names)

    def _doers(self, at: int) -> Iterator[Mention]:
        """The one robot that is at work which is named as going on: "mowing the lawn".

        If there is no such work, it is who is at other work with the thing.
        """
        robots = {agent.name for agent in self.context.agents if not agent.person}
        doers = {s.id: s.agent for s in self.context.subtasks if s.status == "running"}
        for end, ids, others in self._going_on(at):
            found = {doers[id] for id in ids or others if doers.get(id) in robots}
            if len(found) == 1:
                yield end, found.pop()

    def _unbegun(self, at: int) -> Iterator[Mention]:
        """Work that is named as going on, and that nobody is at."""
        running = {one.id for one in self.context.subtasks if one.status == "running"}
        for end, ids, _ in self._going_on(at):
            if ids and running.isdisjoint(ids):
                yield end, ids

    def _going_on(self, at: int) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
        """Open work by its verb in another form and its things, and all work with these things.

        "putting out the bins" is to put them out to the street; other work is to wash them.

        The verb's other words ("in") may stand anywhere or be left out; those that are said count.
        """
        literals: dict[str, set[str]] = {}
        for pattern in self.lexicon.tasks.get(self.words[at].text, ()) if self._is_word(at) else ():
            if not pattern.base:
                others = (part for part in pattern.parts[1:] if isinstance(part, str))
                literals.setdefault(pattern.task, set()).update(others)
        known = {word for words in literals.values() for word in words}
        between = known | self.lexicon.language.particles
        for end, things, said in self._things_after(at + 1, between) if literals else ():
            work = [self._open.with_thing(thing) for thing in things]
            of = {id: task for id, task in work[0].items() if all(id in one for one in work)}
            meant = {task for task, words in literals.items() if said & known <= words}
            yield end, tuple(id for id, task in of.items() if task in meant), tuple(of)

    def _things_after(
        self,
        at: int,
        between: Set[str],
        things: tuple[str, ...] = (),
        said: frozenset[str] = frozenset(),
    ) -> Iterator[tuple[int, tuple[str, ...], frozenset[str]]]:
        """The things from a word on, with the words between them: where they end, and which."""
        if at >= len(self.words) or self.words[at].breaks:
            return
        if (word := self.words[at].text) in between:
            if things:
                yield at + 1, things, said | {word}
            yield from self._things_after(at + 1, between, things, said | {word})
        for end, thing in self.find("", at) if len(things) < _MOST_THINGS else ():
            yield end, (*things, str(thing)), said
            yield from self._things_after(end, between, (*things, str(thing)), said)

    def _is_word(self, at: int) -> bool:
        return at < len(self.words)

    def _work(self, at: int) -> Iterator[Mention]:
        """A thing alone, for all that is to be done with it."""
        for end, thing in self.find("", at):
            if ids := tuple(self._open.that_begin_with(str(thing))):
                yield end, ids

    def _finished(self, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """What was done to a thing: "the lawn is mowed"."""
        for end, thing in self.find("", at):
            yield from self._passive(end, str(thing))

    def _passive(self, at: int, thing: str) -> Iterator[tuple[int, tuple[str, ...]]]:
        """A thing and what was done to it: "the lawn is mowed"."""
        language = self.lexicon.language
        for begin in (at, *(at + len(words) for words in language.states if self.says(words, at))):
            tasks = self._tasks_by_verb(begin)
            work = [it for it in self._open.with_thing(thing).items() if it[1] in tasks]
            of = {(task, self._open.of(task).get(id)): id for id, task in work[::-1]}
            if of:
                yield begin + 1, tuple(of.values())[::-1]

    def _with_pronoun(self, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """A verb whose thing is a pronoun: "mowed it"; of several subtasks none is meant."""
        of = [id for task in self._tasks_by_verb(at) for id in self._open.of(task)]
        if len(of) == 1:
            for words in self.lexicon.language.pronouns:
                if self.says(words, at + 1):
                    yield at + 1 + len(words), tuple(of)

    def _tasks_by_verb(self, at: int) -> frozenset[str]:
        """The tasks that a word is the verb of, in any form."""
        if at >= len(self.words) or self.words[at].breaks == 2:
            return frozenset()
        return frozenset(pattern.task for pattern, _, _ in self.verbs(at))

    def _proposals(self, at: int) -> Iterator[Mention]:
        proposals = self.context.proposals
        for end, name in self._agents(at):
            if ids := tuple(p.id for p in proposals if p.agent == name):
                yield end, ids
        for end, subtasks in self._unfinished(at):
            if ids := tuple(p.id for p in proposals if p.subtask in subtasks):
                yield end, ids
        ids = tuple(p.id for p in proposals)
        for end, thing in self.find("", at) if ids else ():
            of = self._open.with_thing(str(thing))
            if named := tuple(p.id for p in proposals if p.subtask in of):
                yield end, named
        for words in self.lexicon.language.all:
            if ids and self.says(words, at) and not [*self.exceptions(at + len(words), words)]:
                yield at + len(words), ids
        yield from self._counted(at, ids)

    def _rest(self, at: int) -> Iterator[Mention]:
        """The proposals but those that are left out: "all but R2", "except the crate"."""
        language = self.lexicon.language
        begun: list[tuple[int, tuple[str, ...]]] = [(at, ())]
        begun += [(at + len(one), one) for one in language.all if self.says(one, at)]
        for after in (end for begin, one in begun for end in self.exceptions(begin, one)):
            for end, left in self.lists("Proposal", after, language.adding):
                assert isinstance(left, tuple)
                if ids := tuple(p.id for p in self.context.proposals if p.id not in left):
                    yield end, ids

    def _proposed(self, at: int) -> Iterator[Mention]:
        """A pronoun for the one task that is proposed: "let me do that"."""
        work = {p.subtask: p.words for p in self.context.proposals}
        said = self.lexicon.of_subtask(next(iter(work.values()))).said if len(work) == 1 else None
        for words in self.lexicon.language.pronouns if said is not None else ():
            if self.says(words, at):
                yield at + len(words), said

    def _failed(self, at: int) -> Iterator[Mention]:
        """The one task that failed: its thing, a pronoun, or no word at all ("try again")."""
        failed = [one for one in self.context.subtasks if one.failed]
        said = self.lexicon.of_subtask(failed[0].words).said if len(failed) == 1 else None
        if said is None:
            return
        yield at, said
        for words in self.lexicon.language.pronouns:
            if self.says(words, at):
                yield at + len(words), said
        things = {thing for _, thing in said.args}
        yield from ((end, said) for end, thing in self.find("", at) if thing in things)

    def _meant(self, at: int) -> Iterator[Mention]:
        """The work that is corrected, with the thing or the verb that is named here, or a task."""
        work = self.corrected
        said = self.lexicon.of_subtask(work.words).said if work is not None else None
        yield from self._changed(at, said)
        if said is None:
            return
        (kinds,) = (task.args for task in self.context.tasks if task.name == said.task)
        old, types = dict(said.args), self.lexicon.types
        alike = [*self._alike(at, said)]
        named = alike if len({thing for _, thing in alike}) == 1 else []
        for end, name in (*self._things_of_tasks(at), *named):
            own = types[name]
            fits = [n for n, one in old.items() if one != name and kinds[n] in ("", *own)]
            best = [n for n in fits if types.get(old[n]) == own] or fits
            for n in best[:1]:
                yield end, SaidTask(said.task, tuple({**old, n: name}.items()))

    def _changed(self, at: int, old: SaidTask | None) -> Iterator[Mention]:
        """A task, or the verb of one for the old thing: "chop it". An answer to what is proposed
        changes no order, nor does what keeps nothing of it, unless words say so."""
        language = self.lexicon.language
        is_meant = self._says(language.correcting)
        things = {one for _, one in old.args} if old is not None else set()
        if not self._is_word(at) or (self.context.proposals and not is_meant):
            return
        is_meant = is_meant or self._says(language.negations)
        for end, said in self.find("Task", at):
            if isinstance(said, SaidTask) and said != old:
                kept = old is not None and (
                    said.task == old.task or not things.isdisjoint(one for _, one in said.args)
                )
                yield from [(end, said)] if kept or is_meant else ()
        for pattern in self.lexicon.tasks.get(self.words[at].text, ()):
            match pattern.parts:
                case (_, (str(name), str(kind))) if (
                    pattern.base and old and pattern.task != old.task
                ):
                    for thing in [one for one in things if kind in ("", *self.lexicon.types[one])]:
                        said = SaidTask(pattern.task, ((name, thing),))
                        yield from ((end, said) for end in (at + 1, *self._pronouns(at + 1)))

    def _pronouns(self, at: int) -> Iterator[int]:
        """Where a pronoun ends that stands here."""
        return (at + len(one) for one in self.lexicon.language.pronouns if self.says(one, at))

    def _alike(self, at: int, old: SaidTask) -> Iterator[tuple[int, str]]:
        """Other things of the same name: "the other one", "the other crate"."""
        language, types = self.lexicon.language, self.lexicon.types
        ends = [at + len(one) for one in language.others["any"] if self.says(one, at)]
        for thing in [one for _, one in old.args if ends]:
            names = {*language.name(thing)}
            for one, own in types.items():
                if one != thing and own == types[thing] and names & {*language.name(one)}:
                    yield from ((end + (self._stem(end) in names), one) for end in ends)

    def _mistaken(self, at: int) -> Iterator[Mention]:
        """The work that is corrected, by a pronoun or without a word; not what is proposed."""
        work, language = self.corrected, self.lexicon.language
        said = self.lexicon.of_subtask(work.words).said if work is not None else None
        if said is not None and (not self.context.proposals or self._says(language.correcting)):
            yield from ((end, said) for end in (at, *self._pronouns(at)))

    def _other(self, at: int) -> Iterator[Mention]:
        """Whoever has not got the work that is corrected; "the other one", if it is no thing."""
        work = self.corrected
        if work is None:
            return
        yield from (one for one in self._agents(at) if one[1] != work.agent)
        robots = [one.name for one in self.context.agents if not one.person]
        said = self.lexicon.of_subtask(work.words).said
        if len(robots) == 2 and work.agent in robots and said is not None:
            (name,), alike = {*robots} - {work.agent}, [*self._alike(at, said)]
            others = self.lexicon.language.others
            for words in others["agent"] | (frozenset() if alike else others["any"]):
                if self.says(words, at):
                    yield at + len(words), name

    def _free(self, at: int) -> Iterator[Mention]:
        """The same, if it is at nothing: "no, R2" may stop who is at work."""
        busy = {one.agent for one in self.context.subtasks if one.status == "running"}
        yield from (one for one in self._other(at) if one[1] not in busy)

    def _relieved(self, at: int) -> Iterator[tuple[int, tuple[str]]]:
        """Who has the work that is corrected, for that work: "not R1"."""
        for work in [self.corrected] if self.corrected is not None else ():
            yield from ((end, (work.id,)) for end, name in self._agents(at) if name == work.agent)

    def _wrong(self, at: int) -> Iterator[Mention]:
        """A thing of the work that is corrected: "not the eggs"."""
        id = self.corrected.id if self.corrected is not None else ""
        yield from (o for o in self._things_of_tasks(at) if id in self._open.with_thing(o[1]))

    def _in_place(self, at: int) -> tuple[set[str], list[tuple[str, str, str]]]:
        """The tasks of a sentence, and for what another order may be: a robot's work, a proposal.

        Those are (subtask, agent, proposal or ''), of the robots that the sentence names and of its
        tasks, if there are such.
        """
        here = self.sentence_of(self.words[at - 1].start)
        robots = {agent.name for agent in self.context.agents if not agent.person}
        named = {str(name) for n in here for _, name in self.find("Robot", n)}
        tasks = {one.task for n in here for one, _, _ in self.verbs(n)}
        work = [
            (one.id, one.agent or "", "")
            for one in self.context.subtasks
            if one.status in ("running", "interrupted") and one.agent in (named or robots)
        ]
        work += [(p.subtask, p.agent, p.id) for p in self.context.proposals]
        if named:
            work = [one for one in work if one[1] in named]
        alike = [one for one in work if any(one[0] in self._open.of(task) for task in tasks)]
        return tasks, alike or work

    def _current(self, at: int) -> Iterator[Mention]:
        """The one order that another is to replace, without its name; none if it is not clear."""
        tasks, work = self._in_place(at)
        if len(work) == 1 and not work[0][2]:
            yield at, (work[0][0],)
        elif tasks and len(work) != 1:
            yield at, ()

    def _refused(self, at: int) -> Iterator[Mention]:
        """The one proposal that an order is to replace."""
        _, work = self._in_place(at)
        if len(work) == 1 and work[0][2]:
            yield at, (work[0][2],)

    def _replaced(self, at: int) -> Iterator[Mention]:
        """Open work with a thing, best of the tasks of the sentence: "fetch 17 instead of 31"."""
        yield from self._subtasks(at)
        tasks, _ = self._in_place(at)
        for end, thing in self._things_of_tasks(at):
            of = self._open.with_thing(thing)
            if ids := tuple(id for id, task in of.items() if task in tasks) or tuple(of):
                yield end, ids

    def _things_of_tasks(self, at: int) -> Iterator[tuple[int, str]]:
        """Things, also by their numbers where a task is done with such."""
        kinds = {kind for task in self.context.tasks for kind in task.args.values()}
        for kind in ("", *sorted(kinds - {""})):
            yield from ((end, str(thing)) for end, thing in self.find(kind, at))

    def excluded(self, at: int) -> Iterator[int]:
        """Where words here end that only say of which things nothing is ordered: "but not 31"."""
        instead = self.lexicon.language.times.get("instead", ())
        begins = {at + len(one) for one in instead if len(one) > 1 and self.says(one, at)}
        begins |= {*self.exceptions(at)}
        word = self.words[at]
        if word.breaks == 1 and (word.text,) in self.lexicon.language.negations:
            begins.add(at + 1)
        for begin in begins:
            yield from (end for end, _ in self._things_of_tasks(begin))

    def _counted(self, at: int, ids: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The one that a number names."""
        language = self.lexicon.language
        begin = self.after_articles(at)
        for words, number in language.ordinals.items():
            place = number - 1 if number > 0 else len(ids) + number
            if 0 <= place < len(ids) and self.says(words, begin):
                yield begin + len(words), (ids[place],)

"""Group words into chunks: names, pronouns, verbs, adverbials; other words stay single."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treec import TalkContext
from treec.skills.kitchen.hearing import lexicon, verbs
from treec.skills.kitchen.hearing.adjuncts import absorb_adjuncts
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.disfluencies import remove_disfluencies
from treec.skills.kitchen.hearing.lexicon import Way, inflections
from treec.skills.kitchen.hearing.names import NameIndex
from treec.skills.kitchen.hearing.nominals import replace_nominals
from treec.skills.kitchen.hearing.noun_phrases import group_chunks
from treec.skills.kitchen.hearing.pronouns import pointers
from treec.skills.kitchen.hearing.self_repair import resolve_repairs
from treec.skills.kitchen.hearing.typos import correct_slip, nearest_word
from treec.skills.kitchen.hearing.verb_idioms import replace_idioms
from treec.skills.kitchen.hearing.vocatives import remove_vocatives
from treec.skills.kitchen.hearing.words import Word, name_words, pasts, word_set, words_of

_BASES = word_set(
    "and or but if when unless until before after while because since so though although as "
    "not never no to for with without from into in on onto of at by about off out than "
    "can could will would shall should may might must do does did have has had is are am was were "
    "be been being what who where when why how which whose let's let there here nor either neither"
)
_PARTICLES = [(particle,) for particle in verbs.PARTICLES]


class Chunker:
    """Groups words into chunks, given the names and the tasks' verbs of a context."""

    def __init__(self, context: TalkContext, names: NameIndex) -> None:
        self._names = names
        self._own = {way for task in context.tasks for says in task.says for way in own_ways(says)}
        patterns = [name_words(says) for task in context.tasks for says in task.says]
        self._own_alone = {way[:1] for way in patterns if way[1:2] not in _PARTICLES}
        self._verbs = _task_verbs(context)
        self._vessels = {thing.name for thing in context.objects if "Container" in thing.types}
        self._dish = {*name_words(context.recipe_name), "soup", "salad", "food"}
        self._tables: tuple[Mapping[Way, object], ...] = (
            pointers(),
            lexicon.adverbials(),
            verbs.classes(),
            self._verbs,
        )
        # Cache of the tasks' patterns; filled by `Kitchen`.
        self.ways: dict[Way, list[Any]] = {}
        self.meanings: dict[str, Any] = {}
        self._reach: dict[str, int] = {}
        self._words = {word for way in lexicon.sayings() for word in way} | set(_BASES)
        names.leave(_BASES)
        for table in self._tables:
            names.leave(word for way in table for word in way)
            self._words.update(word for way in table for word in way)
            for way in table:
                self._reach[way[0]] = max(self._reach.get(way[0], 0), len(way))

    def chunks(self, text: str) -> list[Chunk]:
        """The chunks of a text in order, with its breaks."""
        words = remove_vocatives(words_of(remove_disfluencies(text)))
        if sum(not w.breaks for w in words) > 1:  # a garbled word alone is asked about
            words = [
                w if w.breaks or w.key in self._reach else replace(w, key=self._correct_typo(w.key))
                for w in words
            ]
        elif (
            words and lexicon.adverbials().get((nearest_word(words[0].key, self._words),)) == "DONE"
        ):
            words = [replace(w, key=nearest_word(w.key, self._words)) for w in words]  # "finisehd!"
        found: list[Chunk] = []
        index = 0
        while index < len(words):
            chunk, index = self._next(words, index, found)
            found.append(chunk)
        plain = replace_idioms(
            resolve_repairs(self._join_particles(found)), self._task, self._vessels, self._dish
        )
        return absorb_adjuncts(group_chunks(replace_nominals(plain)))

    def _join_particles(self, found: list[Chunk]) -> list[Chunk]:
        """ "Dish it up": marks a verb as the phrasal verb that a later particle makes of it."""
        result = list(found)
        for index, chunk in enumerate(found):
            is_plating = [c.key for c in found[index + 1 : index + 3]] in (
                ["it", "up"],
                ["them", "up"],
            )
            if chunk.key == "plate" and is_plating:
                whole = self._verbs.get(("plate", "up"), ())
                result[index] = replace(chunk, kind="V", verb=whole, things=())
            if chunk.kind != "V" or len(chunk.key.split()) != 1:
                continue
            thing = next((c for c in found[index + 1 : index + 4] if c.kind != "DET"), None)
            if thing is None or thing.kind not in ("O", "IT", "R"):
                continue
            at = found.index(thing) + 1
            particle = found[at].key if at < len(found) else ""
            whole = self._verbs.get((chunk.key, particle), ())
            bases = {base for base, _ in chunk.verb}
            if whole and not bases & {base[:1] for base, _ in whole} & self._own_alone:
                result[index] = replace(chunk, verb=(*chunk.verb, *whole))
        return result

    def _task(self, verb: str, start: int, end: int) -> Chunk | None:
        """The chunk of a task's own verb, if the kitchen has that task."""
        return self._spoken((verb,), start, end) if (verb,) in self._own else None

    def _correct_typo(self, word: str) -> str:
        """The word with transposed letters corrected; typos in names are corrected later."""
        plain = correct_slip(word)
        if plain != word or self._names.mend(word) != word:
            return plain
        return nearest_word(word, self._words)

    def _next(self, words: Sequence[Word], index: int, before: list[Chunk]) -> tuple[Chunk, int]:
        word = words[index]
        if word.breaks:
            return Chunk("BRK", word.key, word.start, word.end), index + 1
        name_at = self._names.at(words, index)
        if name_at is not None and _misheard(words, index, name_at[1], before):
            name_at = None
        size, way = self._longest(words, index)
        if name_at is not None and (name_at[1] - index >= size or name_at[0].agent):
            mention, stop = name_at
            kind = "A" if mention.agent else "O" if mention.objects else "R"
            return Chunk(
                kind,
                " ".join(w.key for w in words[index:stop]),
                word.start,
                words[stop - 1].end,
                agents=(mention.agent,) if mention.agent else (),
                things=(mention.objects,) if mention.objects else (),
                recipe=mention.recipe,
                spoken=tuple(self._names.mend(w.key) for w in words[index:stop]),
            ), stop
        if size:
            stop = index + size
            return self._spoken(way, words[index].start, words[stop - 1].end), stop
        kind = word.key if word.key in _BASES or word.key == "'s" else "W"
        key = self._names.mend(word.key)
        return Chunk(kind, key, word.start, word.end, spoken=(key,)), index + 1

    def _longest(self, words: Sequence[Word], index: int) -> tuple[int, Way]:
        reach = min(self._reach.get(words[index].key, 0), len(words) - index)
        for size in range(reach, 0, -1):
            if any(w.breaks for w in words[index : index + size]):
                continue
            way = tuple(w.key for w in words[index : index + size])
            behind = words[index + size].key if index + size < len(words) else ""
            halts = {"STOP", "WAIT"} & {c for c, _ in verbs.classes().get(way, ())}
            if halts and way[-1] in ("there", "that", "it") and behind in ("is", "are", "was"):
                continue  # "wait, there is glass", "stop, that's too much"
            if any(way in table for table in self._tables):
                return size, way
        return 0, ()

    def _spoken(self, way: Way, start: int, end: int) -> Chunk:
        """A chunk for these words: pronouns before verbs, verbs before adverbials."""
        key = " ".join(way)
        verb = self._verbs.get(way, ())
        classes = verbs.classes().get(way, frozenset())
        own = any(base in self._own for base, _ in verb)
        if way in pointers() and not (own and pointers()[way] == "HEAD"):
            kind = pointers()[way]
        elif verb or classes:
            kind = "V"
            if lexicon.adverbials().get(way) == "DONE":
                kind = "DONE"
            elif way in lexicon.adverbials():
                return Chunk(kind, key, start, end, verb=verb, classes=classes, spoken=way)
        else:
            kind = lexicon.adverbials()[way]
        if key in _BASES and key != "either":
            kind = key
        kind, _, ref = kind.partition(" ")
        return Chunk(kind, key, start, end, verb=verb, classes=classes, ref=ref, spoken=way)


def _misheard(words: Sequence[Word], index: int, stop: int, before: list[Chunk]) -> bool:
    """ "There are two", "our one": words that sound like a robot's name but are not."""
    first, second = words[index].key, words[stop - 1].key
    if stop - index != 2 or first not in ("are", "our", "ar", "r"):
        return False
    if second in ("to", "too"):
        behind = words[stop].key if stop < len(words) else ""
        return first != "r" and behind not in ("should", "can", "could", "will")
    last = before[-1].key if before else ""
    return first != "r" and last in ("there", "you", "we", "they", "these", "those", "what", "here")


def _task_verbs(context: TalkContext) -> dict[Way, tuple[tuple[Way, str], ...]]:
    """Each form of each verb of the tasks and of its synonyms: (its base way, the form)."""
    own = {way for task in context.tasks for says in task.says for way in own_ways(says)}
    for subtask in context.subtasks:
        own.update({name_words(subtask.words)[:1]} - {()})
    every = set(own)
    for way in own:
        for key in {" ".join(way), way[0]}:
            every.update(verbs.synonyms().get(key, ()))
    found: dict[Way, tuple[tuple[Way, str], ...]] = {}
    for way in sorted(every):
        shapes = {way[0]: "base", **inflections(way[0])}
        for form, name in shapes.items():
            joined = (form, *way[1:])
            name = "base past" if form == way[0] and form in pasts(form) else name
            for shape in name.split():
                found[joined] = (*found.get(joined, ()), (way, shape))
    return found


def own_ways(says: str) -> tuple[Way, ...]:
    """The verb that a task's pattern begins with, alone and with its particle."""
    head, _, behind = says.partition("<")
    words = tuple(w for w in name_words(head) if w not in ("the", "a", "an", "me"))
    tail = name_words(behind.partition(">")[2])
    if not words:
        return ()
    found = [words[:1]]
    if len(words) > 1 and words[1] in verbs.PARTICLES:
        found.append(words[:2])
    if tail and tail[0] in verbs.PARTICLES and len(tail) == 1:
        found.append((words[0], tail[0]))
    return tuple(found)

"""Words gathered into chunks: names, pronouns, verbs, adverbials; what is left is a word each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import TalkContext
from skills.kitchen.hearing import lexicon, verbs
from skills.kitchen.hearing.lexicon import Way, inflections
from skills.kitchen.hearing.names import Names
from skills.kitchen.hearing.pointers import pointers
from skills.kitchen.hearing.slips import unslipped
from skills.kitchen.hearing.words import Word, name_words, pasts, word_set, words_of

FLOATS = frozenset({"FLOAT", "PLEASE", "HEDGE", "FIRST", "NEARLY", "ONLY", "ALSO", "UM"})
"""Kinds that may stand anywhere in a clause and leave its skeleton as it is."""
_BASES = word_set(
    "and or but if when unless until before after while because since so though although as "
    "not never no to for with without from into in on onto of at by about off out than "
    "can could will would shall should may might must do does did have has had is are am was were "
    "be been being what who where when why how which whose let's let there here nor either neither"
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of words that means one thing. `key` is its words; `kind` what it is.

    Agents, things and recipe are what it names. `verb` are the ways in which it is a verb, each
    with its form; `classes` its classes of verbs about work, each with its form.
    """

    kind: str
    key: str
    start: int
    end: int
    agents: tuple[str, ...] = ()
    things: tuple[tuple[str, ...], ...] = ()
    recipe: str | None = None
    verb: tuple[tuple[Way, str], ...] = ()
    classes: frozenset[tuple[str, str]] = frozenset()
    either: bool = False
    ref: str = ""
    said: tuple[str, ...] = field(default=())

    def of(self, name: str, *forms: str) -> bool:
        """Whether it is a verb of this class, in one of these forms or in any."""
        return any(c == name and (not forms or f in forms) for c, f in self.classes)

    @property
    def code(self) -> str:
        """What it is called in a clause's line: names by their kind, the rest by its words."""
        return (
            self.kind
            if (len(self.kind) > 1 and self.kind.isupper() and self.kind != "ADJ")
            or self.kind in "AORI"
            else self.key.replace(" ", "_")
        )


class Chunker:
    """Gathers words into chunks, with the names and the tasks' verbs of one context."""

    def __init__(self, context: TalkContext, names: Names) -> None:
        self._names = names
        self._own = {way for task in context.tasks for says in task.says for way in own_ways(says)}
        self._verbs = _task_verbs(context)
        self._tables: tuple[Mapping[Way, object], ...] = (
            pointers(),
            lexicon.adverbials(),
            verbs.classes(),
            self._verbs,
        )
        # What the tasks make of this kitchen's words; filled by `Kitchen`.
        self.ways: dict[Way, list[Any]] = {}
        self.meanings: dict[str, Any] = {}
        self._reach: dict[str, int] = {}
        names.leave(_BASES)
        for table in self._tables:
            names.leave(word for way in table for word in way)
            for way in table:
                self._reach[way[0]] = max(self._reach.get(way[0], 0), len(way))

    def chunks(self, text: str) -> list[Chunk]:
        """The chunks of a text in their order, its breaks among them."""
        words = words_of(text)
        if sum(not w.breaks for w in words) > 1:  # a garbled word alone had better be asked about
            words = [
                replace(w, key=unslipped(w.key)) if not w.breaks and w.key not in self._reach else w
                for w in words
            ]
        found: list[Chunk] = []
        index = 0
        while index < len(words):
            chunk, index = self._next(words, index, found)
            found.append(chunk)
        return _coordinated(_with_determiners(_going(_loosened(found))))

    def _next(self, words: Sequence[Word], index: int, before: list[Chunk]) -> tuple[Chunk, int]:
        word = words[index]
        if word.breaks:
            return Chunk("BRK", word.key, word.start, word.end), index + 1
        named = self._names.at(words, index)
        if named is not None and _misheard(words, index, named[1], before):
            named = None
        size, way = self._longest(words, index)
        if named is not None and (named[1] - index >= size or named[0].agent):
            mention, stop = named
            kind = "A" if mention.agent else "O" if mention.objects else "R"
            return Chunk(
                kind,
                " ".join(w.key for w in words[index:stop]),
                word.start,
                words[stop - 1].end,
                agents=(mention.agent,) if mention.agent else (),
                things=(mention.objects,) if mention.objects else (),
                recipe=mention.recipe,
                said=tuple(self._names.mend(w.key) for w in words[index:stop]),
            ), stop
        if size:
            stop = index + size
            return self._spoken(way, words[index].start, words[stop - 1].end), stop
        kind = word.key if word.key in _BASES or word.key == "'s" else "W"
        key = self._names.mend(word.key)
        return Chunk(kind, key, word.start, word.end, said=(key,)), index + 1

    def _longest(self, words: Sequence[Word], index: int) -> tuple[int, Way]:
        reach = min(self._reach.get(words[index].key, 0), len(words) - index)
        for size in range(reach, 0, -1):
            if any(w.breaks for w in words[index : index + size]):
                continue
            way = tuple(w.key for w in words[index : index + size])
            if any(way in table for table in self._tables):
                return size, way
        return 0, ()

    def _spoken(self, way: Way, start: int, end: int) -> Chunk:
        """A chunk by its words alone: pointers before verbs, verbs before adverbials."""
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
                return Chunk(kind, key, start, end, verb=verb, classes=classes, said=way)
        else:
            kind = lexicon.adverbials()[way]
        if key in _BASES and key != "either":
            kind = key
        kind, _, ref = kind.partition(" ")
        return Chunk(kind, key, start, end, verb=verb, classes=classes, ref=ref, said=way)


def _misheard(words: Sequence[Word], index: int, stop: int, before: list[Chunk]) -> bool:
    """ "There are two", "our one": words that sound like a robot's name but are themselves."""
    first, second = words[index].key, words[stop - 1].key
    if stop - index != 2 or first not in ("are", "our", "ar", "r"):
        return False
    if second in ("to", "too"):
        behind = words[stop].key if stop < len(words) else ""
        return first != "r" and behind not in ("should", "can", "could", "will")
    last = before[-1].key if before else ""
    return first != "r" and last in ("there", "you", "we", "they", "these", "those", "what", "here")


def _task_verbs(context: TalkContext) -> dict[Way, tuple[tuple[Way, str], ...]]:
    """Each form of each verb of the tasks, and of its other words: (its base way, the form)."""
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
            said = (form, *way[1:])
            name = "base past" if form == way[0] and form in pasts(form) else name
            for shape in name.split():
                found[said] = (*found.get(said, ()), (way, shape))
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


_MODAL = word_set("can could should must may will would might let's shall")


def _loosened(chunks: list[Chunk]) -> list[Chunk]:
    """ "You can to continue": learners' grammar."""
    result = list(chunks)
    for index in range(1, len(chunks) - 1):
        before = chunks[index - 1].kind
        if before == "YOU" and index > 1:
            before = chunks[index - 2].kind
        verb = _base(chunks[index + 1]) or chunks[index + 1].classes
        if chunks[index].kind == "to" and before in _MODAL and verb:
            result[index] = replace(chunks[index], kind="FLOAT")
    return result


_ERRANDS = word_set(
    "go come run pop nip head hurry rush dash hop try quickly hurry swing roll zip "
    "scoot whizz proceed drive step walk"
)


def _going(chunks: list[Chunk]) -> list[Chunk]:
    """ "Go and get", "nip over to the shelf and fetch": the errand is in the second verb."""
    result = list(chunks)
    for index, chunk in enumerate(chunks):
        if chunk.key not in _ERRANDS or chunk.kind not in ("W", "V") or chunk.verb:
            continue
        stop = index + 1
        while stop < len(chunks) and stop < index + 6 and chunks[stop].kind in (
            "FLOAT", "to", "O", "DET", "out", "off", "ahead", "W",
        ):  # fmt: skip
            if chunks[stop].kind in ("W", "O") and chunks[stop - 1].kind not in ("to", "DET"):
                break
            stop += 1
        joined = stop < len(chunks) and chunks[stop].kind in ("and", "to")
        stop += joined
        if stop < len(chunks) and (joined or stop == index + 1) and _base(chunks[stop]):
            for place in range(index, stop):
                result[place] = replace(chunks[place], kind="FLOAT")
    return result


def _base(chunk: Chunk) -> bool:
    return any(form == "base" for _, form in chunk.verb)


def _with_determiners(chunks: list[Chunk]) -> list[Chunk]:
    """Names swallow what stands before them in their noun phrase and the "one" behind."""
    result: list[Chunk] = []
    for index, chunk in enumerate(chunks):
        if chunk.kind in ("O", "R", "A", "ALL") and result:
            start = chunk.start
            enough = False
            while result and _goes_before(result[-1], chunk, result[:-1]):
                enough |= result[-1].key in ("enough", "plenty of")
                start = result.pop().start
            chunk = replace(chunk, start=start, ref="enough" if enough else chunk.ref)
        elif chunk.kind == "HEAD" and result and result[-1].kind in ("O", "A", "ORD"):
            result[-1] = replace(result[-1], end=chunk.end)
            continue
        elif chunk.ref in ("both", "all") and _each(result):
            continue
        elif chunk.key == "'s" and result and result[-1].kind == "A":
            behind = chunks[index + 1].kind if index + 1 < len(chunks) else ""
            if behind in ("O", "HEAD"):
                continue
        if chunk.kind == "'s" and result and result[-1].kind in ("A", "O", "R", "ORD", "W"):
            behind = chunks[index + 1].kind if index + 1 < len(chunks) else ""
            if behind not in ("O", "HEAD", "R", ""):
                chunk = replace(chunk, kind="is", key="is")
        result.append(chunk)
    return result


def _each(before: list[Chunk]) -> bool:
    """ "You both", "you may both": who is spoken of, said again."""
    if not before:
        return False
    last = before[-1] if before[-1].kind not in _MODAL or len(before) < 2 else before[-2]
    return last.kind in ("YOU", "WE", "THEY", "A", "ALL")


def _goes_before(word: Chunk, noun: Chunk, before: list[Chunk]) -> bool:
    if word.kind in ("DET", "ADJ"):
        return True
    if word.kind == "IT" and word.key in ("that", "this", "those", "these", "the one"):
        return noun.kind in ("O", "R", "A")
    if word.kind == "THEY" and word.key == "her":
        return noun.kind in ("O", "R")
    if word.kind == "V" and any(form == "past" for _, form in word.verb):
        return noun.kind == "O" and bool(before) and before[-1].kind == "DET"
    return word.kind == "of" and bool(before) and before[-1].kind in ("DET", "ADJ")


def _coordinated(chunks: list[Chunk]) -> list[Chunk]:
    """ "The salt, the pepper and the bowl" as one chunk; "or" makes it a choice between them."""
    result: list[Chunk] = []
    index = 0
    while index < len(chunks):
        chunk = chunks[index]
        index += 1
        if chunk.kind in ("O", "A"):
            while (stop := _next_member(chunks, index, chunk.kind)) is not None:
                other = chunks[stop]
                chunk = replace(
                    chunk,
                    end=other.end,
                    key=f"{chunk.key} and {other.key}",
                    agents=(*chunk.agents, *other.agents),
                    things=(*chunk.things, *other.things),
                    recipe=None,
                    either=chunk.either or any(c.key in ("or", "nor") for c in chunks[index:stop]),
                    said=(*chunk.said, *other.said),
                )
                index = stop + 1
        result.append(chunk)
    return result


def _next_member(chunks: list[Chunk], index: int, kind: str) -> int | None:
    """Where the next member of a list of names stands, if one follows."""
    stop = index
    comma = joint = False
    while stop < len(chunks) and chunks[stop].kind != kind:
        key = chunks[stop].key
        if key == "," and not comma and not joint:
            comma = True
        elif key in ("and", "or", "plus") and not joint:
            joint = True
        elif not (joint and key in ("also", "the", "some", "then", "maybe")):
            return None
        stop += 1
    if stop >= len(chunks) or not (comma or joint) or (kind == "A" and comma):
        return None
    behind = chunks[stop + 1] if stop + 1 < len(chunks) else None
    if behind is None or joint:
        return None if joint and kind == "O" and behind is not None and behind.key in _IS else stop
    # by a comma alone only a list that goes on or ends there: "salt, pepper, bowl"
    return stop if kind == "O" and (behind.kind == "BRK" or behind.key in ("and", "or")) else None


_IS = frozenset({"is", "yes", "no", "can", "should", "needs"})

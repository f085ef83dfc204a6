"""Chunks: stretches of words that mean one thing, and how they gather with their neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from skills.kitchen.hearing.lexicon import Way
from skills.kitchen.hearing.words import word_set

FLOATS = frozenset({"FLOAT", "PLEASE", "HEDGE", "FIRST", "NEARLY", "ONLY", "ALSO", "UM"})
"""Kinds that may stand anywhere in a clause and leave its skeleton as it is."""


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


def gathered(chunks: list[Chunk]) -> list[Chunk]:
    """Chunks with what belongs together made one, and what only fills in made to float."""
    return _coordinated(_without_relatives(_with_determiners(_going(_loosened(chunks)))))


_SEVERAL = word_set("plates towels cups glasses bowls forks spoons knives napkins eggs mugs")
_WH = ("what", "who", "where", "how", "when", "why", "which", "is", "can")
_MODAL = word_set("can could should must may will would might let's shall")


def _loosened(chunks: list[Chunk]) -> list[Chunk]:
    """ "You can to continue": learners' grammar."""
    result = list(chunks)
    last = len(chunks) - 1
    while last > 1 and chunks[last].kind == "BRK":
        last -= 1
    if last > 1 and chunks[last].key == "so" and chunks[last - 1].kind in ("O", "FLOAT", "HEAD"):
        result[last] = replace(chunks[last], kind="FLOAT")  # "I'll do the onions so"
    for index, chunk in enumerate(chunks[:-1]):
        following = chunks[index + 1]
        several = following.kind == "O" or (following.kind == "W" and following.key in _SEVERAL)
        if chunk.kind == "W" and chunk.key.isdigit() and several:
            result[index] = replace(chunk, kind="DET")  # "3 plates"
        if chunk.key in ("shut", "turn", "switch", "power") and following.kind == "A":
            off = chunks[index + 2] if index + 2 < len(chunks) else None
            if off is not None and off.key in ("off", "down"):  # "shut R1 down"
                halts = frozenset({("STOP", "base")})
                result[index] = replace(chunk, kind="V", key="stop", verb=(), classes=halts)
                result[index + 2] = replace(off, kind="FLOAT")
        asked = [c.kind for c in chunks[index : index + 5]]
        thinking = asked[:2] == ["do", "YOU"] and len(asked) == 5
        if thinking and chunks[index + 2].key == "think" and asked[4] in ("can", "could", "might"):
            for place in range(index, index + 3):  # "do you think you could"
                result[place] = replace(chunks[place], kind="FLOAT")
            result[index + 3], result[index + 4] = chunks[index + 4], chunks[index + 3]
        if chunk.key == "like" and chunks[index + 1].kind in _WH:
            result[index] = replace(
                chunk, kind="FLOAT", classes=frozenset()
            )  # "so like what's left"
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
        if chunk.key in ("hand", "hands") and result and result[-1].kind in ("DET", "ADJ", "no"):
            chunk = replace(chunk, kind="W", verb=(), classes=frozenset())
        if chunk.kind == "O" and result and result[-1].key in _OTHER_SORT:
            chunk = replace(chunk, kind="W", things=())  # "my skin cream"
        if chunk.kind in ("O", "R", "A", "ALL") and result:
            start = chunk.start
            ref = chunk.ref
            while result and _goes_before(result[-1], chunk, result[:-1]):
                before = result.pop()
                start = before.start
                if before.key in ("enough", "plenty of") or "too much" in before.key:
                    ref = "enough"
                elif chunk.kind == "O" and _PORTION & set(before.key.split()):
                    ref = "more"
            chunk = replace(chunk, start=start, ref=ref)
        elif chunk.key in _DEAR and result and result[-1].kind == "A":
            ends = index + 1 == len(chunks) or chunks[index + 1].kind == "BRK"
            if ends:
                continue  # "R1 love"
        elif chunk.kind == "HEAD" and result and result[-1].kind in ("O", "A", "ORD"):
            one = (chunk.key,) if chunk.key in ("one", "ones", "dish", "thing") else ()
            result[-1] = replace(result[-1], end=chunk.end, said=(*result[-1].said, *one))
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


_DEAR = word_set(
    "love dear darling mate pal honey buddy friend sweetheart pet hen duck chap boy sir dude bro "
    "man"
)
_OTHER_SORT = word_set("ice skin shaving sun face foot eye body bath epsom road hand cold night")
_PORTION = word_set("more extra pinch dash touch splash drop handful sprinkle drizzle bit little")


_WANTED = word_set(
    "asked ordered mentioned requested wanted needed talked spoke told said need want suggested "
    "proposed suggest propose listed recommended recommend planned"
)


def _without_relatives(chunks: list[Chunk]) -> list[Chunk]:
    """ "The salt I asked for", "the pepper that we wanted": what says which one is left out."""
    result: list[Chunk] = []
    index = 0
    while index < len(chunks):
        stop = index
        if chunks[index].key in ("that", "which") and chunks[index].kind in ("IT", "which", "W"):
            stop += 1
        after = bool(result) and stop + 1 < len(chunks)
        if after:
            kinds = ("O", "ORD") if chunks[stop].kind == "YOU" else ("O",)
            after = result[-1].kind in kinds
        if after and chunks[stop].kind in ("I", "WE", "YOU") and chunks[stop + 1].key in _WANTED:
            stop += 2
            while stop < len(chunks) and chunks[stop].kind in ("for", "about", "FLOAT", "of"):
                stop += 1
            if stop == len(chunks) or chunks[stop].kind in ("BRK", "and", "but"):
                index = stop
                continue
        result.append(chunks[index])
        index += 1
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
    contrast = index > 1 and chunks[index - 2].kind in ("not", "no")
    if contrast and comma and not joint:
        return None  # "not the pepper, the sauce"
    behind = chunks[stop + 1] if stop + 1 < len(chunks) else None
    if behind is None or joint:
        opens = index < 2 or chunks[index - 2].kind == "BRK" or chunks[index - 2].key in _OPENING
        apart = joint and kind == "O" and behind is not None and behind.key in _IS and not opens
        return None if apart else stop
    # by a comma alone only a list that goes on or ends there: "salt, pepper, bowl"
    return stop if kind == "O" and (behind.kind == "BRK" or behind.key in ("and", "or")) else None


_OPENING = word_set("yes no ok but and so")
_IS = frozenset({"is", "yes", "no", "can", "should", "needs"})

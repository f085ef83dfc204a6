"""Noun phrases: determiners, relative clauses and coordination."""

from __future__ import annotations

from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.nouns import (
    LYING,
    OTHER_SORT,
    OWNED,
    PORTION,
    SORTS_OF_TOOL,
    VESSELS,
    WANTED,
)
from treec.skills.kitchen.hearing.utensils import UTENSILS
from treec.skills.kitchen.hearing.words import word_set


def group_chunks(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks with noun phrases merged, and fillers marked as floating."""
    return _coordinate(
        _without_relatives(_with_determiners(_merge_motion_verbs(_normalize(chunks))))
    )


_SEVERAL = word_set("plates towels cups glasses bowls forks spoons knives napkins eggs mugs")
_WH = ("what", "who", "where", "how", "when", "why", "which", "is", "can")
_BUT = ("but", "except", "other than", "apart from", "besides", "than", "except for", "bar")
_BEFORE_NOUN = ("for", "with", "from", "of", "by", "off", "about")
_MODAL = word_set("can could should must may will would might let's shall")


def _normalize(chunks: list[Chunk]) -> list[Chunk]:
    """Normalizes learners' grammar and fixed phrases: "you can to continue"."""
    result = list(chunks)
    last = len(chunks) - 1
    while last > 1 and chunks[last].kind == "BRK":
        last -= 1
    if last > 1 and chunks[last].kind in ("after", "before") and chunks[last - 1].kind != "IT":
        result[last] = replace(chunks[last], kind="FLOAT")  # "the arm should stir after"
    if last > 1 and chunks[last].key == "so" and chunks[last - 1].kind in ("O", "FLOAT", "HEAD"):
        result[last] = replace(chunks[last], kind="FLOAT")  # "I'll do the onions so"
    for index, chunk in enumerate(chunks[:-1]):
        following = chunks[index + 1]
        several = following.kind == "O" or (following.kind == "W" and following.key in _SEVERAL)
        is_count = chunk.key == "one" and index and chunks[index - 1].kind == "V"
        if is_count and following.kind in ("W", "O"):
            result[index] = replace(chunk, kind="DET", ref="")  # "I need one towel"
        is_demonstrative = chunk.key in ("this", "that", "these", "those") and chunk.kind == "IT"
        if (
            is_demonstrative
            and following.kind == "W"
            and index
            and chunks[index - 1].kind in _BEFORE_NOUN
        ):
            result[index] = replace(chunk, kind="DET")  # "for this puddle"
        besides = [c.key for c in chunks[index + 1 : index + 3]]
        if chunk.kind == "SOMEONE" and besides[1:] == ["me"] and besides[0] in _BUT:
            result[index + 1] = replace(following, kind="FLOAT")  # "someone other than me"
            result[index + 2] = replace(chunks[index + 2], kind="FLOAT")
        if chunk.key == "each" and index and chunks[index - 1].kind in ("W", "O"):
            result[index] = replace(chunk, kind="FLOAT")  # "a plate each"
        if chunk.kind == "W" and chunk.key.isdigit() and several:
            result[index] = replace(chunk, kind="DET")  # "3 plates"
        if chunk.key in ("shut", "turn", "switch", "power") and following.kind == "A":
            off = chunks[index + 2] if index + 2 < len(chunks) else None
            if off is not None and off.key in ("off", "down"):  # "shut R1 down"
                halts = frozenset({("STOP", "base")})
                result[index] = replace(chunk, kind="V", key="stop", verb=(), classes=halts)
                result[index + 2] = replace(off, kind="FLOAT")
        kinds = [c.kind for c in chunks[index : index + 5]]
        thinking = kinds[:2] == ["do", "YOU"] and len(kinds) == 5
        if thinking and chunks[index + 2].key == "think" and kinds[4] in ("can", "could", "might"):
            for place in range(index, index + 3):  # "do you think you could"
                result[place] = replace(chunks[place], kind="FLOAT")
            result[index + 3], result[index + 4] = chunks[index + 4], chunks[index + 3]
        likely = [c.kind for c in chunks[index + 1 : index + 3]]
        if chunk.key == "chance" and index and likely[1:] and likely[1] in _MODAL:
            begins = index - 1 - 2 * (chunks[index - 2].kind in ("is", "there") and index > 2)
            if likely[0] in ("YOU", "SOMEONE", "A", "ALL"):  # "is there any chance you could"
                for place in range(begins, index + 1):
                    result[place] = replace(chunks[place], kind="FLOAT")
                result[index + 1 : index + 3] = chunks[index + 2], chunks[index + 1]
        dish = [c.key for c in chunks[index + 1 : index + 3]]
        if (
            chunk.key == "over"
            and chunk.kind == "FLOAT"
            and (
                following.kind in ("R", "IT")
                or (dish[:1] == ["the"] and dish[1:] in (["salad"], ["soup"]))
            )
        ):
            result[index] = replace(chunk, kind="onto", key="onto")  # "pour it over the salad"
        has_object = index > 0 and chunks[index - 1].kind in ("O", "IT")
        onto = following.kind == "O" or (dish[:1] == ["the"] and chunks[index + 1].kind == "DET")
        if chunk.key == "over" and chunk.kind == "FLOAT" and has_object and onto:
            result[index] = replace(chunk, kind="onto", key="onto")  # "… over the lettuce"
        if chunk.key == "like" and chunks[index + 1].kind in _WH:
            result[index] = replace(
                chunk, kind="FLOAT", classes=frozenset()
            )  # "so like what's left"
    for index in range(1, len(chunks) - 1):
        if chunks[index].kind == "be" and chunks[index - 1].kind == "will":
            ahead = chunks[index + 1]  # "I'll be needing the salt" as "I need the salt"
            classes = [name for name in ("NEED", "WANT") if ahead.of(name, "ing")]
            if classes:
                base = frozenset((name, "base") for name in classes)
                result[index + 1] = replace(ahead, key="need", verb=(), classes=base)
                result[index - 1] = replace(chunks[index - 1], kind="FLOAT")
                result[index] = replace(chunks[index], kind="FLOAT")
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


def _merge_motion_verbs(chunks: list[Chunk]) -> list[Chunk]:
    """ "Go and get", "nip over to the shelf and fetch": the second verb is the task."""
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
        is_joined = stop < len(chunks) and chunks[stop].kind in ("and", "to")
        stop += is_joined
        if stop < len(chunks) and (is_joined or stop == index + 1) and _base(chunks[stop]):
            for place in range(index, stop):
                result[place] = replace(chunks[place], kind="FLOAT")
    return result


def _base(chunk: Chunk) -> bool:
    return any(form == "base" for _, form in chunk.verb)


def _with_determiners(chunks: list[Chunk]) -> list[Chunk]:
    """Extend names by what precedes them in their noun phrase, and by a following "one"."""
    result: list[Chunk] = []
    for index, chunk in enumerate(chunks):
        if chunk.key in ("hand", "hands") and result and result[-1].kind in ("DET", "ADJ", "no"):
            chunk = replace(chunk, kind="W", verb=(), classes=frozenset())
        if chunk.kind == "A" and chunk.key in _ONES_OWN:
            chunk = replace(chunk, kind="W", agents=())  # "my arm aches"
        if chunk.kind == "O" and result and result[-1].key in OTHER_SORT:
            chunk = replace(chunk, kind="W", things=())  # "my skin cream"
        tool = chunk.kind == "W" and chunk.key in UTENSILS and bool(result)
        sort = tool and result[-1].key in SORTS_OF_TOOL
        if tool and not sort and (result[-1].verb or result[-1].key in OWNED):
            tool = False  # "the bottle is empty" tells of one
        tool |= chunk.key in VESSELS and chunk.kind == "O"
        if (chunk.kind in ("O", "R", "A", "ALL") or tool) and result:
            start = chunk.start
            ref = chunk.ref
            while result and (
                _goes_before(result[-1], chunk, result[:-1])
                or (tool and result[-1].key in SORTS_OF_TOOL)
            ):
                if tool and chunk.kind == "W" and result[-1].key in OWNED:
                    break  # "the chopping board is wet"
                if (
                    result[-1].kind == "ADJ"
                    and start < chunk.start
                    and chunks[index - 1].kind == "DET"
                ):
                    break  # "clean the pot"
                before = result.pop()
                start = before.start
                if before.key in ("enough", "plenty of") or "too much" in before.key:
                    ref = "enough"
                elif "last" in before.key.split():
                    ref = "last"
                elif chunk.kind == "O" and PORTION & set(before.key.split()):
                    ref = "more"
            chunk = replace(chunk, start=start, ref=ref)
        elif chunk.kind == "OTHERS" and _named_beside(result, chunks, index):
            continue  # "R2, sweetie, get the salt", "my friend R2"
        elif chunk.key in _DEAR and (name_end := _before_dear(result)):
            ends = index + 1 == len(chunks) or chunks[index + 1].kind == "BRK"
            if ends:
                del result[name_end:]
                continue  # "R1 love", "R1 my dear"
        elif chunk.kind == "HEAD" and result and result[-1].kind in ("O", "A", "ORD"):
            one = (chunk.key,) if chunk.key in ("one", "ones", "dish", "thing") else ()
            result[-1] = replace(result[-1], end=chunk.end, spoken=(*result[-1].spoken, *one))
            continue
        elif chunk.ref in ("both", "all") and _each(result):
            continue
        elif chunk.key == "'s" and result and result[-1].kind == "A":
            behind = chunks[index + 1].kind if index + 1 < len(chunks) else ""
            if behind in ("O", "HEAD"):
                continue
        if chunk.kind == "'s" and result and result[-1].kind in ("A", "O", "R", "ORD", "W", "V"):
            behind = chunks[index + 1].kind if index + 1 < len(chunks) else ""
            if behind not in ("O", "HEAD", "R", ""):
                chunk = replace(chunk, kind="is", key="is")
        result.append(chunk)
    return result


_DEAR = word_set(
    "love dear darling mate pal honey buddy friend sweetheart pet hen duck chap boy sir dude bro "
    "man guy lad sunshine champ fella bud pumpkin hero legend beauty genius angel treasure sweetie "
    "darling lovely gorgeous handsome boss chief champion star babe hun lass girl"
)
_FOND = word_set("my you old me our dear good little sweet big")


def _named_beside(before: list[Chunk], chunks: list[Chunk], index: int) -> bool:
    """Whether an endearment stands next to the name of its agent."""
    if chunks[index].key.split()[-1] not in _DEAR:
        return False
    behind = chunks[index + 1].kind if index + 1 < len(chunks) else "BRK"
    apart = bool(before) and before[-1].key == ","
    has_name = len(before) > apart and before[-1 - apart].kind == "A"
    return behind == "A" or (has_name and behind in ("BRK", "V", "can", "could"))


def _before_dear(before: list[Chunk]) -> int:
    """The end of what precedes an endearment, if that is an agent's name: "R1 my old …"."""
    stop = len(before)
    while stop and before[stop - 1].key in _FOND:
        stop -= 1
    return stop if stop and before[stop - 1].kind == "A" else 0


_ONES_OWN = ("my arm", "his arm", "her arm", "my left arm", "my right arm")


def _without_relatives(chunks: list[Chunk]) -> list[Chunk]:
    """ "The salt I asked for", "the pepper that we wanted": without the relative clause."""
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
        is_left_over = (
            stop > index and after and chunks[stop].kind in ("is", "are", "was", "were", "'s")
        )
        if is_left_over and chunks[stop + 1].key in LYING:
            stop += 2
            while stop < len(chunks) and chunks[stop].kind in ("FLOAT", "there", "here", "over"):
                stop += 1
            index = stop
            continue  # "the onions that are left over"
        if after and chunks[stop].kind in ("I", "WE", "YOU") and chunks[stop + 1].key in WANTED:
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
    """ "You both", "you may both": a floating quantifier."""
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


def _coordinate(chunks: list[Chunk]) -> list[Chunk]:
    """ "The salt, the pepper and the bowl" as one chunk; "or" makes it a choice."""
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
                    spoken=(*chunk.spoken, *other.spoken),
                )
                index = stop + 1
        result.append(chunk)
    return result


def _next_member(chunks: list[Chunk], index: int, kind: str) -> int | None:
    """The index of the next member of a coordination of names, if there is one."""
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
    if kind == "A" and behind is not None and _base(behind):
        chunks_before = [c for c in chunks[: index - 1] if c.kind not in ("BRK", "FLOAT")]
        orders = [
            c for c in chunks_before if c.kind == "V" and (c.verb or c.of("STOP") or c.of("GO"))
        ]
        if orders and chunks_before[-1].kind != "to" and chunks_before[-1].key not in _CAUSING:
            return None  # "keep stirring, arm, and R2 fetch the pepper"
    contrast = index > 1 and chunks[index - 2].kind in ("not", "no")
    if contrast and comma and not joint:
        return None  # "not the pepper, the sauce"
    behind = chunks[stop + 1] if stop + 1 < len(chunks) else None
    if behind is None or joint:
        opens = index < 2 or chunks[index - 2].kind == "BRK" or chunks[index - 2].key in _OPENING
        place = index - 2 - (index > 2 and chunks[index - 2].kind in ("with", "in", "into", "to"))
        bidden = place >= 0 and (_base(chunks[place]) or bool(chunks[place].classes))
        bidden = bidden or place < index - 2  # "put it in the bowl and the sauce has landed"
        apart = joint and kind == "O" and behind is not None and behind.key in _IS and not opens
        if joint and behind is not None and bidden and _starts_clause(chunks[place], behind):
            return None
        return None if apart else stop
    # a comma alone joins only a list that continues or ends there: "salt, pepper, bowl"
    return stop if kind == "O" and (behind.kind == "BRK" or behind.key in ("and", "or")) else None


_CAUSING = word_set("have let make get ask tell want need like help with for by")


def _starts_clause(chunk: Chunk, after: Chunk) -> bool:
    """ "Bring the salt and the onions are done", "halt the arm and R2 bring": a new clause."""
    halts = chunk.of("STOP", "base") or chunk.of("WAIT", "base") or chunk.of("GO", "base")
    if halts and _base(after):
        return True
    is_status = after.kind == "DONE" and after.key not in ("ready", "set", "through", "in place")
    return is_status or after.code in ("are", "have", "has", "was", "were", "could_do_with")


_OPENING = word_set("yes no ok but and so")
_IS = frozenset({"is", "yes", "no", "can", "should", "needs"})

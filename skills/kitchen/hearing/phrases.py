"""The complement of a verb: noun phrases with their prepositions, particles, the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.words import word_set

PREPOSITIONS = word_set(
    "to for with from into in on onto of at by about off out inside upon through as than"
)
"""Words that govern a noun phrase."""
ADJUNCTS = word_set("from at for by about as than of out off because")
"""Prepositions of adjuncts: source, beneficiary."""
_SHAPES = word_set("slices cubes chunks pieces rings halves strips wedges leaves cloves rounds")
SORTS = word_set(
    "red green yellow bell sea sweet baby cherry dried canned double sour whipped "
    "chili cayenne sun "
    "brown wild bitter iceberg smoked white blue purple"
)
"""Modifiers that make another thing of their noun."""


@dataclass(slots=True)
class Phrase:
    """The complement of a verb: noun phrases with their prepositions, particles, the rest."""

    nouns: list[tuple[str, Chunk]] = field(default_factory=list)
    particles: list[str] = field(default_factory=list)
    addressee: str | None = None
    loose: int = 0
    pronoun: bool = False
    unknown: str = ""
    to_speaker: bool = False


def phrase_of(
    chunks: Sequence[Chunk], dish: Collection[str], inward: Callable[[Chunk | None], bool]
) -> Phrase:
    """The phrase of the chunks behind a verb; `dish` are words of the current dish."""
    found = Phrase()
    joint = ""
    aside = 0
    for index, chunk in enumerate(chunks):
        behind = chunks[index + 1] if index + 1 < len(chunks) else None
        kind = chunk.kind
        if kind == "where":
            break
        if (
            kind == "V"
            and index
            and chunks[index - 1].kind in ("IT", "DET", "ADJ")
            and index > 1
            and chunks[index - 2].kind in PREPOSITIONS
        ):
            continue  # "with these hands"
        if kind == "in" and not found.nouns and inward(behind):
            found.particles.append("in")
            continue
        if (
            kind == "on"
            and not index
            and behind is not None
            and behind.kind == "O"
            and inward(behind)
        ):
            continue  # "pour on the dressing"
        if kind in PREPOSITIONS or kind in ("up", "away", "back", "down", "together", "over"):
            noun = behind is not None and behind.kind in (
                "O", "R", "IT", "W", "ORD", "DET", "ADJ", "I", "A", "THEY", "WE", "YOU", "there",
            )  # fmt: skip
            ends = index + 2 == len(chunks) and behind is not None and behind.kind == "A"
            if ends and kind in ("in", "on", "out", "off"):
                found.particles.append(kind)  # "throw them in R1"
            elif kind in ("out", "off") and not index:
                found.particles.append(kind)  # "rinse out that mug"
            elif kind in PREPOSITIONS and noun:
                joint = "into" if kind == "in" else kind
            elif kind in PREPOSITIONS and behind is not None and behind.kind in PREPOSITIONS:
                found.particles.append(kind)
            else:
                found.particles.append(kind)
                joint = ""
        elif chunk.key in (
            "through",
            "away",
            "back",
            "over",
            "down",
            "together",
            "along",
            "round",
            "apart",
        ):
            found.particles.append(chunk.key)
            joint = ""
        elif kind == "O":
            found.nouns.append((joint, chunk))
            joint = ""
        elif kind == "R" or (kind == "W" and chunk.key in dish):
            found.nouns.append((joint, replace(chunk, kind="DISH")))
            joint = ""
        elif kind in ("IT", "ORD", "HEAD"):
            if joint in ("", "of"):
                found.pronoun = True
            joint = ""
        elif kind in ("I", "WE", "YOU", "THEY"):
            found.to_speaker |= kind in ("I", "WE") and index == 0
            joint = ""
        elif kind == "A":
            if joint in ("", "to", "for", "by"):
                found.addressee = chunk.agents[0] if joint in ("", "by") else found.addressee
            joint = ""
        elif (
            kind == "DET" and behind is None and (len(chunk.key.split()) > 1 or chunk.key == "some")
        ):
            found.pronoun = True  # "add a good pinch"
        elif kind in ("DET", "ADJ", "there", "here", "ALL", "'s") or (
            kind == "W"
            and chunk.key
            in ("later", "tomorrow", "yet", "either", "anymore", "though", "altogether")
        ):
            continue
        elif kind == "W" and chunk.key in _SHAPES and index and chunks[index - 1].kind == "O":
            continue  # "the mango slices"
        elif kind == "W":
            if chunk.key in SORTS and behind is not None and behind.kind == "O":
                found.loose += 2
            aside += joint == "for"
            if joint not in ADJUNCTS or joint == "of":
                last = chunks[index - 1].kind if index else ""
                if last == "O" and found.nouns and found.nouns[-1][0] in ("", "into"):
                    found.nouns.pop()  # "the pepper grinder" is no pepper
                    found.loose += 2
                found.loose += 1
                found.unknown = found.unknown or chunk.key
        elif kind == "V" and joint in ("to", "for"):
            break  # a purpose: "for cooking", "to warm it"
        else:
            found.loose += 3
    if aside and not (found.nouns or found.pronoun or found.unknown):
        found.loose += 2 * aside  # "prepare for trouble"
    return found

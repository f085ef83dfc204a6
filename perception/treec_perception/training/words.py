"""The words for things in training pictures: names, and descriptions by colour and kind.

Some templates and some pairs of colour and kind are held out: no training text has them, so that
tests can ask for what was never said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from treec_perception.look_words import COLOURS, KINDS, words_of_kind
from treec_perception.negative_words import NOTHING

HELD_OUT_PAIRS = frozenset(
    {
        ("purple", "bottle"),
        ("red", "tin"),
        ("green", "jar"),
        ("blue", "round_food"),
        ("pink", "packet"),
        ("yellow", "bottle"),
    }
)
"""Colour and kind that no training text joins; each colour and each kind is said by itself."""

SEEN = (
    "{}",
    "a {}",
    "the {}",
    "a photo of {}",
    "a photo of a {}",
    "a picture of the {}",
    "the {} on the table",
    "find the {}",
    "some {}",
    "one {} among other things",
)
HELD_OUT = ("where is the {}", "an image that shows a {}", "pick up the {}", "my {}", "that {}")
"""Sentences that no training text has."""

STATES: Mapping[str, tuple[str, ...]] = {
    "upright": ("the {} stands upright", "the {} is upright", "an upright {}"),
    "lying": ("the {} lies on its side", "the {} has fallen over", "a {} on its side"),
    "hidden": ("another thing is in front of the {}", "something hides the {}"),
    "absent": ("there is no {}", "the {} is not here", "no {}"),
}
"""Sentences about the state of a thing."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a thing is called, its kind of body, and its colour, if the kind shows it."""

    names: tuple[str, ...]
    kind: str
    colour: str | None

    def phrases(self) -> tuple[str, ...]:
        """Return what it may be called, in no sentence."""
        return (*self.names, *self.descriptions())

    def descriptions(self) -> tuple[str, ...]:
        """Return its descriptions by kind and colour, but for held-out pairs."""
        words = words_of_kind(self.kind)
        if self.colour is None:
            return words
        if (self.colour, self.kind) in HELD_OUT_PAIRS:
            return words
        return tuple(f"{c} {w}" for w in words for c in COLOURS.get(self.colour, ()))


def matches(phrase: str, look: Look) -> bool:
    """Whether a phrase (in no sentence) means a thing that looks so."""
    if phrase in look.names:
        return True
    words = words_of_kind(look.kind)
    if phrase in words:
        return True
    if look.colour is None:
        return False
    return any(phrase == f"{c} {w}" for w in words for c in COLOURS.get(look.colour, ()))


def sentence(phrase: str, rng: np.random.Generator, *, held_out: bool = False) -> str:
    """Put a phrase into a sentence."""
    templates = HELD_OUT if held_out else SEEN
    return templates[int(rng.integers(len(templates)))].format(phrase)


def phrase_of(look: Look, rng: np.random.Generator) -> str:
    """Return one of the phrases for a thing: more often a name, if it has one."""
    described = look.descriptions()
    pool = look.names if look.names and (rng.random() < 0.6 or not described) else described
    return pool[int(rng.integers(len(pool)))]


def all_phrases(looks: Sequence[Look]) -> list[str]:
    """Return all training phrases: names, and descriptions by kind and colour."""
    found = {phrase for look in looks for phrase in look.phrases()}
    for kind in KINDS:
        for colour in COLOURS:
            found.update(Look((), kind, colour).descriptions())
    return sorted(found)


def corpus(looks: Sequence[Look]) -> Iterator[str]:
    """All training texts, for the tokenizer."""
    for phrase in all_phrases(looks):
        for template in SEEN:
            yield template.format(phrase)
    yield from NOTHING
    names = sorted({name for look in looks for name in look.names})
    for templates in STATES.values():
        yield from (template.format(name) for template in templates for name in names)

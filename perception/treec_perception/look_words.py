"""Words for kinds of bodies and for colours: in training, and where people speak of things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from treec_perception.vocabulary import look_of

if TYPE_CHECKING:
    from treec.files.view import View

KINDS: Mapping[str, tuple[str, ...]] = {
    "bottle": ("bottle",),
    "jar": ("jar", "shaker"),
    "tin": ("tin", "can", "soup can"),
    "packet": ("packet", "box", "carton"),
    "round_food": ("fruit", "ball", "round fruit"),
    "long_food": ("stick", "long vegetable"),
    "slice": ("slice", "slice of bread"),
    "bowl": ("bowl",),
    "pot": ("pot", "cooking pot"),
    "pan": ("pan", "frying pan"),
    "cup": ("cup", "mug"),
    "plate": ("plate", "dish"),
    "ladle": ("ladle",),
    "blender": ("blender", "mixer"),
    "knife": ("knife",),
}
"""Words for kinds of bodies; what is not here is furniture."""

COLOURS: Mapping[str, tuple[str, ...]] = {
    "red": ("red",),
    "orange": ("orange",),
    "yellow": ("yellow",),
    "green": ("green", "light green"),
    "dark green": ("dark green",),
    "blue": ("blue",),
    "purple": ("purple", "violet"),
    "brown": ("brown",),
    "pink": ("pink",),
    "white": ("white",),
    "cream": ("beige",),
    "grey": ("grey", "gray"),
    "black": ("black",),
}

_THING = ("{} thing", "{} one", "something {}")
"""What is said of a thing by its colour alone."""


def words_of_kind(kind: str) -> tuple[str, ...]:
    """Return what things of a kind of bodies are called; a kind of one's own by its name."""
    return KINDS.get(kind) or (kind.replace("_", " "),)


def described_things(view: View) -> dict[str, list[str]]:
    """Return the things of the scenes by what they may be called for their looks.

    By colour and kind, 'blue can', and by colour alone, 'something red', as the scene's files state
    them; what several things look like has several.
    """
    found: dict[str, list[str]] = {}
    for name, spec in view.objects.items():
        kind, colour = look_of(getattr(spec, "body", None)) or ("", None)
        kinds, shades = KINDS.get(kind, ()), COLOURS.get(colour or "", ())
        phrases = [f"{shade} {kind}" for shade in shades for kind in kinds]
        phrases += [said.format(shade) for shade in shades if kinds for said in _THING]
        for phrase in phrases:
            found.setdefault(phrase, []).append(name)
    return found


def things_of_kinds(view: View) -> dict[str, list[str]]:
    """Return the things of the scenes by words for their kinds alone, 'can'."""
    found: dict[str, list[str]] = {}
    for name, spec in view.objects.items():
        kind, _ = look_of(getattr(spec, "body", None)) or ("", None)
        for word in KINDS.get(kind, ()):
            found.setdefault(word, []).append(name)
    return found

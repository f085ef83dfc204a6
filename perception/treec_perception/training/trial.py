"""How well a scorer tells things apart on pictures that its training never had."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from treec_perception.crops import square_crop
from treec_perception.look_words import COLOURS, KINDS
from treec_perception.models import Models
from treec_perception.negative_words import NOTHING
from treec_perception.training.pictures import Annotation, read_annotations, read_picture
from treec_perception.training.words import HELD_OUT_PAIRS, Look

MARGIN = 0.15
CLEAR, LARGE = 0.5, 150
"""The share that may be hidden, and the least pixels, of things that are asked for."""


@dataclass(frozen=True)
class ScorerTrial:
    """Crops that were named right, of how many: by names that are new, and by those of before.

    ``looks`` are nameless things of random sizes, asked for by colour and kind among all others,
    ``unsaid`` those of them whose colour and kind no training text joins.
    """

    when: str
    new: tuple[int, int] = (0, 0)
    known: tuple[int, int] = (0, 0)
    looks: tuple[int, int] = (0, 0)
    unsaid: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        parts = {
            "new names": self.new,
            "known names": self.known,
            "by colour and kind": self.looks,
            "of these, pairs that no text had": self.unsaid,
        }
        told = ", ".join(f"{what} {right} of {of}" for what, (right, of) in parts.items())
        return f"{self.when}: {told}"


def try_scorer(
    when: str,
    folder: Path,
    pictures: Path,
    numbers: Iterable[int],
    looks: Sequence[Look],
    new: Collection[str],
) -> ScorerTrial:
    """Ask a scorer what crops of things show. Raises ModelUnavailable.

    A named thing's crop is compared with a name of every thing that is known, as in use; a nameless
    one's with all descriptions by colour and kind.
    """
    scorer = Models().scorer(str(folder))
    names = list(dict.fromkeys(look.names[0] for look in looks if look.names))
    described = {
        f"{shades[0]} {words[0]}": (kind, colour)
        for kind, words in KINDS.items()
        for colour, shades in COLOURS.items()
    }
    counts = {"new": [0, 0], "known": [0, 0], "looks": [0, 0], "unsaid": [0, 0]}
    for number in numbers:
        picture = read_picture(pictures, number)
        found = [it for it in read_annotations(pictures, number) if _is_clear(it)]
        for named, texts in ((True, [*names, *NOTHING]), (False, list(described))):
            own = [it for it in found if bool(it.look.names) is named]
            if not own:
                continue
            crops = [square_crop(picture, it.box, MARGIN) for it in own]
            asked = [f"a photo of {text}" for text in texts]
            best = scorer.similarities(crops, asked).argmax(axis=1)
            for it, at in zip(own, best, strict=True):
                look, said = it.look, texts[int(at)]
                if named:
                    groups = ["new" if look.names[0] in new else "known"]
                    right = said == look.names[0]
                else:
                    pair = (look.kind, look.colour)
                    groups = ["looks", *(["unsaid"] if pair[::-1] in HELD_OUT_PAIRS else [])]
                    right = described[said] == pair
                for group in groups:
                    counts[group][0] += right
                    counts[group][1] += 1
    return ScorerTrial(when, **{group: (right, of) for group, (right, of) in counts.items()})


def _is_clear(it: Annotation) -> bool:
    return it.hidden <= CLEAR and it.pixels >= LARGE

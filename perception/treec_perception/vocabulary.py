"""What the small weights know: the names, kinds and colours of things that their training had.

Plain data beside the weights (`known.json`), which the training writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from treec.files.modules import package_folder
from treec.frozen import frozen
from treec_perception.stages import SMALL, DetectStage, LocalizerStage, ScoreCropsStage, named

FILE = "known.json"

WEIGHTS = "treec_perception_weights"
"""The package of the small weights."""

ONLY = "trained on treec's simulated kitchens only"

_ARTICLES = frozenset(("a", "an", "the", "some", "one", "my", "this", "that"))

NEAR_KIND, NEAR_NAME = 0.6, 0.8
"""Cosines of vectors from which one phrase is asked for instead of another: a kind, a name.

Measured with all-MiniLM-L6-v2: none of 32 words for what no kitchen has reaches 0.58; "skillet" and
"pan" have 0.66. Names are nearer to one another: "hot sauce" and "tomato sauce" have 0.74.
"""

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""How like a phrase is to each of several (cosines of their vectors)."""

Look = tuple[str, str | None]
"""The kind of a thing's body, and its colour if its file states one."""


def look_of(body: Mapping[str, Any] | None) -> Look | None:
    """Return the kind of a body, and its colour if it is a text; None without a kind."""
    kind, colour = (body or {}).get("kind"), (body or {}).get("colour")
    return (kind, colour if isinstance(colour, str) else None) if isinstance(kind, str) else None


@frozen(slots=False)
class Vocabulary:
    """Names of things with their looks, and the words for kinds and colours."""

    names: Mapping[str, Look]
    kinds: Mapping[str, tuple[str, ...]]
    colours: Mapping[str, tuple[str, ...]]

    def asked(self, words: str) -> str | None:
        """Return the known phrase for words: 'onions' for 'an onion'; None if there is none."""
        phrase = plain(words)
        return self._by_singular.get(_singular(phrase)) or (
            phrase if phrase in self._looks else None
        )

    def nearest(self, words: str, likeness: Likeness | None) -> str | None:
        """Return a known phrase for words that are not known; None if none is near.

        The name with which they end, 'mug' of 'a coffee mug', or what is like them by the vectors
        of sentences, if there are any.
        """
        phrase = plain(words)
        names = sorted({name.lower() for name in self.names})
        parts = phrase.split()
        for first in range(1, len(parts)):
            if (end := " ".join(parts[first:])) in names:
                return end
        if likeness is None or not phrase:
            return None
        kinds = {word for of_kind in self.kinds.values() for word in of_kind}
        like = dict(zip(names, likeness(phrase, names), strict=True))
        enough = [it for it in names if like[it] >= (NEAR_KIND if it in kinds else NEAR_NAME)]
        return max(enough, key=like.__getitem__, default=None)

    def named_alike(self, phrase: str, name: str) -> bool:
        """Whether a known phrase is a thing's name, or both are words for one kind: mug and cup."""
        one, other = _singular(plain(phrase)), _singular(plain(name))
        kinds = [{_singular(word) for word in words} for words in self.kinds.values()]
        return one == other or any({one, other} <= words for words in kinds)

    def described(self, look: Look | None) -> str | None:
        """Return what a thing is called by its looks, 'red tin'; None for an unknown kind."""
        if look is None or look[0] not in self.kinds:
            return None
        colours = self.colours.get(look[1] or "", ())
        return " ".join((*colours[:1], self.kinds[look[0]][0]))

    def means(self, words: str, name: str, look: Look | None) -> bool:
        """Whether words may mean a thing of this name that looks so."""
        phrase = plain(words)
        if _singular(phrase) == _singular(plain(name)):
            return True
        return look is not None and any(
            kind == look[0] and colour in (None, look[1])
            for kind, colour in self._looks.get(phrase, ())
        )

    @cached_property
    def _by_singular(self) -> Mapping[str, str]:
        """The names, by their singulars in small letters."""
        return {_singular(name.lower()): name for name in reversed(list(self.names))}

    @cached_property
    def _looks(self) -> Mapping[str, Sequence[Look]]:
        """The looks that phrases such as 'red soup can' or 'mug' describe."""
        found: dict[str, list[Look]] = {}
        for kind, words in self.kinds.items():
            for word in words:
                found.setdefault(word, []).append((kind, None))
                for colour, shades in self.colours.items():
                    for shade in shades:
                        found.setdefault(f"{shade} {word}", []).append((kind, colour))
        return found


def small_folder(part: str) -> Path:
    """Return the folder of a small model: `detector` or `scorer`."""
    chosen = os.environ.get("TREEC_PERCEPTION_WEIGHTS")
    return (Path(chosen) if chosen else package_folder(WEIGHTS) or Path(WEIGHTS)) / part


def of_small_weights() -> Vocabulary | None:
    """Return what the small weights know; None if their folder does not say."""
    file = small_folder("scorer").parent / FILE
    return _read(file) if file.is_file() else None


@cache
def _read(file: Path) -> Vocabulary:
    known = json.loads(file.read_text("utf-8"))
    return Vocabulary(
        {name: (kind, colour) for name, kind, colour in known["names"]},
        {kind: tuple(words) for kind, words in known["kinds"].items()},
        {colour: tuple(words) for colour, words in known["colours"].items()},
    )


def plain(words: str) -> str:
    """Return words in small letters without an article in front."""
    split = words.lower().replace("_", " ").split()
    return " ".join(split[1:] if split[:1] and split[0] in _ARTICLES else split)


def _singular(phrase: str) -> str:
    return phrase[:-1] if phrase.endswith("s") and not phrase.endswith("ss") else phrase


def is_small(stages: list[LocalizerStage]) -> bool:
    """Whether what tells things apart is the small weights: the scorer, else the detector."""
    params = [named(stage)[1] for stage in stages]
    for kind in (ScoreCropsStage, DetectStage):
        models = [it.model for it in params if isinstance(it, kind)]
        if models:
            return SMALL in models
    return False

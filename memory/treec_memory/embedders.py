"""Embedders: a text becomes a vector of length 1, so that near vectors mean like texts.

The lexical embedder needs no download: it counts words and their parts of three to five characters
(hashed, so that nothing has to be learned), and so sees likeness of spelling, not of meaning.
"""

from __future__ import annotations

import math
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from treec.nodes.pairs import Embedder
from treec_memory.names import without_speakers
from treec_memory.vectors import unit

LEXICAL_SIZE = 384
"""Dimensions of the lexical embedder."""
_WORD = re.compile(r"\w+")
_PARTS = (3, 4, 5)
MAX_TEXT = 100_000
"""Characters of a text that are read, and that a key or an answer may have."""


class LexicalEmbedder:
    """Counts hashed words and parts of words; who speaks (`<Commander>`) is left out."""

    name = f"lexical-{LEXICAL_SIZE}-1"

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """See Embedder."""
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> array[float]:
        found = [0.0] * LEXICAL_SIZE
        for feature, count in Counter(_features(text[:MAX_TEXT])).items():
            number = zlib.crc32(feature.encode())
            weight = 1 + math.log(count)
            found[(number >> 1) % LEXICAL_SIZE] += weight if number & 1 else -weight
        return unit(found)


def _features(text: str) -> Iterator[str]:
    for word in _WORD.findall(without_speakers(text).lower()):
        yield f"w:{word}"
        padded = f" {word} "
        for size in _PARTS:
            for start in range(len(padded) - size + 1):
                yield padded[start : start + size]


class AutoEmbedder:
    """The sentence embedder of an installed wheel, else the lexical one."""

    def __init__(self) -> None:
        from treec_memory.models import installed_embedders

        self._chosen: Embedder = next(installed_embedders(), LexicalEmbedder())
        self.name = self._chosen.name

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """See Embedder."""
        return self._chosen.embed(texts)

    def of_memory(self, maker: str | None) -> Embedder:
        """The embedder of a memory whose pairs ``maker`` made (None: it is empty).

        That one, if it is installed.
        """
        from treec_memory.models import installed_embedders

        if maker in (None, self.name):
            return self._chosen
        known = (*installed_embedders(), LexicalEmbedder())
        return next((one for one in known if one.name == maker), self._chosen)


def open_embedder(name: str) -> Embedder:
    """The embedder of a name: auto, lexical, sentences[:FOLDER_OR_ID], litellm:PROVIDER/MODEL.

    Nothing is loaded before a text is embedded. Raises EmbedderFault.
    """
    from treec_memory.models import (
        CARRIERS,
        LITELLM,
        SENTENCES,
        EmbedderFault,
        LiteLlmEmbedder,
        SentenceEmbedder,
        installed_embedders,
    )

    if f"{name}:" == SENTENCES:
        found = next(installed_embedders(), None)
        if found is None:
            raise EmbedderFault(f"'sentences' needs {CARRIERS}, which is not installed")
        return found
    for prefix, kind in ((SENTENCES, SentenceEmbedder), (LITELLM, LiteLlmEmbedder)):
        if name.startswith(prefix) and name != prefix:
            return kind(name.removeprefix(prefix))
    if name not in EMBEDDERS:
        raise EmbedderFault(
            f"unknown embedder '{name}': auto, lexical, sentences, {SENTENCES}FOLDER (or a hub's "
            f"name), {LITELLM}PROVIDER/MODEL"
        )
    return EMBEDDERS[name]()


EMBEDDERS: dict[str, type[LexicalEmbedder] | type[AutoEmbedder]] = {
    "auto": AutoEmbedder,
    "lexical": LexicalEmbedder,
}
"""The embedders by the names that commands take."""

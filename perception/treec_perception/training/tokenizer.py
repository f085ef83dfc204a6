"""CLIP's tokenizer with a small vocabulary: byte pairs of the training texts.

The layout is that of CLIP's own: bytes, bytes that end a word, merges in their order, then the
start and the end of a text (the highest ids, by which the text towers find the end).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from tokenizers.pre_tokenizers import ByteLevel

START, END, END_OF_WORD = "<|startoftext|>", "<|endoftext|>", "</w>"
MERGES = 700
LENGTH = 16
"""Tokens of a text, as OWL-ViT has it."""


def learn_merges(texts: Iterable[str], count: int = MERGES) -> list[tuple[str, str]]:
    """Return the most frequent pairs, in the order in which they are merged."""
    words = Counter(word for text in texts for word in text.lower().split())
    pieces = {word: (*word[:-1], word[-1] + END_OF_WORD) for word in words}
    merges: list[tuple[str, str]] = []
    while len(merges) < count:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, parts in pieces.items():
            for pair in pairwise(parts):
                pairs[pair] += words[word]
        if not pairs:
            break
        best = max(sorted(pairs), key=pairs.__getitem__)
        merges.append(best)
        pieces = {word: _merged(parts, best) for word, parts in pieces.items()}
    return merges


def _merged(parts: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    found: list[str] = []
    at = 0
    while at < len(parts):
        if parts[at : at + 2] == pair:
            found.append("".join(pair))
            at += 2
        else:
            found.append(parts[at])
            at += 1
    return tuple(found)


def vocabulary(merges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the token ids."""
    alphabet = sorted(ByteLevel.alphabet())
    tokens = [*alphabet, *(letter + END_OF_WORD for letter in alphabet)]
    tokens += dict.fromkeys("".join(pair) for pair in merges)
    return {token: at for at, token in enumerate([*tokens, START, END])}


def make_tokenizer(texts: Iterable[str]) -> Any:
    """Return a `transformers.CLIPTokenizer` of the texts' words; it pads with token 0."""
    from transformers import CLIPTokenizer

    merges = learn_merges(texts)
    return CLIPTokenizer(
        vocab=vocabulary(merges),
        merges=merges,  # pairs are what its byte-pair model takes
        pad_token="!",
        model_max_length=LENGTH,
    )


def save_published_layout(tokenizer: Any, folder: Path) -> None:
    """Write ``vocab.json`` and ``merges.txt`` beside ``tokenizer.json``, as OpenAI's folder has."""
    model = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"], ensure_ascii=False), "utf-8")
    pairs = [it if isinstance(it, str) else " ".join(it) for it in model["merges"]]
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *pairs]) + "\n", "utf-8")

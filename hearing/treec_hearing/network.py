"""A small network that scores the candidates of an utterance; numpy runs it.

The words, in which names are replaced by their types, go through a GRU in both directions. For each
candidate a convolution sees how the words relate to it, and attention picks the words that matter;
then the candidates attend to each other, since one often rules out another. `training.py` fits it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.team.spoken_words import SpokenWord
from treec.team.talk import TalkContext
from treec_hearing.candidates import Candidate, CandidateNames, CandidateScore, candidates
from treec_hearing.choice import choose
from treec_hearing.ear import LONGEST, Ear
from treec_hearing.encoder import WordEncoder, load_encoder
from treec_hearing.heard import FoundAct
from treec_hearing.mentioned_names import MentionedNames
from treec_hearing.mentions import Mentions
from treec_hearing.network_error import NetworkError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

TRIGRAMS = 2048
"""Buckets of parts of words."""
MARKS = 9
HEADS = 4
FLAGS = 4
"""Numbers beside each word: what stands before it, whether it is a task's verb (2: as in an order),
whether it is part of a recipe's name, and of a thing's."""
BEGIN, QUESTION = "<begin>", "<question>"
_HELP = "experiments.hearing.train, in the repository of treec, writes such a file"
_LAYERS = ("query", "join", "compare", "compared", "last", "out")
_GRU = [f"{way}.{part}" for way in ("forward", "backward") for part in ("in", "recur")]
_NEEDED = frozenset(
    {"words", "trigrams", "flags", "signs", "words.conv", "marks.conv", "conv.bias"}
    | {name + end for name in (*_GRU, *_LAYERS) for end in ("", ".bias")}
)
_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class EncodedWords:
    """The words of an utterance as the network sees them; the first stands for the whole."""

    words: tuple[str, ...]
    flags: tuple[tuple[int, ...], ...]


def encode(words: Sequence[SpokenWord], names: MentionedNames, text: str) -> EncodedWords:
    """Replace names by their types, and say what else is known of each word."""
    user = names.context.user
    agents = {at for name, places in names.agents.items() if name != user for at in places}
    recipes = _places(names.recipes)
    recipe_parts, parts, verbs = map(_places, (names.recipe_parts, names.parts, names.tasks))
    question = "?" in text
    found = [QUESTION if question else BEGIN]
    flags: list[tuple[int, ...]] = [(3, 3 * question, 0, 0)]
    for at, word in enumerate(words):
        sort = "[thing]" * (at in names.named) or "[recipe]" * (at in recipes)
        found.append(sort or "[agent]" * (at in agents) or word.text)
        verb = (at in verbs) + (at in names.base_verbs)
        flags.append((min(word.breaks, 2), verb, int(at in recipe_parts), int(at in parts)))
    return EncodedWords(tuple(found), tuple(flags))


def network_input(
    ear: Ear, text: str, context: TalkContext
) -> tuple[EncodedWords, list[Candidate]]:
    """What a network sees of a text: its words and its candidates."""
    mentions = ear.mentions(text[:LONGEST], context)
    names = CandidateNames(mentions)
    return encode(mentions.words, names, text), candidates(names)


def _places(of: Mapping[str, set[int]]) -> set[int]:
    return set().union(*of.values())


@cache
def trigrams(word: str) -> tuple[int, ...]:
    """The buckets of a word's parts of three and four characters; a type has none."""
    if word[0] in "[<":
        return ()
    whole = f"<{word}>"
    sizes = [(size, at) for size in (3, 4) for at in range(len(whole) - size + 1)]
    return tuple(zlib.crc32(whole[at : at + size].encode()) % TRIGRAMS for size, at in sizes)


def signs_of(candidate: Candidate) -> list[str]:
    """The signs of a candidate with its kind, which is a sign itself."""
    return [f"{candidate.kind}:{sign}" for sign in ("", *candidate.signs)]


def read_network(path: Path) -> Network:
    """The network of a file, read once as long as the file stays. Raises NetworkError."""
    try:
        state = path.stat()
    except OSError as error:
        why = f"the network {path} cannot be read ({error.strerror}); {_HELP}"
        raise NetworkError(why) from error
    return _read_network(path, state.st_mtime_ns, state.st_size)


@cache
def _read_network(path: Path, *of_file: int) -> Network:
    import numpy as np

    from treec.arrays import read_arrays

    try:
        arrays = read_arrays(path)
        about = json.loads(bytes(arrays.pop("about")).decode())
        weights = {name: array.astype(np.float32) for name, array in arrays.items()}
        if missing := sorted(_NEEDED - weights.keys()):
            raise ValueError(f"{missing[0]} is missing")
        encoder = about.get("encoder")
        under = None if encoder is None else load_encoder(path.parent / encoder)
        _check_shapes(weights, len(about["words"]), len(about["signs"]), under)
        return Network(weights, about, under)
    except NetworkError:
        raise
    except _DAMAGED as error:
        raise NetworkError(f"the network {path} cannot be read ({error}); {_HELP}") from error


def _check_shapes(
    weights: Mapping[str, Array], words: int, signs: int, encoder: WordEncoder | None
) -> None:
    """Check that the layers fit each other and are finite numbers. Raises ValueError."""
    import numpy as np

    width, conv, size = (weights[name].shape[-1] for name in ("words", "conv.bias", "join.bias"))
    sign, state = weights["signs"].shape[-1], len(weights["forward.recur"])
    layers: dict[str, tuple[int, int]] = {
        "query": (sign, conv),
        "join": (2 * conv + sign + 2 * state, size),
        "compare": (size, 3 * size),
        "compared": (size, size),
        "last": (size, size),
        "out": (size, 2),
        **{f"{way}.in": (width, 3 * state) for way in ("forward", "backward")},
        **{f"{way}.recur": (state, 3 * state) for way in ("forward", "backward")},
    }
    shapes: dict[str, tuple[int, ...]] = {
        "words": (words, width),
        "trigrams": (TRIGRAMS, width),
        "flags": (FLAGS, 4, width),
        "signs": (signs, sign),
        "words.conv": (6 * state, conv),
        "marks.conv": (3 * MARKS, conv),
        "conv.bias": (conv,),
        **({} if encoder is None else {"encoder": (encoder.size, width)}),
        **layers,
        **{f"{name}.bias": (outputs,) for name, (_, outputs) in layers.items()},
    }
    for name, shape in shapes.items():
        if weights[name].shape != shape:
            raise ValueError(f"'{name}' has the shape {weights[name].shape}, and {shape} is needed")
        if not np.isfinite(weights[name]).all():
            raise ValueError(f"'{name}' holds values that are not finite")
    if size % HEADS:
        raise ValueError(f"'join' has {size} outputs, which {HEADS} heads cannot share")


class Network:
    """The network with its weights, and what is said about them: words, signs, how it was made.

    `encoder` is the pretrained one under it, if it was fitted with one.
    """

    def __init__(
        self,
        weights: Mapping[str, Array],
        about: Mapping[str, Any],
        encoder: WordEncoder | None = None,
    ) -> None:
        self.weights, self.about, self.encoder = weights, about, encoder
        self.words = {word: number for number, word in enumerate(self.about["words"])}
        self.signs = {sign: number for number, sign in enumerate(self.about["signs"])}
        self.kinds = frozenset(sign.partition(":")[0] for sign in self.signs)

    def choose(
        self,
        mentions: Mentions,
        text: str,
        joins: frozenset[str],
        needed: Callable[[str, int], float],
        said: Sequence[FoundAct] = (),
    ) -> list[FoundAct]:
        """See ActScorer."""
        names = CandidateNames(mentions)
        found = candidates(names)
        scores = self.scores(encode(mentions.words, names, text), found)
        return choose(scores, found, names, mentions, joins, needed, said)

    def scores(self, encoded: EncodedWords, found: Sequence[Candidate]) -> list[CandidateScore]:
        """The scores of the candidates, in their order."""
        import numpy as np

        if not found:
            return []
        w = self.weights
        hidden = self._context(self._embedded(encoded))
        whole = hidden.max(axis=0)
        marks = np.zeros((len(found), len(encoded.words), MARKS), np.float32)
        signs = np.zeros((len(found), w["signs"].shape[1]), np.float32)
        for number, one in enumerate(found):
            for at, mark in one.marks:
                marks[number, at + 1, mark] = 1
            known = [self.signs[sign] for sign in signs_of(one) if sign in self.signs]
            signs[number] = w["signs"][known].sum(axis=0)
        seen = _windows(hidden[None]) @ w["words.conv"] + _windows(marks) @ w["marks.conv"]
        seen = np.maximum(seen + w["conv.bias"], 0)
        query = signs @ w["query"] + w["query.bias"]
        attention = _softmax((seen @ query[:, :, None])[:, :, 0] / np.sqrt(seen.shape[2]))
        pooled = (attention[:, None, :] @ seen)[:, 0]
        every = [pooled, seen.max(axis=1), signs, np.repeat(whole[None], len(found), 0)]
        values = np.maximum(np.concatenate(every, axis=1) @ w["join"] + w["join.bias"], 0)
        values = values + self._compared(values)
        values = values + np.maximum(values @ w["last"] + w["last.bias"], 0)
        logits = values @ w["out"] + w["out.bias"]
        chances = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        best = np.maximum(attention[:, 1:].argmax(axis=1), 0) if attention.shape[1] > 1 else [0]
        return [
            CandidateScore(round(float(one[0]), 3), round(float(one[1]), 3), int(word))
            for one, word in zip(chances, best, strict=False)
        ]

    def _embedded(self, encoded: EncodedWords) -> Array:
        w = self.weights
        rows = []
        for word, flags in zip(encoded.words, encoded.flags, strict=True):
            row = w["words"][self.words.get(word, 0)] + w["trigrams"][[*trigrams(word)]].sum(axis=0)
            for number, flag in enumerate(flags):
                row = row + w["flags"][number, flag]
            rows.append(row)
        import numpy as np

        found: Array = np.stack(rows)
        if self.encoder is not None:
            found = found + self.encoder(encoded.words) @ w["encoder"]
        return found

    @cached_property
    def _recur(self) -> dict[str, list[Array]]:
        """The recurrent weights of each direction by gates.

        A BLAS library puts larger products on several threads, which wait for each other where the
        processor is busy.
        """
        import numpy as np

        ways = ("forward", "backward")
        gates = {way: np.split(self.weights[f"{way}.recur"], 3, axis=1) for way in ways}
        return {way: [np.ascontiguousarray(one) for one in parts] for way, parts in gates.items()}

    def _context(self, inputs: Array) -> Array:
        """A GRU in both directions; its outputs side by side."""
        import numpy as np

        outputs = []
        for way in ("forward", "backward"):
            steps = inputs if way == "forward" else inputs[::-1]
            given = steps @ self.weights[f"{way}.in"] + self.weights[f"{way}.in.bias"]
            bias, parts = self.weights[f"{way}.recur.bias"], self._recur[way]
            size = len(parts[0])
            state = np.zeros(size, np.float32)
            found = []
            for row in given:
                own = np.concatenate([state @ part for part in parts]) + bias
                gates = 0.5 + 0.5 * np.tanh((row[: 2 * size] + own[: 2 * size]) / 2)
                new = np.tanh(row[2 * size :] + gates[:size] * own[2 * size :])
                state = new + gates[size:] * (state - new)
                found.append(state)
            outputs.append(np.stack(found if way == "forward" else found[::-1]))
        return np.concatenate(outputs, axis=1)

    def _compared(self, values: Array) -> Array:
        """What each candidate learns from the others."""
        import numpy as np

        w = self.weights
        count, size = values.shape
        parts = (values @ w["compare"] + w["compare.bias"]).reshape(count, 3, HEADS, size // HEADS)
        query, key, value = parts.transpose(1, 2, 0, 3)
        near = _softmax(query @ key.transpose(0, 2, 1) / np.sqrt(size / HEADS))
        joined = (near @ value).transpose(1, 0, 2).reshape(count, size)
        found: Array = joined @ w["compared"] + w["compared.bias"]
        return found


def _windows(rows: Array) -> Array:
    """Each row with its neighbours: (count, words, n) → (count, words, 3 n)."""
    import numpy as np

    around = np.pad(rows, ((0, 0), (1, 1), (0, 0)))
    return np.concatenate([around[:, :-2], around[:, 1:-1], around[:, 2:]], axis=2)


def _softmax(values: Array) -> Array:
    import numpy as np

    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    total: Array = powers / powers.sum(axis=-1, keepdims=True)
    return total

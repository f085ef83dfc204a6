"""Fits `hearing.choosing` to open phrases that grammar and kind_model.json never saw.

`python -m tests.talk.train_choosing --write` writes reranking.json; before, it says, by five-fold
cross-validation, how many phrases are read right with and without a choice. A softmax over the
readings of each phrase, by Adam from zero: the same phrases, the same weights. What is fitted here
must be unseen by the authors of the grammar and by kind_model.json: for phrases they have seen,
the utterance's own reading is always right, and nothing is learned.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tests.talk.adam import Adam
from tests.talk.corpus import HERE, Phrase, load, moment
from tests.talk.corpus import Act as Meant
from tests.talk.score import HARMFUL, key, keys
from treec import TalkContext
from treec.skills.kitchen.hearing import reranking
from treec.skills.kitchen.talk import readings

ROUNDS = frozenset({9, 12})
STEPS = 600
RATE = 0.05
DECAY = 1e-3
FOLDS = 5
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A phrase's readings: their features (readings × features), and which are right."""

    values: Array
    right: Array
    harm: Array
    chat: bool


def weighed(phrase: Phrase, names: dict[str, int]) -> Sample:
    """The readings of a phrase; names gain what is new."""
    context: TalkContext = moment(phrase.context)
    found, chances, reader = readings(phrase.text, context)
    meant = {keys(map(key, reading)) for reading in phrase.readings}
    kinds = {act.kind for reading in phrase.readings for act in reading}
    seen = reranking.features(found, chances, reader.heard, context)
    for name in (name for features in seen for name in features):
        names.setdefault(name, len(names))
    rows = np.array([[features.get(name, 0.0) for name in names] for features in seen])
    said = [keys(key(Meant(a.kind, a.fields)) for a in reading.acts) for reading in found]
    right = np.array([one in meant for one in said], dtype=float)
    harm = np.array([bool(r.kinds & set(HARMFUL) - kinds) for r in found], dtype=float)
    return Sample(rows, right, harm, phrase.theme == "chat")


def widened(sample: Sample, width: int) -> Sample:
    """The sample with nothing for features that came up later."""
    missing = width - sample.values.shape[1]
    return replace(sample, values=np.pad(sample.values, ((0, 0), (0, missing))))


def fit(samples: Sequence[Sample]) -> Array:
    """The weights that make the right readings likeliest."""
    use = [s for s in samples if s.right.any() and len(s.right) > 1]
    weights = np.zeros(samples[0].values.shape[1])
    adam = Adam(weights, RATE)
    for _ in range(1, STEPS):
        slope = DECAY * weights
        for sample in use:
            sums = sample.values @ weights
            shares = np.exp(sums - sums.max())
            shares /= shares.sum()
            meant = shares * sample.right
            slope = slope + sample.values.T @ (shares - meant / meant.sum()) / len(use)
        adam.step(slope)
    return weights


def chosen(sample: Sample, weights: Array, margin: float) -> int:
    """The reading that these weights choose, as `reranking.chosen` does."""
    sums = sample.values @ weights
    best = int(sums.argmax())
    return best if sums[best] - sums[0] > margin else 0


def tried(samples: Sequence[Sample]) -> str:
    """How many are right by five-fold cross-validation, at some margins."""
    order = np.random.default_rng(0).permutation(len(samples))
    weights = {
        fold: fit([samples[i] for i in order if i not in set(order[fold::FOLDS])])
        for fold in range(FOLDS)
    }
    own = sum(bool(s.right[0]) for s in samples)
    lines = [f"{len(samples)} phrases, {own} right without a choice; with one, by margin:"]
    for margin in (0.0, 0.5, 1.0, 1.5, 2.0):
        right = broken = bad = 0
        for fold in range(FOLDS):
            for sample in (samples[i] for i in order[fold::FOLDS]):
                found = chosen(sample, weights[fold], margin)
                right += bool(sample.right[found])
                broken += bool(sample.right[0]) and not sample.right[found]
                bad += bool(sample.harm[found]) and sample.chat
        lines.append(f"{margin:3.1f}: {right} right, {broken} broken, {bad} harm in chat")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write reranking.json")
    given = parser.parse_args()
    names: dict[str, int] = {}
    rows = [weighed(phrase, names) for phrase in load(HERE / "rounds") if phrase.round in ROUNDS]
    samples = [
        replace(s, values=np.pad(s.values, ((0, 0), (0, len(names) - s.values.shape[1]))))
        for s in rows
    ]
    print(tried(samples))
    if given.write:
        found = {name: round(float(w), 2) for name, w in zip(names, fit(samples), strict=True)}
        text = json.dumps(dict(sorted(found.items())), indent=1) + "\n"
        reranking.WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

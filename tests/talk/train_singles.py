"""Fit `act_model.bin` and `arbitration.json` of `treec.skills.kitchen.hearing` to the open half.

`python -m tests.talk.train_singles --write` takes some ten minutes (`-j 2`: half), most of it to
read ten thousand phrases by the grammar. The single acts: logistic regression over their signs, by
Adam from zero, weights in bytes. Between the grammar and them: logistic regression over phrases of
`OTHERS` rounds on which just one of the two is right, with odds from a fit without the phrase
(`FOLDS` parts); before it writes, it says by cross-validation what that gains and breaks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array, vstack

from tests.talk.adam import Adam
from tests.talk.corpus import HERE, Phrase, load, moment, split
from tests.talk.train import OTHERS
from treec.skills.kitchen.hearing import act_model, arbitration
from treec.skills.kitchen.hearing.act_features import SIZE, ActFeatures
from treec.skills.kitchen.hearing.act_model import CLEAR, likeliest
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.arbitration import HARMFUL, MARGIN, SAFE, open_to_doubt
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.kind_model import state
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.reranking import choose_reading
from treec.skills.kitchen.hearing.single_acts import Single, possible, singles
from treec.skills.kitchen.hearing.trust import is_trusted
from treec.skills.kitchen.talk import readings

FOLDS = 3
STEPS = 100
RATE = 0.3
SEEN = 3
"""A sign counts from so many single acts on."""
SCALE = 12
LEAST = 3e-3
Weights = NDArray[np.float32]
Meant = frozenset[Single]


@dataclass(frozen=True, slots=True)
class Row:
    """What is fitted of a phrase: its single acts with their signs, and what the grammar reads."""

    phrase: Phrase
    acts: tuple[Single, ...]
    signs: tuple[NDArray[np.int32], ...]
    readings: tuple[Meant, ...]
    read: tuple[HeardAct, ...]
    own: Meant
    chunks: tuple[Chunk, ...]
    doubt: bool
    meant: tuple[Meant, ...]


def row(phrase: Phrase) -> Row:
    """Reads one phrase in its moment."""
    context = moment(phrase.context)
    found, chances, reader = readings(phrase.text, context)
    acts = choose_reading(found, chances, reader.heard, context).acts
    read = tuple(singles(reading.acts) for reading in found)
    signs = ActFeatures(reader.heard, state(context))
    every = possible(reader.heard, reader.refs, [singles(acts), *read])
    return Row(
        phrase,
        tuple(seen.single for seen in every),
        tuple(np.array(sorted(signs.of(seen)), dtype=np.int32) for seen in every),
        read,
        tuple(acts),
        singles(acts),
        tuple(reader.heard),
        open_to_doubt(acts, found, reader),
        tuple(singles(reading) for reading in phrase.readings),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """Single acts × signs; which are meant, and how much each counts; the row of each."""

    values: csr_array
    right: Weights
    counts: Weights
    rows: NDArray[np.int64]


def table(rows: Sequence[Row]) -> Table:
    """All single acts of these phrases; what only another reading has counts neither way."""
    signs = [one for it in rows for one in it.signs]
    lengths = np.array([len(one) for one in signs])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    data = np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32)
    values = csr_array((data, np.concatenate(signs), starts), (len(signs), SIZE))
    right = [one in it.meant[0] for it in rows for one in it.acts]
    maybe = [any(one in other for other in it.meant[1:]) for it in rows for one in it.acts]
    counts = [float(is_right or not may) for is_right, may in zip(right, maybe, strict=True)]
    where = np.repeat(np.arange(len(rows)), [len(it.acts) for it in rows])
    return Table(values, np.array(right, np.float32), np.array(counts, np.float32), where)


def fit(every: Table) -> tuple[Weights, float]:
    """Weights of all signs, and the bias."""
    kept = np.flatnonzero(np.bincount(every.values.indices, minlength=SIZE) >= SEEN)
    x = every.values[:, kept].tocsr()
    back = x.T.tocsr()
    weights, bias = np.zeros(len(kept), np.float32), np.float32(-2)
    adam = Adam(weights, RATE, new=0.01, tiny=1e-7)
    total = every.counts.sum()
    for _ in range(1, STEPS):
        error = (1 / (1 + np.exp(-(x @ weights + bias))) - every.right) * every.counts
        adam.step(back @ error / total)
        bias -= RATE * 3 * error.sum() / total
    full = np.zeros(SIZE, np.float32)
    full[kept] = weights
    return full, float(bias)


def whole(weights: Weights) -> NDArray[np.int8]:
    """The weights as they are kept."""
    kept: NDArray[np.int8] = np.clip(np.rint(weights * SCALE), -127, 127).astype(np.int8)
    return kept


def odds(
    rows: Sequence[Row], every: Table, weights: Weights, bias: float
) -> list[dict[Single, float]]:
    """The odds of each phrase's single acts, as `act_model.odds` tells them."""
    total = every.values @ (whole(weights).astype(np.float32) / SCALE) + bias
    found: list[dict[Single, float]] = [{} for _ in rows]
    singles_of = (one for it in rows for one in it.acts)
    for at, one, value in zip(every.rows, singles_of, total, strict=True):
        found[at][one] = float(np.clip(value, -CLEAR, CLEAR))
    return found


def unseen_odds(others: Table, rows: Sequence[Row], every: Table) -> list[dict[Single, float]]:
    """The odds in each phrase by a fit to all others' parts."""
    found: list[dict[Single, float]] = [{} for _ in rows]
    for fold in range(FOLDS):
        kept = every.rows % FOLDS != fold
        part = Table(
            csr_array(vstack([others.values, every.values[np.flatnonzero(kept)]])),
            np.concatenate([others.right, every.right[kept]]),
            np.concatenate([others.counts, every.counts[kept]]),
            every.rows[kept],
        )
        for at, one in enumerate(odds(rows, every, *fit(part))):
            if at % FOLDS == fold:
                found[at] = one
        print(f"fold {fold + 1} of {FOLDS} fitted", file=sys.stderr)
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    """A phrase on which the two differ: what is weighed, which is right, whether it needs more."""

    seen: Mapping[str, float]
    own: bool
    other: bool
    harm: bool
    false: frozenset[str]


def pairs(rows: Sequence[Row], chances: Sequence[Mapping[Single, float]]) -> list[Pair]:
    """Where what is learned differs from what the grammar reads."""
    found = []
    for it, odds_of in zip(rows, chances, strict=True):
        other = likeliest(odds_of)
        if not it.doubt or other == it.own or _trusted(it, other):
            continue
        seen = arbitration.features((it.own, other), odds_of, it.readings, it.chunks)
        kinds = {str(one[0]) for one in other}
        harm = kinds & HARMFUL - {one[0] for one in it.own}
        real = {one[0] for reading in it.meant for one in reading}
        chat = harm - real if it.phrase.theme == "chat" else set()
        pair = Pair(seen, it.own in it.meant, other in it.meant, bool(harm), frozenset(chat))
        found.append(pair)
    return found


def _trusted(it: Row, other: Meant) -> bool:
    refs = Reader(moment(it.phrase.context)).refs
    return is_trusted(it.read, it.own, other, it.chunks, refs)


def between(every: Sequence[Pair]) -> dict[str, float]:
    """The weights between the two readings."""
    use = [pair for pair in every if pair.own != pair.other]
    names = sorted({name for pair in use for name in pair.seen})
    x = np.array([[pair.seen.get(name, 0.0) for name in names] for pair in use])
    y = np.array([float(pair.other) for pair in use])
    spread = x.std(0) + 1e-9
    spread[names.index("always")] = 1.0
    scaled = x / spread

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total = scaled @ weights
        slope = scaled.T @ (1 / (1 + np.exp(-total)) - y) / len(y) + 2 * LEAST * weights
        value = (np.logaddexp(0, total) - y * total).mean() + LEAST * (weights @ weights)
        return float(value), slope

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x / spread
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True)}


def tried(every: Sequence[Pair]) -> str:
    """What the choice mends and breaks, by ten-fold cross-validation."""
    count: Counter[str] = Counter()
    for fold in range(10):
        weights = between([pair for at, pair in enumerate(every) if at % 10 != fold])
        for pair in every[fold::10]:
            total = sum(weights.get(name, 0.0) * value for name, value in pair.seen.items())
            if total > (SAFE if pair.harm else MARGIN):
                count["mended"] += pair.other and not pair.own
                count["broken"] += pair.own and not pair.other
                count["harm in chat"] += bool(pair.false)
    return ", ".join(f"{name} {count[name]}" for name in ("mended", "broken", "harm in chat"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the two files")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes that read")
    given = parser.parse_args()
    phrases = split(load(HERE / "rounds"))["seen"]
    rows: list[Row] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for one in pool.map(row, phrases, chunksize=50):
            rows.append(one)
            if len(rows) % 500 == 0:
                print(f"{len(rows)} of {len(phrases)} phrases read", file=sys.stderr)
    unseen = [one for one in rows if one.phrase.round in OTHERS]
    others = table([one for one in rows if one.phrase.round not in OTHERS])
    every = table(unseen)
    compared = pairs(unseen, unseen_odds(others, unseen, every))
    print(f"{len(unseen)} unseen phrases, {len(compared)} read in two ways: {tried(compared)}")
    if given.write:
        weights, bias = fit(table(rows))
        act_model.WEIGHTS.write_bytes(act_model.pack(whole(weights).tolist(), SCALE, bias))
        text = json.dumps(between(compared), indent=1) + "\n"
        arbitration.WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Fits `hearing.kind_model` to the open half of the corpus and the grammar's own tables.

`python -m tests.talk.train --write` writes kind_model.json; without `--write` it is compared
with the file. One logistic regression per kind, Adam from zero: same phrases, same weights.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from tests.skills.kitchen import hearing
from tests.talk.adam import Adam
from tests.talk.corpus import HERE, KINDS, Phrase, load, moment, split
from treec.skills.kitchen.hearing.kind_model import WEIGHTS, features
from treec.skills.kitchen.hearing.reader import Reader

SCALE = 10
SEEN_TWICE = 2
STEPS = 400
DECAY = 3e-6
RATE = 0.05
OTHERS = frozenset({9, 12, 14, 15})
"""Rounds kept for `train_choosing` and `train_singles`, which must see how kind_model.json handles
unseen words.
"""
Sample = tuple[str, str, frozenset[str]]
"""A phrase, its moment, and the kinds of acts that it is."""


def seen(text: str, where: str) -> set[str]:
    """A phrase's features in its moment."""
    context = moment(where)
    return features(Reader(context).chunks(text), context)


def anywhere(row: set[str]) -> set[str]:
    """A phrase's features without its moment's: so the words carry weight by themselves."""
    return {name for name in row if name[:2] not in ("S:", "P:", "R:") and "|" not in name}


def tables() -> Iterator[Sample]:
    """The sentences of the grammar's unit tests, with the kinds that they expect."""
    for found in pkgutil.iter_modules(hearing.__path__):
        module = importlib.import_module(f"{hearing.__name__}.{found.name}")
        for name, table in sorted(vars(module).items()):
            if name.isupper() and isinstance(table, list):
                for context, text, expected in (row for row in table if len(row) == 3):
                    kinds = frozenset(act.split()[0] for act in expected.split("; "))
                    yield text, context, kinds


def corpus(phrases: Iterable[Phrase]) -> Iterator[Sample]:
    """Phrases, each with the kinds of its plainest reading."""
    for phrase in phrases:
        yield phrase.text, phrase.context, frozenset(act.kind for act in phrase.readings[0])


def samples(folder: Path = HERE / "rounds") -> list[Sample]:
    """All that the model is fitted to."""
    seen = [phrase for phrase in split(load(folder))["seen"] if phrase.round not in OTHERS]
    return [*corpus(seen), *tables()]


def fit(samples: Sequence[Sample]) -> dict[str, object]:
    """The model as kind_model.json has it: weights in whole numbers, ``scale`` to one."""
    rows = [seen(text, context) for text, context, _ in samples]
    counts = Counter(name for row in rows for name in row)
    names = sorted(name for name, count in counts.items() if count >= SEEN_TWICE)
    rows += [anywhere(row) for row in rows]
    x = _matrix(rows, {name: i for i, name in enumerate(names)})
    meant = [[kind in kinds for kind in KINDS] for _, _, kinds in samples] * 2
    y = np.array(meant, dtype=np.float32)
    weights = np.zeros((len(names), len(KINDS)), dtype=np.float32)
    bias = np.full(len(KINDS), -2.0, dtype=np.float32)
    adam = Adam(weights, RATE)
    for _ in range(1, STEPS):
        error = 1 / (1 + np.exp(-(x @ weights + bias))) - y
        adam.step(x.T @ error / len(rows) + DECAY * weights)
        bias -= RATE * 10 * error.mean(0)
    whole = np.rint(weights * SCALE).astype(int)
    kept = {name: row.tolist() for name, row in zip(names, whole, strict=True) if row.any()}
    return {
        "kinds": list(KINDS),
        "scale": SCALE,
        "bias": [round(float(value), 2) for value in bias],
        "weights": kept,
    }


def _matrix(rows: Sequence[set[str]], index: Mapping[str, int]) -> csr_array:
    """Rows × features: what a row has weighs alike, and all of it has the length 1."""
    own = [sorted(index[name] for name in row if name in index) for row in rows]
    starts = np.cumsum([0, *map(len, own)])
    shares = [np.full(len(row), 1 / np.sqrt(max(1, len(row)))) for row in own]
    data = np.concatenate(shares).astype(np.float32)
    return csr_array((data, np.concatenate(own).astype(int), starts), (len(rows), len(index)))


def text_of(model: dict[str, object]) -> str:
    """A line a feature, so that a difference can be read."""
    weights = model["weights"]
    assert isinstance(weights, dict)
    head = {key: value for key, value in model.items() if key != "weights"}
    lines = ",\n".join(
        f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}"
        for name, row in weights.items()
    )
    return json.dumps(head)[:-1] + ', "weights": {\n' + lines + "\n}}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write kind_model.json")
    parser.add_argument("--folder", type=Path, default=HERE / "rounds", help="the rounds")
    given = parser.parse_args()
    found = samples(given.folder)
    text = text_of(fit(found))
    if given.write:
        WEIGHTS.write_text(text, encoding="utf-8")
    same = WEIGHTS.exists() and WEIGHTS.read_text(encoding="utf-8") == text
    print(f"{len(found)} phrases, {text.count(chr(10)) - 2} features, the same: {same}")


if __name__ == "__main__":
    main()

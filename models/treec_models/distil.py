"""Fits a scorer to a node's answers, and finds from which confidence on its error is bounded.

Cases that are alike since they came from the same are a group, and groups are what counts: half of
them are learned, a fifth of which stops the learning and sets the temperature; the others are held
out, and of each one case is drawn. On these the scorer answers by itself from the lowest confidence
on at which its error is below a bound with a given confidence: Learn then Test (Angelopoulos,
Bates, Candès, Jordan, Lei 2021, arXiv:2110.01052) with exact binomial tail probabilities and a
fixed sequence of thresholds, the strictest first; where it begins is decided by cases that are not
held out. The bound holds for a case of a group that is drawn as those held out were, each group
independent of the others.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from treec.atomic import atomic_writer
from treec_models.distilled import DistilledScorer, Options, Questions, buckets_of, check_shapes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

LEARNED, TUNED = 0.5, 0.2
"""The share of the groups that is learned, and of that the share which stops the learning."""
HIDDEN = 32
EPOCHS, PATIENCE, BATCH = 80, 12, 32
RATE, DECAY, DROPPED = 0.01, 1e-4, 0.2
MOST_WORDS = 8192

THRESHOLDS = (0.999, 0.998, 0.995, *(round(1 - n / 100, 2) for n in range(1, 101)))
"""The confidences that are tried, in this order."""


@dataclass(frozen=True)
class TaughtExample:
    """A state, the questions about it and the right answers: an option, or whether it is a yes.

    Questions without an answer are not learned. ``origins``: what it came from, such as a scenario
    and a recipe; see `group`.
    """

    state: str
    questions: Questions
    answers: Mapping[str, str | bool]
    origins: tuple[Hashable, ...] = ()


@dataclass(frozen=True)
class ErrorBound:
    """From which confidence ``sure`` on the error is at most ``error``, with this ``confidence``.

    So many ``groups`` were held out. Of one case of each, ``answered`` were as sure, ``wrong`` of
    them wrongly.
    """

    sure: float
    error: float
    confidence: float
    groups: int
    answered: int
    wrong: int


class NoBound(ValueError):
    """The cases do not suffice for a bound on the error; the message says how many would."""


def group(examples: Sequence[TaughtExample]) -> list[int]:
    """The number of each example's group: those that share an origin or a state are in one."""
    parents: dict[Hashable, Hashable] = {}

    def root(name: Hashable) -> Hashable:
        while (parent := parents.setdefault(name, name)) != name:
            name = parent
        return name

    for one in examples:
        for name in (*one.origins, ("state", one.state)):
            parents[root(name)] = root(one.origins[0] if one.origins else name)
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(root(("state", one.state)), len(numbers)) for one in examples]


def split(
    groups: Sequence[Hashable], seed: int, share: float = LEARNED
) -> tuple[list[int], list[int]]:
    """The numbers of the cases to learn, a share of the groups, and of those to hold out."""
    import numpy as np

    names = list(dict.fromkeys(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    learned = {names[at] for at in order[: math.ceil(share * len(names))]}
    inside = [name in learned for name in groups]
    return (
        [at for at, is_in in enumerate(inside) if is_in],
        [at for at, is_in in enumerate(inside) if not is_in],
    )


def split_learned(groups: Sequence[Hashable], seed: int) -> tuple[list[int], list[int]]:
    """Of the cases to learn, the numbers of those that are fitted and of those that stop it."""
    return split(groups, seed + 1, 1 - TUNED)


def draw(numbers: Sequence[int], groups: Sequence[Hashable], seed: int) -> list[int]:
    """Of the numbers of cases, one drawn from each group."""
    import numpy as np

    members: dict[Hashable, list[int]] = {}
    for number in numbers:
        members.setdefault(groups[number], []).append(number)
    random = np.random.default_rng(seed)
    return [some[random.integers(len(some))] for some in members.values()]


def needed_cases(error: float, confidence: float) -> int:
    """How many independent cases must be answered, all rightly, for a bound on the error."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - error))


def require_groups(held_out: int, number: int, error: float, confidence: float) -> None:
    """Raises NoBound if of a ``number`` of groups too few are held out for any bound."""
    needed = needed_cases(error, confidence)
    if held_out < needed:
        least = 1 - (1 - confidence) ** (1 / held_out) if held_out else 1.0
        raise NoBound(
            f"{_wanted(error, confidence)} needs {needed} independent groups of cases that are "
            f"held out, twice as many in all; there are {number}, enough for an error of "
            f"{math.ceil(1000 * least) / 10:g} % at best"
        )


def _wanted(error: float, confidence: float) -> str:
    return f"an error of at most {error:.3g} with a confidence of {confidence:.3g}"


def tail(wrong: int, answered: int, error: float) -> float:
    """The probability of at most so many wrong answers if the error were just above the bound."""
    logs = (
        math.lgamma(answered + 1)
        - math.lgamma(k + 1)
        - math.lgamma(answered - k + 1)
        + k * math.log(error)
        + (answered - k) * math.log1p(-error)
        for k in range(wrong + 1)
    )
    return min(1.0, sum(math.exp(log) for log in logs))


Outcomes = Sequence[tuple[float, bool] | None]
"""Of cases, how sure a scorer is, and whether it is right; None: it passes on."""


def find_start(outcomes: Outcomes, held_out: int, error: float, confidence: float) -> float:
    """The strictest threshold at which enough of the held-out cases are likely to be answered.

    The outcomes are those of other cases: what is held out does not choose where its test begins.
    """
    needed = needed_cases(error, confidence)
    share = (needed + 2 * math.sqrt(needed)) / held_out
    for sure in THRESHOLDS:
        if len(_surest(outcomes, sure)) > share * len(outcomes):
            return sure
    return THRESHOLDS[-1]


def find_bound(outcomes: Outcomes, error: float, confidence: float, start: float) -> ErrorBound:
    """The bound that held-out cases give, one of each group, testing from ``start`` down.

    Raises NoBound.
    """
    best: ErrorBound | None = None
    for sure in (one for one in THRESHOLDS if one <= start):
        among = _surest(outcomes, sure)
        wrong = among.count(False)
        if tail(wrong, len(among), error) > 1 - confidence:
            break
        best = ErrorBound(sure, error, confidence, len(outcomes), len(among), wrong)
    if best is None:
        raise NoBound(_why_none(outcomes, error, confidence, start))
    return best


def _surest(outcomes: Outcomes, sure: float) -> list[bool]:
    """Whether it is right, in each case of which it is as sure."""
    return [one[1] for one in outcomes if one is not None and one[0] >= sure]


def _why_none(outcomes: Outcomes, error: float, confidence: float, start: float) -> str:
    wanted, needed = _wanted(error, confidence), needed_cases(error, confidence)
    among = _surest(outcomes, start)
    wrong, answered = among.count(False), len(among)
    if answered < needed:
        number = math.ceil(needed * len(outcomes) / answered) if answered else 0
        help = f"; about {number} would do" if number else ""
        return (
            f"{wanted} needs {needed} independent cases that are held out and all answered "
            f"rightly: of {len(outcomes)}, one of each group, it answers {answered} with a "
            f"confidence of {start:g} or more{help}"
        )
    rate = wrong / answered
    if rate < error:
        more = answered
        while tail(math.ceil(rate * more), more, error) > 1 - confidence:
            more = math.ceil(more * 1.1)
        help = f"about {more} such cases, each of a group of its own, would do"
    else:
        help = "more of such cases do not help: allow a larger error, or give it better ones"
    return f"{wanted} does not hold: {wrong} of its {answered} surest answers are wrong; {help}"


def options_of(examples: Sequence[TaughtExample]) -> dict[str, list[str] | None]:
    """The questions that have answers, each with all options that were ever asked."""
    found: dict[str, dict[str, None] | None] = {}
    for example in examples:
        for name in example.answers:
            question = example.questions[name]
            if question["type"] == "noul":
                found[name] = None
            else:
                known = found.setdefault(name, {})
                assert known is not None
                known.update(dict.fromkeys(question["criteria"]))
    return {name: None if given is None else list(given) for name, given in found.items()}


def fit(
    examples: Sequence[TaughtExample], seed: int, progress: Callable[[], None] = lambda: None
) -> DistilledScorer:
    """Fit a scorer to examples; ``progress`` is called after each of `EPOCHS` rounds."""
    import numpy as np

    options = options_of(examples)
    rest, tuned = split_learned(group(examples), seed)
    tuned = tuned or rest
    seen = [buckets_of(example.state) for example in examples]
    words = _frequent(seen[at] for at in rest)
    rows = {word: row for row, word in enumerate(words)}
    columns = [(name, option) for name, given in options.items() for option in given or ("",)]
    inputs = np.zeros((len(examples), len(words)), np.float32)
    for at, buckets in enumerate(seen):
        known = [row for word in buckets if (row := rows.get(word)) is not None]
        inputs[at, known] = len(known) ** -0.5 if known else 0
    targets, masks = _targets(examples, options)
    random = np.random.default_rng(seed)
    w = {
        "hidden": random.normal(0, 0.3, (len(words), HIDDEN)).astype(np.float32),
        "hidden.bias": np.zeros(HIDDEN, np.float32),
        "direct": np.zeros((len(words), len(columns)), np.float32),
        "out": random.normal(0, HIDDEN**-0.5, (HIDDEN, len(columns))).astype(np.float32),
        "out.bias": np.zeros(len(columns), np.float32),
    }
    optimizer = _Adam(w)
    groups = _groups(options)
    best, kept, waited = math.inf, {name: array.copy() for name, array in w.items()}, 0
    learned = np.array(rest)
    for _ in range(EPOCHS):
        progress()
        if waited > PATIENCE:
            continue
        order = random.permutation(learned)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            x = inputs[batch] * (random.random((len(batch), len(words))) >= DROPPED) / (1 - DROPPED)
            optimizer.step(
                _gradients(w, x.astype(np.float32), targets[batch], masks[batch], groups)
            )
        loss = _loss(_forward(w, inputs[tuned])[1], targets[tuned], masks[tuned], groups)
        waited += 1
        if loss < best - 1e-4:
            best, waited = loss, 0
            kept = {name: array.copy() for name, array in w.items()}
    logits = _forward(kept, inputs[tuned])[1]
    temperature = min(
        (2 ** (n / 4) for n in range(-8, 17)),
        key=lambda t: _loss(logits / t, targets[tuned], masks[tuned], groups),
    )
    weights = {"words": np.array(words, np.int64), **_rounded(kept)}
    return DistilledScorer(weights, options, temperature)


def _rounded(weights: Mapping[str, Array]) -> dict[str, Array]:
    """The weights as they are stored, so that what is measured is what is shipped."""
    import numpy as np

    return {name: array.astype(np.float16).astype(np.float32) for name, array in weights.items()}


def _frequent(states: Iterable[Sequence[int]]) -> list[int]:
    """The words that most states have, each given by the numbers of its words."""
    counts = Counter(word for words in states for word in words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return sorted(ranked[:MOST_WORDS])


def _groups(options: Options) -> list[tuple[int, int, bool]]:
    """Where the columns of each question begin and end, and whether it is a choice."""
    found, start = [], 0
    for given in options.values():
        size = 1 if given is None else len(given)
        found.append((start, start + size, given is not None))
        start += size
    return found


def _targets(examples: Sequence[TaughtExample], options: Options) -> tuple[Array, Array]:
    """The right answers as numbers, and which columns count: those of what could be answered."""
    import numpy as np

    size = sum(1 if given is None else len(given) for given in options.values())
    targets = np.zeros((len(examples), size), np.float32)
    masks = np.zeros((len(examples), size), np.float32)
    for at, example in enumerate(examples):
        start = 0
        for name, given in options.items():
            answer = example.answers.get(name)
            width = 1 if given is None else len(given)
            if answer is not None and given is None:
                targets[at, start], masks[at, start] = float(bool(answer)), 1
            elif answer is not None and given is not None:
                targets[at, start + given.index(str(answer))] = 1
                for option in example.questions[name]["criteria"]:
                    masks[at, start + given.index(option)] = 1
            start += width
    return targets, masks


def _forward(w: Mapping[str, Array], x: Array) -> tuple[Array, Array]:
    import numpy as np

    hidden: Array = np.maximum(x @ w["hidden"] + w["hidden.bias"], 0)
    logits: Array = hidden @ w["out"] + x @ w["direct"] + w["out.bias"]
    return hidden, logits


def _chances(logits: Array, masks: Array, groups: Sequence[tuple[int, int, bool]]) -> Array:
    import numpy as np

    found = np.zeros_like(logits)
    for start, end, is_choice in groups:
        part, mask = logits[:, start:end], masks[:, start:end]
        if is_choice:
            part = np.where(mask > 0, part, -1e9)
            powers = np.exp(part - part.max(axis=1, keepdims=True)) * mask
            found[:, start:end] = powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-9)
        else:
            found[:, start:end] = 1 / (1 + np.exp(-np.clip(part, -30, 30)))
    return found


def _loss(
    logits: Array, targets: Array, masks: Array, groups: Sequence[tuple[int, int, bool]]
) -> float:
    import numpy as np

    chances = np.clip(_chances(logits, masks, groups), 1e-7, 1 - 1e-7)
    total = 0.0
    for start, end, is_choice in groups:
        t, p, m = targets[:, start:end], chances[:, start:end], masks[:, start:end]
        losses = -t * np.log(p) - (0 if is_choice else 1) * (1 - t) * np.log(1 - p)
        total += float((losses * m).sum())
    return total / max(1, len(logits))


def _gradients(
    w: Mapping[str, Array],
    x: Array,
    targets: Array,
    masks: Array,
    groups: Sequence[tuple[int, int, bool]],
) -> dict[str, Array]:
    hidden, logits = _forward(w, x)
    wrong = (_chances(logits, masks, groups) - targets) * masks / len(x)
    back = (wrong @ w["out"].T) * (hidden > 0)
    return {
        "hidden": x.T @ back + DECAY * w["hidden"],
        "hidden.bias": back.sum(axis=0),
        "direct": x.T @ wrong + DECAY * w["direct"],
        "out": hidden.T @ wrong + DECAY * w["out"],
        "out.bias": wrong.sum(axis=0),
    }


class _Adam:
    """Adam (Kingma and Ba, 2015)."""

    def __init__(self, weights: dict[str, Array]) -> None:
        import numpy as np

        self._weights = weights
        self._first = {name: np.zeros_like(array) for name, array in weights.items()}
        self._second = {name: np.zeros_like(array) for name, array in weights.items()}
        self._steps = 0

    def step(self, gradients: Mapping[str, Array]) -> None:
        """Change the weights."""
        import numpy as np

        self._steps += 1
        for name, gradient in gradients.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            rate = RATE * math.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
            self._weights[name] -= rate * first / (np.sqrt(second) + 1e-8)


def write_scorer(path: Path, scorer: DistilledScorer, about: Mapping[str, object]) -> None:
    """Write the header and, beside it, the weights. Raises OSError."""
    import numpy as np

    check_shapes(scorer.weights, scorer.options)
    arrays = {
        name: array.astype(np.int32 if name == "words" else np.float16)
        for name, array in scorer.weights.items()
    }
    packed = BytesIO()
    np.savez(packed, **arrays)
    content = packed.getvalue()
    header = {
        **about,
        "temperature": round(scorer.temperature, 6),
        "questions": scorer.options,
        "weights": {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(header, indent=1, ensure_ascii=False) + "\n"
    for file, data in ((path.with_suffix(".npz"), content), (path, text.encode())):
        with atomic_writer(file, sync=True) as out:
            out.write(data)

"""A last layer for the local model, fitted to labelled phrases: whether it reads acts better.

    python -m experiments.local_model.tune [--minutes 20] [--seed 0]

The model's weights are frozen: those in the wheel are in 2 bits, and its own `needle finetune`
needs the floats, which are not in it. What it makes of a phrase (`embed`, 3,072 numbers) is
classified by ridge regression into the kind of the phrase's only act. Phrases are drawn from
`experiments/corpora/kitchen`, whole rounds learned or held out. The same
regression on the phrase's words, and the model's own choice of a tool, stand beside it.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments import corpora
from experiments.command import main
from treec.cli.progress import progress

KITCHEN = Path(corpora.__file__).parent / "kitchen"
HELD_OUT = ("13", "14", "15")
"""Rounds of phrases that nothing is fitted to."""
MOST = 1500
"""Phrases at most, a third of them held out."""
RIDGE = 1.0
ABOUT = {
    "accept": "They say yes to a proposal.",
    "decline": "They say no to a proposal.",
    "request": "They want somebody to do something.",
    "done": "They say that something is finished, or there already.",
    "drop": "They do not want something to be done at all.",
    "stop": "A robot must stop at once.",
    "resume": "A robot may go on after a stop.",
    "choose": "They say what they would like to eat or cook.",
    "ask": "They want to know something.",
    "remark": "Thanks, small talk, or words that make no sense here.",
}
Phrase = tuple[str, str]
"""What was said, and the kind of its only act."""


def phrases(rounds: Callable[[str], bool], seed: int) -> list[Phrase]:
    """Phrases with one act, each text once, in random order."""
    found: dict[str, str] = {}
    for file in sorted(KITCHEN.glob("*.jsonl.xz")):
        name = file.name.partition(".")[0]
        if not name.isdecimal() or not rounds(name):
            continue
        for one in corpora.read(file):
            kinds = [act["kind"] for act in one["acts"]] or ["remark"]
            if len(kinds) == 1 and kinds[0] in ABOUT and not one.get("or"):
                found[one["text"]] = kinds[0]
    drawn = sorted(found.items())
    random.Random(seed).shuffle(drawn)
    return drawn


def right(learned: Sequence[Phrase], x: Any, held: Sequence[Phrase], y: Any) -> int:
    """How many held-out phrases a ridge regression on the vectors of the learned classifies."""
    kinds = sorted({kind for _, kind in learned})
    mean = x.mean(axis=0)
    a, b = x - mean, y - mean
    scale = np.sqrt((a * a).sum(axis=1).mean()) or 1.0
    a, b = a / scale, b / scale
    wanted = np.array([[kind == one for one in kinds] for _, kind in learned], float)
    weights = np.linalg.solve(a @ a.T + RIDGE * np.eye(len(a)), wanted - wanted.mean(axis=0))
    scores = b @ a.T @ weights + wanted.mean(axis=0)
    return sum(kinds[at] == kind for at, (_, kind) in zip(scores.argmax(1), held, strict=True))


def words(learned: Sequence[Phrase], held: Sequence[Phrase]) -> tuple[Any, Any]:
    """Vectors of the words of phrases, of equal length."""
    known = {w: n for n, w in enumerate(sorted({w for t, _ in learned for w in t.lower().split()}))}

    def vectors(of: Sequence[Phrase]) -> Any:
        made = np.zeros((len(of), len(known)))
        for row, (text, _) in enumerate(of):
            for word in text.lower().split():
                made[row, known.get(word, 0)] += word in known
        return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1)

    return vectors(learned), vectors(held)


def run(
    minutes: Annotated[float, typer.Option(help="Minutes that it may take.")] = 20.0,
    seed: Annotated[int, typer.Option(help="Seed of the draw of phrases.")] = 0,
) -> int:
    """Fit a last layer to the local model."""
    os.environ.update(NEEDLE_TELEMETRY="0", DO_NOT_TRACK="1", HF_HUB_OFFLINE="1")
    import needle

    begin, cpu = time.monotonic(), time.process_time()
    learned = phrases(lambda name: name not in HELD_OUT, seed)
    held = phrases(HELD_OUT.__contains__, seed)
    tools = [
        {"name": name, "description": about, "parameters": {"type": "object", "properties": {}}}
        for name, about in ABOUT.items()
    ]
    model = needle.Needle(tools=tools, stateless=True)
    rows: list[Any] = []
    order = [one for n in range(MOST // 3) for one in (learned[2 * n], learned[2 * n + 1], held[n])]
    with progress("embed phrases", MOST) as advance:
        for text, _ in order:
            if time.monotonic() - begin > 48 * minutes:
                break
            rows.append(model.embed(text))
            advance()
    x = np.array([row for n, row in enumerate(rows) if n % 3 != 2])
    y = np.array([row for n, row in enumerate(rows) if n % 3 == 2])
    learned, held = learned[: len(x)], held[: len(y)]
    spent = time.process_time() - cpu
    own = asked = 0
    for text, kind in held:
        if time.monotonic() - begin > 60 * minutes:
            break
        calls = model.complete(text).get("function_calls") or [{}]
        own, asked = own + (calls[0].get("name") == kind), asked + 1
    common = Counter(kind for _, kind in learned).most_common(1)[0][0]
    print(f"{len(x)} phrases learned, {len(y)} held out; {spent:.0f} s of CPU for what it embeds")
    print(f"the model's last layer  {right(learned, x, held, y)} of {len(y)}")
    wx, wy = words(learned, held)
    print(f"the phrase's words      {right(learned, wx, held, wy)} of {len(y)}")
    print(f"'{common}' always  {sum(kind == common for _, kind in held)} of {len(y)}")
    print(f"the model untuned       {own} of {asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main(run))

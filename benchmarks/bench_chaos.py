"""Chaos: what is lost, doubled, not stopped, not named, over drawn systems, faults and moments."""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

from benchmarks.chaos.cage import has_namespaces
from benchmarks.chaos.judge import GOALS, TOLD, Verdict
from benchmarks.chaos.trial import FAULTS, Draw, Trial
from benchmarks.table import Cell, Table

N = 1000
SMALL = 12


def run(
    small: bool,
    seed: int = 0,
    n: int | None = None,
    draw: int | None = None,
    processes: int | None = None,
) -> list[Table]:
    """Try the draws of a seed, or one of them, and print what repeats each that fails.

    Twice as many at a time as there are cores: three quarters of a draw's time it waits.
    """
    if draw is not None:
        only = Draw(seed, draw)
        return [table([(only, try_one(only, shown=True))])]
    numbers = range(n or (SMALL if small else N))
    return [
        table(
            try_all([Draw(seed, number) for number in numbers], processes or 2 * (cpu_count() or 1))
        )
    ]


def try_all(draws: list[Draw], processes: int) -> list[tuple[Draw, Verdict]]:
    """The verdicts, of several draws at a time."""
    with ThreadPoolExecutor(processes) as pool:
        return list(zip(draws, pool.map(try_one, draws), strict=True))


def try_one(draw: Draw, shown: bool = False) -> Verdict:
    """Run one draw, and say at once what is wrong with it; ``shown``: what it printed, too."""
    with tempfile.TemporaryDirectory(prefix="chaos") as place:
        trial = Trial(draw, Path(place))
        try:
            verdict = trial.run()
        except Exception as error:  # of chaos itself; the other draws go on
            verdict = trial.verdict
            verdict.say("crashed", f"chaos: {type(error).__name__}: {error}")
            traceback.print_exc()
        if shown:
            print(trial.transcript())
    if not verdict.ok:
        print(f"{draw.fault} ({trial.about})\n  {draw.command}")
        for goal, texts in verdict.faults.items():
            for text in texts:
                print(f"  {goal}: {text}")
    return verdict


def table(verdicts: Iterable[tuple[Draw, Verdict]]) -> Table:
    """What went wrong, by fault: how many draws, of those whose fault struck."""
    tried: Counter[str] = Counter()
    missed = excused = 0
    wrong: dict[str, Counter[str]] = {fault: Counter() for fault in FAULTS}
    for draw, verdict in verdicts:
        missed += verdict.missed
        excused += verdict.excused and verdict.ok
        tried[draw.fault] += not verdict.missed
        wrong[draw.fault].update(goal for goal, texts in verdict.faults.items() if texts)
    rows: list[tuple[Cell, ...]] = [
        (fault, tried[fault], *(wrong[fault][goal] for goal in GOALS))
        for fault in FAULTS
        if tried[fault] or wrong[fault]
    ]
    total = [sum(int(row[column]) for row in rows) for column in range(1, len(GOALS) + 2)]
    where = "namespaces of their own" if has_namespaces() else "process groups of their own"
    return Table(
        "Chaos",
        ("fault", "tried", *GOALS),
        [*rows, ("all", *total)],
        (
            f"Processes in {where}; {missed} draws whose fault never struck are not counted. In "
            f"{excused} a robot was told later than {TOLD:g} s by the clock, and in time by what "
            "the run had of a core. Goal: 0.",
        ),
    )

"""Scorers distilled from MOSAIC's decisions and reading: what they answer alone, and how rightly.

    python -m experiments.distil.measure [--small] [--write] [--runs FOLDER]

The cases are the nodes' test cases and the decisions of runs: MOSAIC's scenarios, and the simulated
user of `experiments.mosaic.planner` (easy runs). The rules decide there; they stand for a model, so
that an error is an answer that differs from theirs. Each scorer is fitted, and its bound found, on
three quarters of the groups of cases, and judged on the last quarter, four times over.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

import treec
from experiments.command import main
from experiments.local_model.measure import Reliability, to_svg
from experiments.page import write_page
from treec.cli.progress import progress
from treec.files.library import Library, load_library
from treec_asking.answerers import NotSure
from treec_models.distil import NoBound, group, split
from treec_models.distilled import DistilledScorer
from treec_models.prices import token_cost
from treec_models.rule_answers import estimated_tokens
from treec_testing.cli.distil import distil, gather
from treec_testing.decisions.cases import find_node
from treec_testing.decisions.distil_cases import TaughtCase, outcome
from treec_testing.decisions.request_queue import run_sync

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/results/distil.md"
PICTURE = ROOT / "docs/pictures/distilled_scorers.svg"
WHAT = "distil.measure"
NODES = ("Execution", "Decision", "Recipe", "Kitchen_Talk")
FOLDS = 4
ERROR, CONFIDENCE = 0.05, 0.9
PRICED = "openai/gpt-4o-mini"
PROMPTS = 25
"""Cases of a node whose prompts are rendered, for the mean of their tokens."""


@dataclass
class ScorerRow:
    """What came of one node, over all folds."""

    node: str
    cases: int
    tokens: float = 0.0
    judged: int = 0
    answered: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    reliability: Reliability = field(default_factory=Reliability)
    why: str = ""
    """Why there is no bound."""


def make_runs(library: Library, folder: Path, small: bool) -> list[Path]:
    """Play the scenarios and the simulated user; returns the folders of their runs."""
    from experiments.mosaic.plan import draw_plans
    from experiments.mosaic.pool import run_trials
    from experiments.mosaic.rows import ROWS
    from experiments.mosaic.trial import MosaicTrial, set_up

    opened = treec.open(ROOT)
    entry = opened.library.find("system", "mosaic")
    assert entry is not None
    named = [one.name for one in library.of_kind("scenario") if one.model.system == "mosaic"]
    with progress("scenarios", len(named)) as advance:
        for name in named[:2] if small else named:
            opened.run("mosaic", scenario=name, folder=folder / "scenarios")
            advance()
    kitchen = set_up(library, "mosaic", contracts=True).kitchen
    offline = next(row for row in ROWS if row.key == "offline")
    plans = draw_plans(kitchen, 0, 2 if small else 12, "easy")
    trials = [
        MosaicTrial(offline.key, plan, index, run, 0)
        for index, plan in enumerate(plans)
        for run in range(1 if small else 3)
    ]
    with progress("runs", len(trials)) as tell:
        run_trials(library, "mosaic", trials, keep=folder / "user", tell=tell)
    return [folder / "scenarios", folder / "user" / offline.key / "easy"]


def measure(node: str, cases: list[TaughtCase], seed: int = 0) -> ScorerRow:
    """Fit and judge the scorer of a node, a quarter of the groups held back each time."""
    row = ScorerRow(node, len(cases), _prompt_tokens(cases))
    for learned, judged in _folds(cases, seed):
        try:
            scorer, bound = distil(learned, ERROR, CONFIDENCE, seed)
        except NoBound as error:
            row.why = str(error)
            continue
        row.sure.append(bound.sure)
        for case in judged:
            found = outcome(case, scorer)
            row.seconds.append(_time(case, scorer))
            row.judged += 1
            if found is not None:
                row.reliability.answers.append(found)
                if found[0] >= bound.sure:
                    row.answered += 1
                    row.wrong += not found[1]
    return row


def _folds(
    cases: list[TaughtCase], seed: int
) -> Iterator[tuple[list[TaughtCase], list[TaughtCase]]]:
    rest = list(range(len(cases)))
    numbers = group([case.example for case in cases])
    for number in range(FOLDS, 0, -1):
        groups = [numbers[at] for at in rest]
        chosen, others = split(groups, seed, 1 / number) if number > 1 else (range(len(rest)), [])
        fold = {rest[at] for at in chosen}
        rest = [rest[at] for at in others]
        yield (
            [case for at, case in enumerate(cases) if at not in fold],
            [case for at, case in enumerate(cases) if at in fold],
        )


def _time(case: TaughtCase, scorer: DistilledScorer) -> float:
    start = time.perf_counter()
    with contextlib.suppress(NotSure):
        scorer.answer(case.example.state, case.example.questions)
    return time.perf_counter() - start


def _prompt_tokens(cases: list[TaughtCase]) -> float:
    """The mean tokens of the prompts that a chat model would get."""
    counts = []
    for case in cases[:: max(1, len(cases) // PROMPTS)]:
        asked = [] if case.situation is None else run_sync(case.situation.decide()).requests
        if asked:
            counts.append(estimated_tokens(asked[0]))
    return sum(counts) / len(counts) if counts else 0.0


def table(rows: list[ScorerRow]) -> str:
    """The table of all nodes."""
    lines = [
        f"{'node':<14}{'situations':>11}{'answered alone':>16}{'of these wrong':>16}"
        f"{'from':>7}{'ECE':>6}{'ms':>7}{'tokens saved':>14}{'$ saved':>9}"
    ]
    for row in rows:
        if not row.judged:
            lines.append(f"{row.node:<14}{row.cases:>11}  no bound: {row.why}")
            continue
        share, wrong = row.answered / row.judged, row.wrong / max(1, row.answered)
        tokens = 1000 * share * row.tokens
        cost = token_cost(PRICED, round(tokens), 0)
        lines.append(
            f"{row.node:<14}{row.cases:>11}{row.answered:>9} ({share:>4.0%}){row.wrong:>10} "
            f"({wrong:.1%}){min(row.sure):>7.2f}{row.reliability.error:>6.2f}"
            f"{1000 * sorted(row.seconds)[len(row.seconds) // 2]:>7.2f}{tokens:>14,.0f}"
            f"{'-' if cost is None else f'{cost:.2f}':>9}"
        )
    return "\n".join(lines)


def command(
    small: Annotated[bool, typer.Option("--small", help="Few runs, one decision")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write docs/results/distil.md")] = False,
    runs: Annotated[
        list[Path] | None,
        typer.Option("--runs", help="A folder of recorded runs (default: played now); repeatable"),
    ] = None,
) -> None:
    """Measure distilled scorers beside the rules that they learn from."""
    started = time.perf_counter()
    library = load_library(ROOT)
    rows = []
    with TemporaryDirectory(prefix="treec-") as folder:
        folders = runs or make_runs(library, Path(folder), small)
        for node in NODES[:1] if small else NODES:
            entry = find_node(library, node, "mosaic", WHAT).entry
            rows.append(measure(node, gather(library, entry, folders, None)))
            print(table(rows[-1:]), flush=True)
    whole = Reliability([one for row in rows for one in row.reliability.answers])
    print(f"\n{table(rows)}")
    if write:
        took = f"It took {(time.perf_counter() - started) / 60:.0f} min."
        write_page(PAGE, table(rows), f"python -m experiments.{WHAT}", took, WHAT)
        PICTURE.write_text(to_svg({"the scorers": whole}), "utf-8")


if __name__ == "__main__":
    sys.exit(main(command))

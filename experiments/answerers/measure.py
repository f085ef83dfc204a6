"""Who answers, side by side: the integration test, conversations, cases, calibration.

    python -m experiments.answerers.measure [--decisions URL] [--local-minutes 15] [--write]

The rules, the model `local`, with ``--decisions`` a decision model that knows nothing of this
(`systemone/any`), and a scripted model whose every answer is wrong. Runs are MOSAIC's scenarios as
`treec run mosaic --model` plays them (`mosaic_lean`: a model reads, rules decide); the integration
test is a Caesar salad. Cases are the examples of all decisions and readings, each asked without
itself, and those of tests/decisions. ``--local-minutes`` bounds the time of the model `local`: what
it was not asked by then is left out, and the table says of how many. ``--write`` writes
docs/results/answerers.md and the picture.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.rule_answers import ErringAnswers
from experiments.command import main
from experiments.local_model.measure import (
    MODEL,
    PATIENCE,
    KindRow,
    Patient,
    Reliability,
    cases_of,
    judge,
    to_svg,
)
from experiments.page import write_page
from treec.api.prepare import prepare
from treec.api.run_result import RunResult
from treec.ask.transport import Transport
from treec.cli.progress import progress
from treec.files.library import Library, load_library
from treec.run.clocks import SteppingClock
from treec.run.loop import LoopError
from treec.run.model_requests import NodeRequests, total_requests
from treec.run.run import Run
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_asking.open_model import ModelChoice, open_model
from treec_testing.decisions.cases import DecisionCase

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/results/answerers.md"
PICTURE = ROOT / "docs/pictures/answerers.svg"
SYSTEM = "mosaic_lean"
INTEGRATION = "caesar_salad"
CONVERSATIONS = (
    *("called_off", "dropped_object", "fallen", "fruit_salad", "garbled_stop"),
    *("hand_in_the_pot", "impatient_user", "missed_place", "slippery", "tomato_soup"),
)
WRONG = "always wrong"
TYPED = "systemone/any"


@dataclass
class AnswererRow:
    """What came of one who answers."""

    by: str
    integration: str = "-"
    played: int = 0
    as_expected: int = 0
    spent: NodeRequests = field(default_factory=NodeRequests)
    seconds: float = 0.0
    cases: dict[str, KindRow] = field(default_factory=dict)
    reliability: Reliability = field(default_factory=Reliability)

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        right = [
            f"{row.model}/{row.cases}" if (row := self.cases.get(kind)) else "-"
            for kind in ("decision", "reading")
        ]
        tokens = self.spent.input_tokens + self.spent.output_tokens
        sure = f"{self.reliability.error:.2f}" if self.reliability.answers else "-"
        return (
            *(self.by, self.integration, f"{self.as_expected}/{self.played}"),
            *(str(self.spent.asked), str(self.spent.used), f"{tokens:,}", f"{self.seconds:.0f}"),
            *(*right, sure),
        )


HEAD = (
    *("who answers", "integration", "conversations", "requests", "used", "tokens", "s"),
    *("decisions", "readings", "ECE"),
)


def play(library: Library, scenario: str, by: str, api_base: str | None) -> RunResult:
    """One run. A model has `PATIENCE` for each answer."""
    model = None if by in ("rules", WRONG) else by
    named = {} if model is None else {"timeout": f"{PATIENCE:g}s"}
    spec = RunSpec(
        scenario=scenario, model=model, api_base=api_base if model else None, model_settings=named
    )
    setup = prepare(library, library.resolve_system(SYSTEM), spec)
    clock = SteppingClock()
    errs = ErringAnswers(clock, errs=1.0)
    transport: Transport | None = errs if by == WRONG else None
    if model is not None:
        transport = open_model(ModelChoice(model, api_base, timeout=PATIENCE))
    run = Run(setup.view, clock, Journal.in_memory(), setup.spec, transport=transport)
    errs.follow(run)
    with suppress(LoopError):
        return RunResult(run.go(), run.journal.records, None)
    raise RuntimeError(f"{scenario} by {by} was aborted")


def converse(library: Library, row: AnswererRow, api_base: str | None, until: float) -> None:
    """The integration test and the conversations, as many as begin before ``until``."""
    names = (INTEGRATION, *CONVERSATIONS)
    with progress(row.by, len(names)) as advance:
        for name in names:
            if time.monotonic() > until:
                return
            started = time.perf_counter()
            result = play(library, name, row.by, api_base)
            row.seconds += time.perf_counter() - started
            row.spent.add(total_requests(result.summary.models))
            print(f"{row.by}: {name}: {result.ok}", file=sys.stderr, flush=True)
            if name == INTEGRATION:
                row.integration = "yes" if result.ok else "no"
            else:
                row.played += 1
                row.as_expected += result.ok
            advance()


def decide(
    row: AnswererRow,
    cases: Sequence[tuple[DecisionCase, dict[str, object]]],
    api_base: str | None,
    until: float,
) -> None:
    """The cases, as many as begin before ``until``."""
    patient = Patient(row.by, api_base)
    for one in cases:
        if time.monotonic() > until:
            return
        rows, sure = asyncio.run(judge([one], patient))
        row.reliability.answers += sure.answers
        for kind, found in rows.items():
            mine = row.cases.setdefault(kind, KindRow())
            mine.cases += found.cases
            mine.model += found.model


def rules_row(cases: Sequence[tuple[DecisionCase, dict[str, object]]], row: AnswererRow) -> None:
    """The cases, by the nodes' own rules."""
    for case, decision in cases:
        pins = case.pins()
        result = asyncio.run(case.situation(pins).decide(None, pins))
        mine = row.cases.setdefault(case.entry.kind, KindRow())
        mine.cases += 1
        mine.model += case.is_equivalent(decision, result.decision)


def table_of(rows: Sequence[AnswererRow]) -> str:
    """The table."""
    lines = [HEAD, *(row.cells() for row in rows)]
    wide = [max(len(line[n]) for line in lines) for n in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(line, wide, strict=True))
        )
        for line in lines
    )


def command(
    decisions: Annotated[
        str | None, typer.Option("--decisions", help="URL of a decision model's server")
    ] = None,
    local_minutes: Annotated[
        float, typer.Option("--local-minutes", min=0, help="Time of the model local; 0: not asked")
    ] = 15,
    write: Annotated[bool, typer.Option("--write", help="Write the page of results")] = False,
) -> None:
    """Measure who answers, side by side."""
    started = time.perf_counter()
    library = load_library(ROOT)
    cases = cases_of(False, TYPED)
    rows = [AnswererRow("rules")]
    never = float("inf")
    converse(library, rows[0], None, never)
    rules_row(cases, rows[0])
    if local_minutes:
        rows.append(local := AnswererRow(MODEL))
        begun = time.monotonic()
        converse(library, local, None, begun + 40 * local_minutes)
        decide(local, spread(cases), None, begun + 60 * local_minutes)
    if decisions is not None:
        rows.append(typed := AnswererRow(TYPED))
        converse(library, typed, decisions, never)
        decide(typed, cases, decisions, never)
    rows.append(wrong := AnswererRow(WRONG))
    converse(library, wrong, None, never)
    table = table_of(rows)
    print(table)
    if write:
        took = f"It took {(time.perf_counter() - started) / 60:.0f} min."
        what = "answerers.measure"
        write_page(PAGE, table, f"python -m experiments.{what} --decisions URL", took, what)
        shown = {row.by: row.reliability for row in rows if row.reliability.answers}
        PICTURE.write_text(to_svg(shown), "utf-8")


def spread(
    cases: Sequence[tuple[DecisionCase, dict[str, object]]],
) -> list[tuple[DecisionCase, dict[str, object]]]:
    """All cases, so that the first ones are of all nodes: every third, then the others."""
    return [*cases[::3], *cases[1::3], *cases[2::3]]


if __name__ == "__main__":
    sys.exit(main(command))

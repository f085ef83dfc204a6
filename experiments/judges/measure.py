"""Judges of the template `watched_arm`, by rules and by models: what is right, and what it takes.

    python -m experiments.judges.measure [--decisions URL] [--write]

Each case of `cases.yaml` is asked alone and once: the rules, the model `local`, with
``--decisions`` a decision model at this address (`systemone/any`), and a model that is always
wrong. Where a model gives no answer that is allowed, the rules answer. ``--write`` writes the table
into docs/judges.md.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.command import main
from experiments.local_model.measure import Patient, Reliability
from experiments.page import write_page
from treec.ask.transport import Answer, Request, ScriptedTransport, Transport
from treec.files.library import load_library
from treec.files.templates import find_template
from treec.files.view import View
from treec.source.yaml import plain, read_documents, read_file
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.situation import with_model

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/judges.md"
CASES = Path(__file__).with_name("cases.yaml")
EVEN = 0.5

Truth = Mapping[str, Any]


@dataclass
class AnswererScore:
    """What came of all cases by one who answers."""

    by: str
    people: int = 0
    dishes: int = 0
    unsafe: int = 0
    clean: int = 0
    sort_of: int = 0
    answered: int = 0
    requests: int = 0
    seconds: float = 0.0
    reliability: Reliability = field(default_factory=Reliability)


class AlwaysWrong:
    """Answers each question by what is not so."""

    model = "wrong/model"

    def __init__(self) -> None:
        self.truth: Truth = {}

    async def ask(self, request: Request) -> Answer:
        """The contrary of the truth."""
        if request.node == "Unsafe":
            wrong: dict[str, object] = {"unsafe": 0.05 if self.truth["yes"] else 0.95}
        else:
            other = {"plate": "mug", "mug": "bowl", "bowl": "plate"}[self.truth["sort_of"]]
            wrong = {"clean": not self.truth["clean"], "sort_of": other}
        sent = ScriptedTransport({request.node: [{"reasoning": "", **wrong}]}, by=self.model)
        return replace(await sent.ask(request), seconds=0.0)


def cases_of(view: View) -> Iterator[tuple[DecisionCase, Truth]]:
    """The cases with the truth about each."""
    text, _ = read_file(CASES, str(CASES))
    assert text is not None
    data: Any = plain(read_documents(text)[0][0].root)
    for name, seen, thing in (
        ("Unsafe", ("gap", "does"), {"who": "Anna"}),
        ("Dish", ("looks",), {"dish": "dish 1"}),
    ):
        found = view.find("judge", name)
        assert found is not None
        once = found.model.model.model_copy(update={"retries": 0})
        entry = with_model(found, found.model.model_copy(update={"model": once}))
        for number, truth in enumerate(data[name.lower()], 1):
            given = {key: truth[key] for key in seen}
            id = f"{name}/{number}"
            yield DecisionCase(id, "", id, view, entry, given=given, args=thing), truth


async def measure(
    by: str, transport: Transport | None, cases: Sequence[tuple[DecisionCase, Truth]]
) -> AnswererScore:
    """Ask all cases."""
    row = AnswererScore(by)
    for case, truth in cases:
        if isinstance(transport, AlwaysWrong):
            transport.truth = truth
        started = time.perf_counter()
        result = await case.situation({}).decide(transport)
        row.seconds += time.perf_counter() - started
        row.answered += result.accepted
        row.requests += 0 if transport is None else len(result.requests)
        told = result.decision
        if "yes" in truth:
            chance = float(told["unsafe"])
            right = (chance >= EVEN) == truth["yes"]
            row.people += 1
            row.unsafe += right
            row.reliability.answers.append((max(chance, 1 - chance), right))
        else:
            row.dishes += 1
            row.clean += told["clean"] == truth["clean"]
            row.sort_of += told["sort_of"] == truth["sort_of"]
        print(f"{by}: {case.id}: {told}", file=sys.stderr, flush=True)
    return row


def table_of(rows: Sequence[AnswererScore]) -> str:
    """The table."""
    lines = [
        f"{'who answers':<16}{'unsafe':>8}{'clean':>8}{'sort':>8}"
        f"{'answered':>10}{'requests':>10}{'s/case':>8}{'ECE':>6}"
    ]
    for row in rows:
        people, dishes = row.people, row.dishes
        right = f"{row.unsafe}/{people}", f"{row.clean}/{dishes}", f"{row.sort_of}/{dishes}"
        asked = row.people + row.dishes
        lines.append(
            f"{row.by:<16}{right[0]:>8}{right[1]:>8}{right[2]:>8}{row.answered:>7}/{asked:<2}"
            f"{row.requests:>10}{row.seconds / asked:>8.2f}{row.reliability.error:>6.2f}"
        )
    return "\n".join(lines)


def command(
    decisions: Annotated[
        str | None, typer.Option("--decisions", help="URL of a decision model's server")
    ] = None,
    every: Annotated[
        int, typer.Option("--every", help="Ask the model local about every so manyth case")
    ] = 1,
    write: Annotated[bool, typer.Option("--write", help="Write docs/judges.md")] = False,
) -> None:
    """Measure judges by rules and by models."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "bench"
        find_template("watched_arm").copy(root)
        library = load_library(root)
        cases = [*cases_of(View(library, library.find("system", "bench")))]
        asked: list[tuple[str, Transport | None]] = [("rules", None)]
        if decisions is not None:
            asked.append(("decision model", Patient("systemone/any", decisions)))
        asked.append(("always wrong", AlwaysWrong()))
        rows = [asyncio.run(measure(by, transport, cases)) for by, transport in asked]
        rows.insert(1, asyncio.run(measure("local", Patient("local", None), cases[:: every or 1])))
        table = table_of(rows)
        print(table)
    if write:
        took = f"It took {(time.perf_counter() - started) / 60:.0f} min."
        what = "judges.measure"
        write_page(
            PAGE, table, f"python -m experiments.{what} --decisions URL --every {every}", took, what
        )


if __name__ == "__main__":
    sys.exit(main(command))

"""``treec cost``: what a model would be asked in the scenarios of a system, and what that costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop
from treec.cli.live_models import lines_of
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.run.model_requests import NodeRequests, total_requests
from treec.world.spec import RunSpec

HEAD = ("asked", "closed", "tokens in", "tokens out", "cost")


def command(
    system: Annotated[
        str | None, typer.Argument(help="System (default: the only one of the library).")
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option("--scenario", "-s", help="Scenario; several times (default: all)."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", help="Model whose prices count, such as openai/NAME.")
    ] = "",
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Estimate what a model would be asked in a system's scenarios.

    No model is asked: each request is answered as the node's rules would, a second later, without
    reasoning. Tokens are four characters each; programs are counted without their answers. A
    system without scenarios of its own plays those of its domain that fit it.
    """
    from treec.api.errors import TreecError
    from treec.api.find import find_library
    from treec.api.prepare import prepare
    from treec.api.workspace import Workspace
    from treec.cli.progress import progress
    from treec.run.run import Run
    from treec.run.summary import summarize
    from treec.world.clock import VirtualClock
    from treec.world.journal import Journal
    from treec_models.prices import token_cost
    from treec_models.rule_answers import RuleAnswers

    if model and token_cost(model, 1, 1) is None:
        raise Stop(
            f"the price of '{model}' is not known: LiteLLM's list (pip install 'treec[models]') "
            "has those of models such as openai/gpt-4o-mini"
        )
    nodes: dict[str, NodeRequests] = {}
    said = 0
    try:
        workspace = Workspace(find_library(library))
        entry = workspace.system(system)
        names = scenario or _scenarios(workspace.library, entry)
        with progress("scenarios", len(names)) as advance:
            for name in names:
                spec = RunSpec(scenario=name)
                setup = prepare(workspace.library, entry, spec)
                clock, journal = VirtualClock(), Journal.in_memory()
                rules = RuleAnswers(clock, priced=model)
                run = Run(setup.view, clock, journal, setup.spec, transport=rules)
                rules.follow(run)
                run.go()
                totals = summarize(journal.records)
                said += sum(n for who, n in totals.said.items() if who != "assistant")
                for node, requests in totals.models.items():
                    nodes.setdefault(node, NodeRequests()).add(requests)
                advance()
    except TreecError as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        shown = {"scenarios": names, "utterances": said, "model": model or None}
        counts = {node: one.data() for node, one in nodes.items()}
        print(
            json.dumps({**shown, "nodes": counts, "total": total_requests(nodes).data()}, indent=2)
        )
        return 0
    plays = "1 scenario" if len(names) == 1 else f"{len(names)} scenarios"
    print(f"{entry.name}: {plays}, {said} utterances of people")
    for line in _table(nodes, said):
        print(line)
    return 0


def _scenarios(library: Library, system: Entry[SystemFile]) -> list[str]:
    """The system's scenarios, else those of other systems that fit it."""
    every = [*library.of_kind("scenario")]
    own = [one.name for one in every if library.belongs_to(one, system)]
    return own or [one.name for one in every if _fits(library, system, one.name)]


def _fits(library: Library, system: Entry[SystemFile], scenario: str) -> bool:
    from treec.api.errors import TreecError
    from treec.api.prepare import prepare

    with suppress(TreecError):
        prepare(library, system, RunSpec(scenario=scenario))
        return True
    return False


def _table(nodes: dict[str, NodeRequests], said: int) -> Iterator[str]:
    whole = total_requests(nodes)
    rows = [("", *HEAD), *((name, *_cells(one)) for name, one in sorted(nodes.items()))]
    rows.append(("all", *_cells(whole)))
    if said:
        rows.append(("an utterance", *_cells(whole, said)))
    for line in lines_of(rows):
        yield f"  {line}".rstrip()


def _cells(one: NodeRequests, each: int = 1) -> tuple[str, ...]:
    tokens = one.input_tokens + one.closed_tokens
    counts = (one.asked, one.dropped, tokens, one.output_tokens)
    cost = "" if one.cost is None else f"${one.cost / each:.4f}"
    if each == 1:
        return (*(f"{count:,}" for count in counts), cost)
    return (
        f"{one.asked / each:.1f}",
        f"{one.dropped / each:.1f}",
        *(f"{n / each:,.0f}" for n in counts[2:]),
        cost,
    )

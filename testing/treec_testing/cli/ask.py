"""``treec ask``: ask one node and show its request, the answers and the decision."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.correct import require_correct
from treec.cli.spec_options import takes
from treec.world.spec import ModelOptions
from treec_testing.cli.read_run import read_run

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.files.library import Library
    from treec.source.yaml import Document
    from treec_testing.case_file import CaseFile
    from treec_testing.decisions.cases import DecisionCase
    from treec_testing.decisions.situation import DecisionResult, Situation


@takes(ModelOptions, "model", "api_base", "offline", "model_settings")
def command(
    options: ModelOptions,
    node: Annotated[str, typer.Argument(help="Name of a decision, action, reading or program.")],
    given: Annotated[
        str | None,
        typer.Option(
            "--given",
            help="YAML file with what it sees, YAML itself, or a case file (default: the start).",
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="RUN:u17", help="Moment of a recorded run.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="System that the node is part of.")
    ] = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Ask one node for a decision. Exit status 0 if it decided, 1 if it could not."""
    from treec_testing.decisions.cases import CaseError
    from treec_testing.decisions.moments import MomentError
    from treec_testing.decisions.stored_world import InvalidWorld

    if given is not None and at is not None:
        raise Stop("--given and --at both say what the node sees: give one of them")
    found = open_library(library)
    require_correct(found, status=2)
    try:
        situation, knows = _situation(found, node, system, given, at, library)
        transport, name = _transport(found, options)
        decided = _decide(situation, transport, knows)
    except (CaseError, MomentError, InvalidWorld) as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        print(json.dumps(_data(node, decided), indent=2, ensure_ascii=False))
    else:
        _print(decided, name)
    return 1 if {"failed", "refused"} & set(decided.decision) else 0


def _situation(
    library: Library,
    node: str,
    system: str | None,
    given: str | None,
    at: str | None,
    folder: Path | None,
) -> tuple[Situation, dict[str, object]]:
    if at is not None:
        return _at(library, node, at, folder), {}
    case = _case(library, node, system, given)
    pins = case.pins()
    return replace(case, scores=True).situation(pins), pins


def _at(library: Library, node: str, at: str, folder: Path | None) -> Situation:
    from treec_testing.decisions.cases import find_node
    from treec_testing.decisions.moments import situation_at

    run, colon, where = at.rpartition(":")
    if not colon:
        raise Stop(f"'{at}' is not a moment: write RUN:u17, RUN:t=12.5 or RUN:120")
    recorded = read_run(Path(run), folder)
    view = recorded.view(library)
    find_node(library, node, recorded.system, str(run))
    moment = recorded.at(where, node)[0]
    return situation_at(recorded, moment, view)


def _case(library: Library, node: str, system: str | None, file: str | None) -> DecisionCase:
    """What a file, or YAML itself, says that a node sees; without it, what it sees at first."""
    from treec.files.validate import read_entry
    from treec.source.yaml import plain
    from treec_testing.decisions.cases import CaseError, DecisionCase, find_node, visible_names

    document = _read(file) if file is not None else None
    data = plain(document.root) if document is not None else {}
    if not isinstance(data, dict):
        raise CaseError(f"{file}: names and their values, as in the `given` of an example")
    if document is not None and "case" in data:
        case, problems = read_entry(document, "case")
        if case is None:
            raise CaseError("\n".join(f"{p.span}: {p.message}" for p in problems))
        model: CaseFile = case.model
        if model.node != node:
            raise CaseError(f"{file} is a case of '{model.node}', not of '{node}'")
        system = system or model.system
        parts: dict[str, Any] = {k: getattr(model, k) for k in ("given", "args", "knows", "world")}
    view, entry, _ = find_node(library, node, system, str(file or "ask"))
    if file is None and entry.kind == "reading":
        raise CaseError(f"{node} reads what is said: --given FILE with user_input, or --at RUN:u17")
    if file is None and entry.kind == "judge":
        things = _and(getattr(entry.model, "for_", ()))
        raise CaseError(f"{node} is asked about one thing at a time: --given FILE with {things}")
    if "case" not in data:
        declared = getattr(entry.model, "args", {})
        args = {name: value for name, value in data.items() if name in declared}
        parts = {"args": args, "given": {n: v for n, v in data.items() if n not in args}}
        visible = visible_names(entry)
        wrong = sorted(set(parts["given"]) - set(visible))
        if wrong:
            names = ", ".join(sorted(visible)) or "nothing"
            raise CaseError(f"{file}: '{wrong[0]}' is not what {node} sees: {names}")
        if missing := [name for name in declared if name not in args]:
            raise CaseError(
                f"{node} is asked with {_and(missing)}: --given FILE, or {_form(missing)}"
            )
    return DecisionCase(f"{node}/asked", "", str(file or "ask"), view, entry, **parts)


def _and(names: Iterable[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)


def _form(names: Iterable[str]) -> str:
    """How values are given without a file."""
    return f"--given '{{{', '.join(f'{name}: …' for name in names)}}}'"


def _read(given: str) -> Document | None:
    """The document in a file, or in the text itself, which is a mapping."""
    from treec.source.text import SourceFile
    from treec.source.yaml import read_documents, read_file
    from treec_testing.decisions.cases import CaseError
    from treec_testing.decisions.talk_moment import is_file

    file = Path(given)
    if is_file(file) or (":" not in given and not given.lstrip().startswith("{")):
        text, problems = read_file(file, given)
    else:
        text, problems = SourceFile("--given", given), []
    documents: list[Document] = []
    if text is not None:
        documents, problems = read_documents(text)
    errors = [p for p in problems if p.severity == "error"]
    if errors:
        raise CaseError(f"{errors[0].span}: {errors[0].message}")
    return documents[0] if documents else None


def _transport(library: Library, options: ModelOptions) -> tuple[Transport | None, str | None]:
    from treec.cli.model_options import open_chosen

    opened = open_chosen(library.root, None, options)
    return (None, None) if opened is None else (opened.transport, opened.name)


def _decide(
    situation: Situation, transport: Transport | None, knows: dict[str, object]
) -> DecisionResult:
    from treec_testing.decisions.request_queue import run_sync

    if transport is None:
        return run_sync(situation.decide(None, knows))
    import asyncio

    return asyncio.run(situation.decide(transport, knows))


def _print(decided: DecisionResult, model: str | None) -> None:
    from treec_asking.asking import ONLY
    from treec_testing.decisions.equivalence import format_decision

    for request in decided.requests[:1]:
        for message in request.messages:
            print(f"── {message.role}")
            print(message.content)
        print("── schema of the answer")
        print(json.dumps(request.schema, indent=1, ensure_ascii=False))
    for number, attempt in enumerate(decided.attempts, 1):
        spent = f", {attempt.seconds:.2f} s" if attempt.seconds is not None else ""
        tokens = f", {attempt.output_tokens} tokens" if attempt.output_tokens is not None else ""
        print(f"── answer {number}, by {attempt.by}{spent}{tokens}")
        print(attempt.answer)
        print(f"→ {attempt.verdict}")
    for number, passed in enumerate(decided.passed_on, 1):
        print(f"── {number} {passed}")
    if decided.requests or decided.passed_on:
        print("──")
    if decided.by == "always":
        print("A certain rule decides; no model is asked.")
    elif decided.by == ONLY:
        print("Nothing else can be answered; no model is asked.")
    elif model is None:
        rules = "" if decided.by.startswith("distilled/") else "; the node's own rules answer"
        print(f"No model is asked{rules}.")
    elif decided.failed is not None:
        what = "No valid answer" if decided.attempts else "No answer"
        print(f"{what} came: {decided.failed}. The node's own rules answer.")
    print(f"decided by {decided.by}: {format_decision(decided.decision)}")


def _data(node: str, decided: DecisionResult) -> dict[str, object]:
    request = decided.requests[0] if decided.requests else None
    return {
        "node": node,
        "by": decided.by,
        "decision": decided.decision,
        "failed": decided.failed,
        "passed_on": decided.passed_on,
        "request": None
        if request is None
        else {
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "schema": request.schema,
        },
        "attempts": [attempt.model_dump() for attempt in decided.attempts],
    }

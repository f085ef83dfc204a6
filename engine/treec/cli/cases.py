"""``treec cases``: play the test cases for whole systems, with every kept answer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.model_options import (
    ApiBaseOption,
    MaxCostOption,
    MaxTokensOption,
    ModelOption,
    open_chosen,
)
from treec.cli.snapshot import check
from treec.run.model_choice import ModelOptions

if TYPE_CHECKING:
    from treec.decisions.exchanges import ExchangeCase, ExchangeResult


def command(
    which: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WHICH]...", help="Exchanges: names or files (default: all)."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", metavar="AUTHOR", help="Only answers of this author, such as rules; repeatable."
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="AUTHOR", help="Keep the answers of --model as AUTHOR's."),
    ] = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Play the test cases for whole systems.

    These are the exchanges in tests/exchanges: each starts from a state, hears words and is
    watched. It is played by the files' own rules, by every kept answer, or by --model. Exit status
    0 if all is as expected, 1 otherwise.
    """
    from treec.decisions.cases import CaseError
    from treec.decisions.exchanges import load_exchanges, select_exchanges

    if record is not None and model is None:
        raise Stop("--record needs --model")
    if record is not None and not re.fullmatch(r"[\w.-]*\w", record):
        raise Stop("--record: an author is a word, such as gpt-4o")
    if model is not None and by:
        raise Stop("--by and --model exclude each other")
    found = open_library(library)
    check(found)
    options = ModelOptions(model, api_base, model is None, max_cost, max_tokens)
    try:
        exchanges = load_exchanges(found)
        for word in which or ():
            if not select_exchanges(exchanges, [word]):
                names = ", ".join(one.name for one in exchanges) or "none"
                raise Stop(f"no exchange is called '{word}': there are {names}")
        results = [
            result
            for exchange in select_exchanges(exchanges, which or ())
            for result in _play(exchange, by or [], options, record)
        ]
    except CaseError as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        print(json.dumps([_data(result) for result in results], indent=2, ensure_ascii=False))
    else:
        _print(results)
    return 0 if all(result.ok for result in results) else 1


def _play(
    exchange: ExchangeCase, by: list[str], options: ModelOptions, author: str | None
) -> list[ExchangeResult]:
    from treec.ask.recordings import RecordingError
    from treec.decisions import exchanges

    if options.model is None:
        authors = [name for name in exchange.authors() if not by or name in by]
        return [exchanges.play(exchange, name, exchange.transport(name)) for name in authors]
    opened = open_chosen(exchange.root, exchange.view.system.model, options)  # type: ignore[union-attr]
    assert opened is not None
    choice, transport = opened
    if author is None:
        return [exchanges.play(exchange, choice.name, transport, choice.name)]
    if author in (exchanges.RULES, *exchange.entry.model.answers):
        raise Stop(f"{exchange.name}: '{author}' is not recorded: choose another author")
    try:
        return [exchanges.record(exchange, author, choice.name, transport)]
    except RecordingError as error:
        raise Stop(str(error)) from None


def _data(result: ExchangeResult) -> dict[str, object]:
    return {
        "exchange": result.exchange.name,
        "author": result.author,
        "ok": result.ok,
        "failures": result.failures,
        "known": result.known,
        "said": result.said,
        "requests": result.requests,
        "tokens": result.tokens,
        "seconds": round(result.seconds, 3),
    }


def _print(results: list[ExchangeResult]) -> None:
    name = ""
    width = max((len(result.author) for result in results), default=0)
    for result in results:
        if result.exchange.name != name:
            name = result.exchange.name
            print(f"{name}  {result.exchange.where}")
        verdict = "failed" if result.failures else "ok"
        if result.known:
            verdict = f"fails as known: {result.known}" if result.failures else "NO LONGER FAILS"
        cost = ""
        if result.requests:
            cost = f"  ({result.requests} requests, {result.tokens} tokens, {result.seconds:.1f} s)"
        print(f"  {result.author:<{width}}  {verdict}{cost}")
        if not result.ok:
            for line in (*result.failures, *(f"said: {text}" for text in result.said)):
                print(f"    {line}")
            if not result.failures:
                print(f"    remove '{result.author}' from `fails`")
    wrong = sum(not result.ok for result in results)
    plural = "" if len(results) == 1 else "s"
    print(f"{len(results)} answer{plural} played: {wrong or 'none'} not as expected")

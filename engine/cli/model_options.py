"""The options that say which model is asked, and what the files say where the options do not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import Stop
from treec.run.model_choice import ModelOptions, choose_model
from treec.source.durations import parse_duration

if TYPE_CHECKING:
    from treec.ask.models import ModelChoice, ModelTransport
    from treec.files.systems import SystemFile


def _duration(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


ModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", help="The model to ask: openai/…, anthropic/…, ollama/…"),
]
ApiBaseOption = Annotated[
    str | None,
    typer.Option("--api-base", help="URL of the model's server (default: the provider's)."),
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Ask no model, even if a file names one.")
]
MaxCostOption = Annotated[
    float | None,
    typer.Option("--max-cost", min=0.0, help="Limit on the models' cost, in US dollars."),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option("--max-tokens", min=0, help="Limit on tokens, of all prompts and answers."),
]
MaxTimeOption = Annotated[
    float | None,
    typer.Option(
        "--max-time",
        parser=_duration,
        metavar="DURATION",
        help="Limit on the total time spent waiting for answers: 5m.",
    ),
]


def check_options(options: ModelOptions) -> None:
    """Raise Stop for options that contradict one another."""
    if options.offline and options.model is not None:
        raise Stop("--offline asks nobody, and --model names somebody: choose one")


def open_chosen(
    root: Path, system: SystemFile | None, options: ModelOptions, others: Iterable[str] = ()
) -> tuple[ModelChoice, ModelTransport] | None:
    """The chosen model, ready to be asked; None: none. Raises Stop.

    ``others`` are the models that nodes name for themselves.
    """
    from treec.files.settings import SettingsError

    try:
        choice = choose_model(root, system, options)
    except SettingsError as error:
        raise Stop(str(error)) from None
    if choice is None:
        return None
    from treec.ask.models import CannotAsk, open_model

    try:
        return choice, open_model(choice, others)
    except CannotAsk as error:
        raise Stop(str(error)) from None

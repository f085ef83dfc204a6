"""The options that say which model is asked, and what the files say where the options do not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import Stop
from treec.source.durations import parse_duration

if TYPE_CHECKING:
    from treec.ask.models import Choice, ModelTransport
    from treec.files.systems import SystemFile


def _duration(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", help="Asked: openai/…, anthropic/…, ollama/…; keys from the env."
    ),
]
ApiBaseOption = Annotated[
    str | None, typer.Option("--api-base", help="The model's server, if not its provider's.")
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Ask no model, whatever the files say.")
]
MaxCostOption = Annotated[
    float | None, typer.Option("--max-cost", min=0.0, help="US dollars that models may cost.")
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", min=0, help="Tokens of all prompts and answers.")
]
MaxTimeOption = Annotated[
    float | None,
    typer.Option(
        "--max-time", parser=_duration, metavar="DURATION", help="Waiting for answers in all: 5m."
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """What the command line says of the model."""

    model: str | None = None
    api_base: str | None = None
    offline: bool = False
    max_cost: float | None = None
    max_tokens: int | None = None
    max_time: float | None = None

    def check(self) -> None:
        """Raise Stop for options that contradict one another."""
        if self.offline and self.model is not None:
            raise Stop("--offline asks nobody, and --model names somebody: choose one")


def choose_model(root: Path, system: SystemFile | None, options: ModelOptions) -> Choice | None:
    """The model to ask: the command line's, else the system's, else the library's; None: none.

    Raises SettingsError.
    """
    from treec.ask.limits import Limits
    from treec.ask.models import Choice
    from treec.files.settings import read_settings

    if options.offline:
        return None
    settings = read_settings(root)
    name = options.model or (system.model if system else None) or settings.model.name
    if name is None:
        return None
    base = options.api_base
    if base is None and settings.model.name in (None, name):  # another model lives elsewhere
        base = settings.model.api_base
    limits = Limits(options.max_time, options.max_tokens, options.max_cost)
    for spec in (system.limits if system else None, settings.limits):
        if spec is not None:
            limits = limits.over(Limits(spec.time, spec.tokens, spec.cost))
    return Choice(name, base, limits)


def open_chosen(
    root: Path, system: SystemFile | None, options: ModelOptions
) -> tuple[Choice, ModelTransport] | None:
    """The chosen model, ready to be asked; None: none. Raises Stop."""
    from treec.files.settings import SettingsError

    try:
        choice = choose_model(root, system, options)
    except SettingsError as error:
        raise Stop(str(error)) from None
    if choice is None:
        return None
    from treec.ask.models import CannotAsk, open_model

    try:
        return choice, open_model(choice)
    except CannotAsk as error:
        raise Stop(str(error)) from None

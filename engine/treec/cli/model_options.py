"""Options that choose the model, and opening the chosen one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import Stop
from treec.run.model_choice import choose_model
from treec.source.durations import parse_duration
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.ask.open_model import ModelChoice
    from treec.ask.transport import Transport
    from treec.files.systems import SystemFile


def _duration(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", help="Model to ask, such as openai/NAME, anthropic/NAME or ollama/NAME."
    ),
]
ApiBaseOption = Annotated[
    str | None,
    typer.Option("--api-base", help="URL of the model's server (default: the provider's)."),
]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="What finds the nearest memories: auto (sentences if installed), lexical, sentences, "
        "sentences:FOLDER (or a name on the hub), or litellm:PROVIDER/MODEL.",
    ),
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Ask no model, even if the files name one.")
]
MaxCostOption = Annotated[
    float | None,
    typer.Option("--max-cost", min=0.0, help="Limit on cost, in US dollars."),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option("--max-tokens", min=0, help="Limit on tokens, prompts and answers together."),
]
ModelSettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-set",
        metavar="KEY=VALUE",
        help="A key of [model] in treec.toml: timeout=60s, fallback=ollama/NAME, max_tokens=800, "
        "seed=7, reasoning_effort=low, headers.NAME=VALUE, extra_body.NAME=VALUE; several times.",
    ),
]
MaxTimeOption = Annotated[
    float | None,
    typer.Option(
        "--max-time",
        parser=_duration,
        metavar="DURATION",
        help="Limit on the total waiting time for answers, such as 5m.",
    ),
]


def open_chosen(
    root: Path, system: SystemFile | None, options: ModelOptions, others: Iterable[str] = ()
) -> tuple[ModelChoice, Transport] | None:
    """The model that options and files choose, or None. Raises Stop.

    ``others``: further models that nodes name.
    """
    from treec.files.settings import SettingsError

    try:
        choice = choose_model(root, system, options)
    except SettingsError as error:
        raise Stop(str(error)) from None
    if choice is None:
        return None
    from treec.ask.open_model import CannotAsk, open_model

    try:
        return choice, open_model(choice, others)
    except CannotAsk as error:
        raise Stop(str(error)) from None

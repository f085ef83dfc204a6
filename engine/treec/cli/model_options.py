"""Options that choose the model, and opening the chosen one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.api.errors import TreecError
from treec.api.open_model import open_model
from treec.cli.common import Stop
from treec.source.durations import parse_duration
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.ask.asker import OpenedModel
    from treec.files.systems import SystemFile
    from treec.files.view import View


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
    root: Path, system: SystemFile | None, options: ModelOptions, view: View | None = None
) -> OpenedModel | None:
    """See `treec.api.open_model.open_model`. Raises Stop."""
    try:
        return open_model(root, system, options, view)
    except TreecError as error:
        raise Stop(str(error)) from None

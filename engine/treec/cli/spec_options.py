"""Options of the fields of a run's description, and commands that take some of them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from treec.cli.common import Stop
from treec.cli.complete import complete_fault
from treec.cli.model_options import (
    ApiBaseOption,
    EmbedderOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    ModelSettingOption,
    OfflineOption,
)
from treec.cli.task_options import (
    EnvOption,
    JitterOption,
    SceneOption,
    SeedOption,
    SpeedOption,
    TaskOption,
)

T = TypeVar("T")

MODEL = ("model", "api_base", "offline", "max_cost", "max_tokens", "max_time", "model_settings")
"""The fields of `ModelOptions`."""

OPTIONS: dict[str, Any] = {
    "system": Annotated[
        str | None,
        typer.Argument(metavar="[SYSTEM|TREE]", help="A system, or a tree: its name or its file."),
    ],
    "ports": Annotated[
        list[str] | None,
        typer.Argument(metavar="[PORT=VALUE]...", help="Ports of a tree, such as agent=R1."),
    ],
    "scenario": Annotated[
        str | None,
        typer.Option(
            "--scenario",
            "-s",
            help="Scenario of this system, or of another of its domain: user, faults, goal.",
        ),
    ],
    "task": TaskOption,
    "scene": SceneOption,
    "env": EnvOption,
    "dialogue": Annotated[
        list[str] | None,
        typer.Option(
            "--dialogue",
            metavar="WORDS",
            help="What the user says: at first, and if given again, at each of their turns.",
        ),
    ],
    "chat": Annotated[
        bool,
        typer.Option(
            "--chat",
            help="Talk as the user (default without a scenario or task), in a terminal or through "
            "a pipe, each line of which is said at once; with --fast, when it is its turn.",
        ),
    ],
    "seed": SeedOption,
    "jitter": JitterOption,
    "faults": Annotated[
        list[str] | None,
        typer.Option(
            "--inject",
            metavar="[WHEN:] FAULT",
            help="A fault, such as 'fail pick(parcel)', '20s: set at(parcel) == none', 'out R1', "
            "'model silent', 'lose sapien', 'mock */drive=RRS'; several times.",
            autocompletion=complete_fault,
        ),
    ],
    "see": Annotated[
        bool,
        typer.Option(
            "--see",
            help="Ask the providers of skills' needs, such as cameras (default: skills use what "
            "the environment knows).",
        ),
    ],
    "film": Annotated[
        float | None,
        typer.Option("--film", min=0, help="Seconds between frames of a film; 0 for no film."),
    ],
    "memories": Annotated[
        Path | None,
        typer.Option(
            "--memories",
            help="Folder of the memories (default: the library's; a scenario has its own).",
        ),
    ],
    "embedder": EmbedderOption,
    "speed": SpeedOption,
    "fast": Annotated[
        bool, typer.Option("--fast", help="Run on virtual time, as fast as possible.")
    ],
    "heartbeat": Annotated[
        str | None,
        typer.Option(
            "--heartbeat",
            metavar="FILE",
            help="File that is touched while the loop is alive; or a socket, unix:PATH or "
            "udp:HOST:PORT, that gets systemd's WATCHDOG=1.",
        ),
    ],
    "model": ModelOption,
    "api_base": ApiBaseOption,
    "offline": OfflineOption,
    "max_cost": MaxCostOption,
    "max_tokens": MaxTokensOption,
    "max_time": MaxTimeOption,
    "model_settings": ModelSettingOption,
}
"""The option of each field."""


def takes(
    make: Callable[..., T], *names: str
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Let a command have the options of these fields, and get what ``make`` makes of them first."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def with_options(**given: Any) -> int:
            fields = {name: _value(name, given.pop(name)) for name in names}
            made = make(**{name: value for name, value in fields.items() if value is not None})
            return command(made, **given)

        own = list(inspect.signature(command).parameters.values())[1:]
        hints = get_type_hints(command, include_extras=True)
        kinds = {name: OPTIONS[name] for name in names}
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=kind,
                default=False if kind.__origin__ is bool else None,
            )
            for name, kind in kinds.items()
        ] + [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name])
            for one in own
        ]
        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {one.name: one.annotation for one in parameters}
        return with_options

    return decorate


def _value(name: str, given: object) -> object:
    if name == "ports":
        return parse_ports(given or ())  # type: ignore[arg-type]
    if name == "model_settings":
        return parse_settings(given or ())  # type: ignore[arg-type]
    return tuple(given) if isinstance(given, list) else given


def parse_ports(texts: Iterable[str]) -> dict[str, object]:
    """The values of ports, written NAME=VALUE; a value that is no JSON is a text. Raises Stop."""
    ports: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise Stop(f"'{text}' is not a port: write NAME=VALUE, such as agent=R1")
        ports[name] = _parsed(value)
    return ports


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Settings of a model, written KEY=VALUE or KEY.KEY=VALUE. Raises Stop."""
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        *outer, last = name.split(".", 1)
        if not equals or not last:
            raise Stop(f"'{text}' is not a setting: write KEY=VALUE, such as max_tokens=800")
        inner = settings.setdefault(outer[0], {}) if outer else settings
        if not isinstance(inner, dict):
            raise Stop(f"'{outer[0]}' is given twice, as a value and with '.{last}'")
        inner[last] = value if outer == ["headers"] else _parsed(value)
    return settings


def _parsed(value: str) -> object:
    try:
        return json.loads(value)
    except ValueError:
        return value

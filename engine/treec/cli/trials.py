"""Trials of code, which a package beside the core makes: `treec check --deep`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from treec.cli.basics import Stop
from treec.companions import missing_help
from treec.extensions import registry
from treec.source.diagnostics import Diagnostic

CODE = "code"
"""Under this name an extension brings trials of workers, parsers, node classes, environments."""


class CodeReport(Protocol):
    """How trials went."""

    @property
    def problems(self) -> Sequence[Diagnostic]:
        """What was found."""

    def text(self, *, colour: bool = False) -> str:
        """What is printed."""


class Trials(Protocol):
    """Trials of code that names stand for."""

    def make(self, names: Sequence[str], library: Path | None) -> CodeReport:
        """Make all trials. Raises treec.api.errors.TreecError if nothing can be tried."""

    def page(self, id: str) -> str | None:
        """What `treec explain` prints of a trial; None if no trial has this id."""


def find_trials() -> Trials:
    """The trials of the package that is installed. Raises Stop."""
    target = registry().trials.get(CODE)
    if target is None:
        help = missing_help("trials", CODE) or "no installed package makes any"
        raise Stop(f"trials of code cannot be made: {help}")
    return cast("Trials", registry().load(target))

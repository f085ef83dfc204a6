"""Trials of code, which a package beside the core makes: `treec check --deep`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from treec.cli.basics import tool
from treec.source.diagnostics import Diagnostic


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
    return cast("Trials", tool("trials", "trials of code cannot be made"))

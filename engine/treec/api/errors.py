"""Exceptions of the Python API, all derived from :class:`treec.TreecError`."""

from __future__ import annotations

from collections.abc import Iterable

from treec.source.diagnostics import unknown
from treec.source.errors import TreecError as TreecError


class NotFound(TreecError, LookupError):
    """A name is unknown; the message lists or suggests known ones."""

    @classmethod
    def for_name(cls, kind: str, name: str, known: Iterable[str]) -> NotFound:
        """Make the error for an unknown name of a kind, with a suggestion or all known names."""
        return cls(unknown(kind, name, known))


class CheckFailed(TreecError):
    """The library has errors; ``problems`` is the output of ``treec check``."""

    def __init__(self, text: str, problems: str) -> None:
        super().__init__(f"{text}\n\n{problems}")
        self.text = text
        self.problems = problems


class StillRunning(TreecError, TimeoutError):
    """A run goes on after the time that somebody would wait for its end."""

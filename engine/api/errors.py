"""What the Python API raises, all of it a :class:`treec.TreecError`."""

from __future__ import annotations

from collections.abc import Iterable

from treec.files.packs import suggestion


class TreecError(Exception):
    """The base of every error that the Python API raises on purpose."""


class NotFound(TreecError, LookupError):
    """There is nothing of that name; the text says what there is."""

    @classmethod
    def named(cls, kind: str, name: str, known: Iterable[str]) -> NotFound:
        """The error for a name of a kind: what was probably meant, or all that there is."""
        return cls(f"there is no {kind} '{name}': {suggestion(name, list(known), 'there are')}")


class CheckFailed(TreecError):
    """The library has errors; ``problems`` is what ``treec check`` prints of them."""

    def __init__(self, text: str, problems: str) -> None:
        super().__init__(f"{text}\n\n{problems}")
        self.text = text
        self.problems = problems

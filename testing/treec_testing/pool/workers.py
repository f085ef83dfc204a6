"""What makes calls of one function: told each call by a number, it says how each has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from treec.api.errors import TreecError

R = TypeVar("R")


class CannotOpen(TreecError):
    """The workers cannot be had: Ray is not installed, or nothing answers at its address."""


class WorkerDied(Exception):
    """A worker ended while it made a call: it crashed, was killed, or its machine is gone."""


@dataclass(frozen=True)
class Ended(Generic[R]):
    """How a call ended: its result, or what it raised; :class:`WorkerDied` if its worker died."""

    number: int
    result: R | None = None
    error: BaseException | None = None


class Workers(Protocol):
    """What makes calls of one function, ``size`` at a time."""

    size: int

    def begin(self, number: int, item: Any) -> None:
        """Begin the call of a number, which has ended before if it is made again."""

    def wait(self) -> list[Ended[Any]]:
        """Wait until a call ends; all that have ended since."""

    def close(self) -> None:
        """End all workers; calls that have not ended are dropped."""

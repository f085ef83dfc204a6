"""What asks a node outside of a run, which a package beside the core brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from treec.ask.transport import Request, Transport
from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library
from treec.files.systems import SystemFile

OpenTransport = Callable[[Entry[SystemFile]], Transport | None]
"""Opens the model of a system. Raises TreecError."""


class AskResult(Protocol):
    """What a node decided, and how."""

    decision: dict[str, Any]
    by: str
    """always, offline, fallback, or who answered."""
    failed: str | None
    """Why a request got no answer, or no answer was used."""
    requests: list[Request]
    passed_on: list[str]
    """Which of the file's answerers have passed on, and why."""

    @property
    def accepted(self) -> bool:
        """Whether an answer was used."""


class NodeQuestion(Protocol):
    """What a node is asked in one situation; see :meth:`treec.Definition.ask`."""

    def ask(self) -> AskResult:
        """Ask it, and wait, also in an event loop. Raises TreecError."""

    async def ask_async(self) -> AskResult:
        """Ask it, in an event loop. Raises TreecError."""


class NodeAsker(Protocol):
    """Makes the question of a node in one situation."""

    def __call__(
        self,
        library: Library,
        entry: AnyEntry,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        open_transport: OpenTransport | None,
    ) -> NodeQuestion:
        """The question. Raises TreecError."""

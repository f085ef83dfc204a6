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


class NodeAsker(Protocol):
    """Asks a node in one situation; see :meth:`treec.Definition.ask`."""

    def ask(
        self,
        library: Library,
        entry: AnyEntry,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        open_transport: OpenTransport | None,
    ) -> AskResult:
        """Ask it, and wait. Raises TreecError."""

    async def ask_async(
        self,
        library: Library,
        entry: AnyEntry,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        open_transport: OpenTransport | None,
    ) -> AskResult:
        """Ask it, in an event loop. Raises TreecError."""

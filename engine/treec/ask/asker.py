"""What a run knows of its model, and of whoever sends its nodes' questions to a transport.

The package of the extension that declares the tools `model` and `asker` opens both. Answers arrive
in the inbox, as messages of source ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from treec.ask.transport import Answer, Request, Transport

if TYPE_CHECKING:
    from treec.world.inbox import InboxMessage

SOURCE = "answer"
"""The source of the messages that bring answers."""

Deliver = Callable[[Answer | Exception], None]


class OpenedModel(NamedTuple):
    """The model that a run asks, opened.

    ``names`` are those of all models that it may ask, the ones that nodes name included.
    """

    name: str
    transport: Transport
    names: tuple[str, ...]


class Handle(Protocol):
    """A request in flight."""

    def cancel(self) -> None:
        """Cancel the request. Nothing is delivered after this, not even what is in the inbox."""


class Asker(Protocol):
    """Starts requests, from the loop's thread."""

    def start(self, request: Request, deliver: Deliver, deadline: float | None = None) -> Handle:
        """Start a request; ``deliver`` gets the answer or the exception.

        After ``deadline`` seconds the request ends with TimeoutError.
        """

    def together(self) -> AbstractContextManager[None]:
        """While it is open, requests are kept, so that they leave together."""

    @property
    def busy(self) -> bool:
        """Whether a request is in flight in another thread, so that a message is to be expected."""

    def close(self) -> None:
        """Cancel all requests."""


def deliver_answer(message: InboxMessage) -> None:
    """The loop's handler for messages of source ``answer``."""
    cast("Callable[[], None]", message.payload)()

"""A transport whose model can be made to fail, for whoever tries what a run does about it."""

from __future__ import annotations

from enum import StrEnum

from treec.ask.transport import Answer, Request, Transport, Unavailable, forever

BY = "injected"
"""Who gives the answers of a model that is made to answer nonsense."""

NONSENSE = "injected: this is no answer"


class ModelFault(StrEnum):
    """What is wrong with a model."""

    silent = "silent"
    """It does not answer, so that requests time out."""
    down = "down"
    """Its service refuses every request."""
    garbled = "garbled"
    """Its answers are nonsense."""


class FaultyTransport:
    """Asks another transport, unless there is a fault; it may be set from any thread.

    Requests that are in flight when a fault begins or ends are answered as they were begun.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.fault: ModelFault | None = None

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError."""
        match self.fault:
            case ModelFault.silent:
                await forever()
            case ModelFault.down:
                raise Unavailable("injected: the service of the model is down")
            case ModelFault.garbled:
                return Answer(NONSENSE, by=BY)
        return await self._transport.ask(request)

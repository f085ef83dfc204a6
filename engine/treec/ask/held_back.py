"""A request that is not sent; the journal tells it from others by this module."""

from __future__ import annotations

from treec.ask.transport import TransportError


class HeldBack(TransportError):
    """The request was not sent, since the model does not answer."""

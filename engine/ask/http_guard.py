"""The HTTP client that a model is asked through: it bounds answers, and never tries again itself.

Made by :func:`guarded_client` and not a class at import, since httpx is a heavy package.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treec.ask.transport import TooLarge, Unavailable

if TYPE_CHECKING:
    import httpx

LARGEST = 4_000_000
"""Bytes of a response: an answer of a million characters, in JSON, with its surroundings."""

KEPT = 2000
"""Bytes of a response that are kept, to say what came when it is no answer."""


@dataclass
class Exchange:
    """What one request saw on the wire: the last response's status, its first KEPT bytes, and how
    long to wait.
    """

    status: int | None = None
    begins: bytes = b""
    retry_after: float | None = None
    wrong: Unavailable | TooLarge | None = None


_INSIDE = re.compile(r" ssl:(?:<[^>]*>|\w+)")

EXCHANGE: ContextVar[Exchange | None] = ContextVar("treec_exchange", default=None)
"""The exchange of the task that asks. Libraries between us and the wire rename errors; not this."""


def guarded_client(transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """A client for one event loop, over a transport; httpx' own without one."""
    import httpx

    class Client(httpx.AsyncClient):  # type: ignore[misc]
        async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
            exchange = EXCHANGE.get() or Exchange()
            # What is compressed could unfold to any size after it was counted.
            request.headers["Accept-Encoding"] = "identity"
            streamed = bool(options.pop("stream", False))
            try:
                response = await super().send(request, stream=True, **options)
                exchange.status, exchange.begins = response.status_code, b""
                exchange.retry_after = _seconds(response.headers.get("retry-after"))
                try:
                    _bound(response, exchange)
                    if not streamed:
                        await response.aread()
                except BaseException:
                    await response.aclose()  # also when cancelled: the server shall see it
                    raise
            except httpx.RequestError as error:
                exchange.wrong = Unavailable(_said(error))
                raise exchange.wrong from None
            return response

    def _bound(response: httpx.Response, exchange: Exchange) -> None:
        encoding = response.headers.get("content-encoding", "identity")
        length = response.headers.get("content-length", "")
        if encoding.strip().lower() != "identity":
            exchange.wrong = TooLarge(f"the answer came compressed ({encoding}), unasked")
        elif length.isdigit() and int(length) > LARGEST:
            exchange.wrong = _too_large(f"{int(length):,} bytes")
        else:
            response.stream = Counted(response.stream, exchange)
            return
        raise exchange.wrong

    class Counted(httpx.AsyncByteStream):  # type: ignore[misc]
        """A response's bytes, until they are too many."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen = 0
            async for chunk in self._stream:
                seen += len(chunk)
                if len(self._exchange.begins) < KEPT:
                    self._exchange.begins += chunk[: KEPT - len(self._exchange.begins)]
                if seen > LARGEST:
                    self._exchange.wrong = _too_large(f"more than {LARGEST:,} bytes")
                    raise self._exchange.wrong
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    # Deadlines are ours, around the whole call; redirects would carry keys elsewhere.
    return Client(transport=transport, timeout=None, follow_redirects=False)


def _too_large(size: str) -> TooLarge:
    return TooLarge(f"the answer has {size}; at most {LARGEST:,} are read")


def _said(error: httpx.RequestError) -> str:
    """A connection's error in words; httpx leaves many of them empty."""
    name = type(error).__name__
    known = {
        "ConnectError": "the server cannot be reached",
        "ProtocolError": "the server cannot be spoken to",
        "RemoteProtocolError": "the server broke the answer off",
        "ReadError": "the connection broke while the answer came",
        "WriteError": "the connection broke while the request went out",
        "RequestError": "what came is no HTTP",
    }
    told, why = known.get(name, name), _why(error)
    return f"{told}: {why}" if why else told


def _why(error: httpx.RequestError) -> str:
    """What the system said, where it did; else the library's words, without its own inside."""
    import ssl

    system = getattr(error.__cause__, "os_error", None)
    if isinstance(system, ssl.SSLError):
        return str(system.reason or system.strerror)
    if isinstance(system, OSError):
        if system.errno is None:
            return "the connection was closed"
        return os.strerror(system.errno) if system.errno > 0 else str(system.strerror)
    return _INSIDE.sub("", str(error))


def _seconds(text: str | None) -> float | None:
    """A Retry-After header in seconds; one that is a date counts from now."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None

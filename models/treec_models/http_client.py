"""One HTTP POST to a model's server: bounded, never repeated, its errors in words.

httpx is imported when the first request is sent, or by :func:`require_httpx`: it takes 80 ms.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from treec.ask.transport import TooLarge, Unavailable
from treec_models.model_client import NotReady

if TYPE_CHECKING:
    import asyncio

    import httpx

LARGEST = 4_000_000
"""Bytes of a response: an answer of a million characters, in JSON, with its surroundings."""

IDLE = 60.0
"""Seconds for which an unused connection is kept open."""

_LOGGERS = ("httpx", "httpcore")
"""They log addresses and headers; the journal has the outcome of each request."""


def require_httpx() -> None:
    """Import httpx, and keep it quiet. Raises NotReady when it is not installed."""
    if find_spec("httpx") is None:
        raise NotReady(
            "asking a model needs the package httpx, which is not installed: "
            "pip install 'treec[models]'"
        )
    import logging

    import httpx  # noqa: F401

    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A server's response. ``retry_after``: seconds after which to try again, if it says so."""

    status: int
    body: bytes
    retry_after: float | None


class HttpClient:
    """Posts over connections that are kept open, in one event loop at a time.

    The proxy is the environment's. Deadlines are the caller's; redirects are not followed, since
    they would carry keys elsewhere. ``connect`` makes what stands for the network in tests.

    Each request under way has a transport of one connection to itself: a pool of httpx looks at
    all its connections whenever a request begins or ends, which takes more processor time than
    all else when fifteen are sent at once.
    """

    def __init__(self, connect: Callable[[], httpx.AsyncBaseTransport] | None = None) -> None:
        self._connect = connect
        self._idle: list[httpx.AsyncBaseTransport] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Future[None] | None = None

    async def post(self, url: str, headers: Mapping[str, str], content: bytes) -> HttpResponse:
        """The response to a POST. Raises Unavailable, TooLarge."""
        import httpx

        # A compressed answer could unfold to any size after its bytes were counted.
        sent = {"Accept": "application/json", "Accept-Encoding": "identity", **headers}
        request = httpx.Request("POST", url, headers=sent, content=content)
        transport = self._transport(url)
        async with AsyncExitStack() as undo:
            # Also when cancelled: the server shall see it.
            undo.push_async_callback(transport.aclose)
            try:
                response = await transport.handle_async_request(request)
                found = await _read(response)
            except httpx.RequestError as error:
                raise Unavailable(_describe_error(error)) from None
            undo.pop_all()
        self._idle.append(transport)
        return found

    def _transport(self, url: str) -> httpx.AsyncBaseTransport:
        import asyncio

        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            require_httpx()
            self._loop, self._idle = loop, []
            self._connect = self._connect or _connector(url)
            self._closing = asyncio.ensure_future(_close_with_the_loop(self._idle))
        if self._idle:
            return self._idle.pop()
        assert self._connect is not None
        return self._connect()


def _connector(url: str) -> Callable[[], httpx.AsyncBaseTransport]:
    """Makes transports to a server, directly or through the proxy that the environment names."""
    from urllib.request import getproxies, proxy_bypass

    import httpx

    address = httpx.URL(url)
    proxies = getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if proxy_bypass(address.host):
        proxy = None
    verify = httpx.create_ssl_context() if address.scheme == "https" else False
    limits = httpx.Limits(max_connections=1, keepalive_expiry=IDLE)
    return lambda: httpx.AsyncHTTPTransport(verify=verify, limits=limits, proxy=proxy)


async def _close_with_the_loop(transports: list[httpx.AsyncBaseTransport]) -> None:
    """Keep connections until their loop ends, which cancels what is left in it."""
    import asyncio

    try:
        await asyncio.get_running_loop().create_future()
    finally:
        for transport in transports:
            await transport.aclose()


async def _read(response: httpx.Response) -> HttpResponse:
    """A response with its body. Raises TooLarge as soon as that is known."""
    encoding = response.headers.get("content-encoding", "identity")
    length = response.headers.get("content-length", "")
    if encoding.strip().lower() != "identity":
        raise TooLarge(f"the answer is compressed ({encoding}), which was not requested")
    if length.isdigit() and int(length) > LARGEST:
        raise _too_large(f"{int(length):,} bytes")
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_raw():
        size += len(chunk)
        if size > LARGEST:
            raise _too_large(f"more than {LARGEST:,} bytes")
        chunks.append(chunk)
    return HttpResponse(response.status_code, b"".join(chunks), wait_of(response.headers))


def _too_large(size: str) -> TooLarge:
    return TooLarge(f"the answer has {size}; at most {LARGEST:,} are read")


def _describe_error(error: httpx.RequestError) -> str:
    """A connection's error in words, without the insides of libraries."""
    import httpx

    if isinstance(error, httpx.RemoteProtocolError):
        text = str(error)
        closed = "disconnected" in text or "closed" in text
        return "the server closed the connection" if closed else "the server does not speak HTTP"
    words: dict[type[Exception], str] = {
        httpx.ConnectError: "the server cannot be reached",
        httpx.ProxyError: "the proxy refused",
        httpx.ReadError: "the connection broke during the answer",
        httpx.WriteError: "the connection broke during the request",
        httpx.LocalProtocolError: "the request cannot be sent",
    }
    description = words.get(type(error), type(error).__name__)
    reason = _system_error(error)
    return f"{description}: {reason}" if reason else description


def _system_error(error: BaseException | None) -> str:
    """What the operating system or TLS said, from the bottom of a chain of errors."""
    import ssl

    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
            continue
        if isinstance(error, ssl.SSLError):
            return getattr(error, "verify_message", "") or str(error.reason or error.strerror)
        if isinstance(error, OSError) and error.errno is not None:
            return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
        error = error.__cause__ or error.__context__
    return ""


def wait_of(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait that headers name: in milliseconds, in seconds, or by a date."""
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _seconds(text)
    if text is None or seconds is not None:
        return seconds
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _seconds(text: str | None) -> float | None:
    try:
        value = float((text or "").strip().removesuffix("s"))
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None

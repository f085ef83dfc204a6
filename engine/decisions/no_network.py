"""Nothing beyond this machine is reached: what tries to, is stopped and remembered.

An audit hook sees every connection and every look-up of a name that Python's own sockets make,
whichever library asks for it. Programs that a test starts are not seen.
"""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ADDRESSED = ("socket.connect", "socket.sendto", "socket.sendmsg")
_NAMED = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


class NetworkForbidden(RuntimeError):
    """Something reached for the network."""


_watching: list[list[str]] = []
_allowed = 0
_hooked = False


@contextmanager
def forbidden() -> Iterator[list[str]]:
    """Forbid the network in here; the list says what was reached for all the same."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_hook)  # for good: Python has no way to take one off
        _hooked = True
    reached: list[str] = []
    _watching.append(reached)
    try:
        yield reached
    finally:
        _watching.remove(reached)


@contextmanager
def allowed() -> Iterator[None]:
    """Allow it in here, whoever forbids it outside."""
    global _allowed
    _allowed += 1
    try:
        yield
    finally:
        _allowed -= 1


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _watching or _allowed or not event.startswith("socket."):
        return
    if event in _ADDRESSED:
        address = args[1]
        host = address[0] if isinstance(address, tuple) and address else None  # else a local socket
    elif event in _NAMED:
        host = args[0]
    else:
        return
    if host is None or is_here(host):
        return
    told = host.decode("utf-8", "replace") if isinstance(host, bytes) else str(host)
    _watching[-1].append(told)
    raise NetworkForbidden(f"tests do not reach beyond this machine: {told}")


def is_here(host: object) -> bool:
    """Whether a host is this machine."""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if text in ("", "localhost", "<broadcast>", "0.0.0.0", "::"):
        return text != "<broadcast>"
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return text.endswith(".localhost")

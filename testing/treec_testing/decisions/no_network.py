"""Forbids network access beyond this machine, and records attempts.

An audit hook sees every connection and name lookup of Python's own sockets. Subprocesses are not
covered.
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
    """Network access while it is forbidden."""


_watching: list[list[str]] = []
_allowed = 0
_hooked = False


@contextmanager
def forbid_network() -> Iterator[list[str]]:
    """Forbid the network within the block. Yields a list of the hosts that were tried."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_hook)  # audit hooks cannot be removed
        _hooked = True
    hosts: list[str] = []
    _watching.append(hosts)
    try:
        yield hosts
    finally:
        _watching.remove(hosts)


@contextmanager
def allow_network() -> Iterator[None]:
    """Allow the network within the block, even where it is forbidden outside."""
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
    if host is None or is_local(host):
        return
    name = host.decode("utf-8", "replace") if isinstance(host, bytes) else str(host)
    _watching[-1].append(name)
    raise NetworkForbidden(f"tests may not access the network: {name}")


def is_local(host: object) -> bool:
    """Whether a host is this machine."""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if text in ("", "localhost", "<broadcast>", "0.0.0.0", "::"):
        return text != "<broadcast>"
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return text.endswith(".localhost")

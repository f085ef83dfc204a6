"""No test reaches beyond this machine: enforced by the pytest plugin, in this suite too."""

from __future__ import annotations

import asyncio
import socket
import urllib.request

import pytest

from treec_testing.decisions.no_network import (
    NetworkForbidden,
    allow_network,
    forbid_network,
    is_local,
)

ELSEWHERE = "192.0.2.1"  # set aside for examples: nobody lives there


def test_it_is_forbidden_in_this_suite(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("treec_forbid_network") is True
    assert pytestconfig.pluginmanager.has_plugin("treec")


def test_a_connection_beyond_this_machine_is_stopped_and_remembered() -> None:
    with forbid_network() as reached, socket.socket() as it, pytest.raises(NetworkForbidden):
        it.connect((ELSEWHERE, 80))
    assert reached == [ELSEWHERE]


def test_so_are_names_and_datagrams() -> None:
    with forbid_network() as reached:
        with pytest.raises(NetworkForbidden):
            socket.getaddrinfo("example.invalid", 80)
        with socket.socket(type=socket.SOCK_DGRAM) as it, pytest.raises(NetworkForbidden):
            it.sendto(b"x", (ELSEWHERE, 9))
    assert reached == ["example.invalid", ELSEWHERE]


def test_libraries_that_catch_the_error_are_remembered_all_the_same() -> None:
    with forbid_network() as reached:
        with pytest.raises((OSError, NetworkForbidden)):
            urllib.request.urlopen("http://example.invalid/")
        with pytest.raises((OSError, NetworkForbidden)):
            asyncio.run(asyncio.open_connection(ELSEWHERE, 80))
    assert reached == ["example.invalid", ELSEWHERE]


def test_this_machine_may_be_reached() -> None:
    with forbid_network() as reached, socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, port)).close()
    assert reached == []


def test_what_is_allowed_inside_is_not_stopped() -> None:
    with forbid_network() as reached, allow_network(), socket.socket() as it:
        it.setblocking(False)
        assert it.connect_ex((ELSEWHERE, 80)) != 0
    assert reached == []


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("::1%lo", True),
        (b"localhost", True),
        ("api.localhost", True),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("<broadcast>", False),
    ],
)
def test_what_counts_as_this_machine(host: str | bytes, here: bool) -> None:
    assert is_local(host) is here

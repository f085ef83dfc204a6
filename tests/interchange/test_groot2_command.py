"""`--monitor groot2`: from the command line to a monitor, and what is said where it cannot be."""

from __future__ import annotations

import re
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

import py_trees
import pytest

import treec as treec_api
from tests.cli.conftest import Treec, library, treec
from tests.support.extensions import using
from treec import TreecError, companions

__all__ = ["library", "treec"]
DEMO = ("run", "warehouse", "--scenario", "morning_shift", "--fast")


def free_port() -> int:
    """A port that is free, as the next one is."""
    for _ in range(100):
        with socket.socket() as one, socket.socket() as other, suppress(OSError):
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            other.bind(("127.0.0.1", port + 1))
            return port
    raise AssertionError("no two free ports")


@pytest.mark.few(2)
@pytest.mark.parametrize("address", ["x", "1:", "-1", "65535", "a b", "²"])
def test_what_is_no_address_is_refused(treec: Treec, library: Path, address: str) -> None:
    done = treec(*DEMO, "-L", library, "--monitor", f"groot2={address}")
    assert done.status == 2
    assert "write [HOST:]PORT, such as 1667 or 0.0.0.0:1667" in done.err
    assert list((library / "runs").iterdir()) == []


def test_a_port_that_is_taken_begins_no_run(treec: Treec, library: Path) -> None:
    pytest.importorskip("zmq")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = treec(*DEMO, "-L", library, "--monitor", f"groot2={port}")
    assert done.status == 2
    ports = f"the ports {port} and {port + 1} cannot be used: Address already in use"
    assert f"monitor groot2={port}: {ports}" in done.err
    assert list((library / "runs").iterdir()) == []


def test_without_its_extra_it_says_what_to_install(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    monkeypatch.delitem(sys.modules, "treec_interchange.groot2", raising=False)
    done = treec(*DEMO, "-L", library, "--monitor", "groot2")
    assert done.status == 2
    assert "needs the package 'pyzmq', which is not installed" in done.err
    assert "pip install 'treec[groot2]'" in done.err
    assert list((library / "runs").iterdir()) == []


def test_without_its_package_it_says_what_to_install(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companions, "_is_found", lambda module: False)
    with using(without=("interchange",)):
        done = treec(*DEMO, "-L", library, "--monitor", "groot2")
    assert done.status == 2
    assert "monitor groot2: it is in the package treec-interchange, which is not" in done.err


def test_a_page_without_a_run_shows_groot_nothing(treec: Treec, library: Path) -> None:
    done = treec("serve", "--monitor", "groot2=0", "-L", library)
    assert (done.status, "specify the system to run" in done.err) == (2, True)


@pytest.mark.thorough
def test_a_monitor_sees_a_run_of_the_command_line(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("msgpack")
    btview = pytest.importorskip("btview.client")
    from treec_interchange.groot2 import Groot2Publisher

    seen: list[set[str]] = []

    class Watched(Groot2Publisher):
        """Is looked at from outside after each tick."""

        def _look(self) -> None:
            super()._look()
            monitor = btview.Groot2Client(port=self.port, timeout_ms=30_000)
            statuses = monitor.poll().statuses.values()
            seen.append({state.status.name for state in statuses})
            monitor.close()

    monkeypatch.setattr("treec_interchange.groot2.Groot2Publisher", Watched)
    done = treec(*DEMO, "-L", library, "--monitor", "groot2=0")
    assert done.status == 0
    assert re.search(r"Groot2 can attach to 127\.0\.0\.1:\d+$", done.err, re.MULTILINE)
    assert {"RUNNING", "SUCCESS"} <= set.union(*seen)
    assert "treec groot2" not in [thread.name for thread in threading.enumerate()]


def test_a_run_from_python_is_shown(library: Path) -> None:
    btview = pytest.importorskip("btview.client")
    workspace = treec_api.open(library)
    port = free_port()
    with workspace.start("warehouse", monitors=[f"groot2={port}"]) as run:
        monitor = btview.Groot2Client(port=port, timeout_ms=30_000)
        assert monitor.fetch_tree().name == "warehouse_main"
        for _ in range(1000):  # until its first tick is over
            if monitor.poll().statuses[1].status.name == "RUNNING":
                break
        assert monitor.poll().statuses[1].status.name == "RUNNING"
        run.say("Start the morning orders.")
        monitor.close()
    assert "treec groot2" not in [thread.name for thread in threading.enumerate()]
    with pytest.raises(TreecError, match="unknown monitor 'grot2'; did you mean 'groot2'"):
        workspace.start("warehouse", monitors=["grot2"])


def test_a_tree_in_a_tree_of_somebodys_own_is_shown(library: Path) -> None:
    btview = pytest.importorskip("btview.client")
    port = free_port()
    tree = treec_api.open(library).compile(seconds_per_tick=0.5, monitors=[f"groot2={port}"])
    root = py_trees.trees.BehaviourTree(tree)
    root.setup()
    monitor = btview.Groot2Client(port=port, timeout_ms=30_000)
    assert monitor.poll().statuses[1].status.name == "IDLE"
    root.tick()
    assert monitor.poll().statuses[1].status.name == "RUNNING"
    monitor.close()
    root.shutdown()
    assert "treec groot2" not in [thread.name for thread in threading.enumerate()]

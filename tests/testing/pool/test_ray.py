"""The same calls on Ray: on this machine, and on a cluster of two nodes of which one is killed."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import treec
from tests.experiments.conftest import experiment, library
from treec_testing.pool.ray_workers import _named, address_of
from treec_testing.pool.spread import Pool, spread
from treec_testing.pool.workers import CannotOpen

__all__ = ["experiment", "library", "treec"]
LIMIT = 60.0
"""Real seconds that anything may take that is waited for."""


@pytest.mark.parametrize(
    ("on", "address"),
    [
        ("ray", None),
        ("ray=auto", "auto"),
        ("ray=10.0.0.1:6379", "10.0.0.1:6379"),
        ("ray://head:10001", "ray://head:10001"),
    ],
)
def test_where_ray_is(on: str, address: str | None) -> None:
    assert address_of(on) == address


@pytest.mark.parametrize("on", ["rays", "ray=", "ray://", "dask", "ray auto"])
def test_what_is_no_address_is_refused(on: str) -> None:
    with pytest.raises(CannotOpen, match=r"--on is ray \(this machine\)"):
        address_of(on)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(CannotOpen, match=r"pip install 'treec\[ray\]'"):
        list(spread(abs, [1], Pool(on="ray")))


@pytest.mark.parametrize("kind", [ModuleNotFoundError, RuntimeError])
def test_what_a_worker_cannot_import_is_named(kind: type[Exception]) -> None:
    """Ray raises it as it is, or in an error of its own."""
    named = _named(kind("System error: No module named 'mine'\n  File …"))
    assert isinstance(named, CannotOpen)
    assert str(named).startswith("a worker cannot import what it was sent (No module named 'mine')")
    other = ValueError("of the call")
    assert _named(other) is other


class Cluster:
    """A head and another node, each with one processor."""

    def __init__(self, **head: Any) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster as RayCluster

        node = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024}
        self._cluster = RayCluster(
            initialize_head=True, head_node_args={**node, **head, "include_dashboard": False}
        )
        self.other: Any = self._cluster.add_node(**node)
        self._cluster.wait_for_nodes()
        self.on = f"ray={self._cluster.address}"

    def kill_other(self) -> None:
        self._cluster.remove_node(self.other, allow_graceful=False)

    def close(self) -> None:
        self._cluster.shutdown()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    pytest.importorskip("ray")
    made = Cluster()
    yield made
    made.close()


def hang_on_other(other: str, folder: str, number: int) -> tuple[int, str]:
    """Say where this is, and never return from one node."""
    import ray

    node = ray.get_runtime_context().get_node_id()
    with (Path(folder) / "begun").open("a") as file:
        file.write(f"{number} {node}\n")
    if node == other:
        threading.Event().wait(LIMIT)
    return number, node


@pytest.mark.slow
def test_what_a_killed_node_did_is_done_by_the_other_and_counted_once(
    cluster: Cluster, tmp_path: Path
) -> None:
    other = cluster.other.node_id
    begun = tmp_path / "begun"
    begun.touch()

    def kill() -> None:
        pause = threading.Event()
        for _ in range(int(LIMIT / 0.05)):
            if other in begun.read_text("utf-8"):
                break
            pause.wait(0.05)
        cluster.kill_other()

    killer = threading.Thread(target=kill)
    killer.start()
    said: list[str] = []
    work = partial(hang_on_other, other, str(tmp_path))
    done = list(spread(work, range(8), Pool(on=cluster.on, warn=said.append)))
    killer.join(LIMIT)
    assert sorted(number for number, _ in done) == list(range(8))
    assert all(result == (number, result[1]) and result[1] != other for number, result in done)
    lines = begun.read_text("utf-8").splitlines()
    lost = [line for line in lines if line.endswith(other)]
    assert len(lost) >= 1
    assert len(lines) == 8 + len(lost)
    assert len(said) == len(lost)


@pytest.mark.slow
def test_a_cluster_is_reached_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By `ray://`, whose workers import from the current folder as well."""
    pytest.importorskip("ray")
    pytest.importorskip("grpc")
    (tmp_path / "only_here.py").write_text("def double(number):\n    return 2 * number\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = Cluster(ray_client_server_port=port, min_worker_port=0, max_worker_port=0)
    try:
        from only_here import double

        on = Pool(on=f"ray://127.0.0.1:{port}")
        assert sorted(spread(double, range(4), on)) == [(n, 2 * n) for n in range(4)]
    finally:
        made.close()


@pytest.mark.slow
def test_results_and_journals_are_those_of_one_core(
    experiment: Any, library: Path, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    call = ("mosaic.planner", "-L", library, "--recipes", 1, "--n", 1, "-j")
    one = experiment(*call, 1, "--keep", tmp_path / "one")
    two = experiment(*call, 2, "--on", "ray", "--keep", tmp_path / "two")
    assert one.status == two.status == 0, one.err + two.err
    assert one.out == two.out
    files = sorted(f.relative_to(tmp_path / "one") for f in (tmp_path / "one").rglob("*.jsonl*"))
    assert len(files) >= 8
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()

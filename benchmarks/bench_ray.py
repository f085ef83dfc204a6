"""Trials of MOSAIC's planner on one core, in two processes, and on Ray's cluster of two nodes.

The nodes are of this machine, with a processor each (`ray.cluster_utils.Cluster`). In the last row
one of them is killed as soon as half of the trials are done. It is measured by
``python -m benchmarks ray``, with the extra `ray`.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from experiments.mosaic.plan import DIFFICULTIES, draw_plans
from experiments.mosaic.pool import run_trials
from experiments.mosaic.rows import ROWS
from experiments.mosaic.trial import MosaicTrial, set_up
from treec.files.library import load_library
from treec_testing.pool.spread import Pool

OBJECTS = 80 * 1024 * 1024
"""Bytes of a node's object store."""


@contextmanager
def cluster() -> Iterator[tuple[str, Callable[[], object]]]:
    """Two nodes: where they are, and what kills one."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": OBJECTS}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        other = made.add_node(**node)
        made.wait_for_nodes()
        yield f"ray={made.address}", lambda: made.remove_node(other, allow_graceful=False)
    finally:
        made.shutdown()  # type: ignore[no-untyped-call]


def run(small: bool) -> list[Table]:
    """The table."""
    library = load_library(ROOT)
    kitchen = set_up(library, "mosaic", contracts=True).kitchen
    trials = [
        MosaicTrial(row.key, plan, index, number, 0)
        for row in ROWS
        if not row.not_run
        for difficulty in DIFFICULTIES
        for index, plan in enumerate(draw_plans(kitchen, 0, 1, difficulty))
        for number in range(1 if small else 6)
    ]
    rows: list[tuple[Cell, ...]] = []
    expected = ""

    def measure(name: str, pool: Pool, then: Callable[[], object] | None = None) -> None:
        nonlocal expected
        done = 0

        def tell() -> None:
            nonlocal done
            done += 1
            if done == len(trials) // 2 and then is not None:
                then()

        deaths: list[str] = []
        told = Pool(pool.jobs, pool.on, deaths.append)
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            results = run_trials(library, "mosaic", trials, pool=told, keep=Path(folder), tell=tell)
            seconds = time.perf_counter() - began
            journals = sha256()
            for path in sorted(Path(folder).rglob("*.jsonl*")):
                journals.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
        digest = journals.hexdigest()
        expected = expected or digest
        same = "the same" if digest == expected else "others"
        speed = rows[0][2] / seconds if rows else 1.0  # type: ignore[operator]
        rows.append((name, len(results), seconds, float(speed), len(deaths), same))

    measure("one process", Pool(1))
    measure("--jobs 2", Pool(2))
    with cluster() as (on, _):
        measure("--on ray, two nodes", Pool(on=on))
    with cluster() as (on, kill):
        measure("the same, one killed", Pool(on=on), kill)
    return [
        Table(
            "Trials of the planner, spread",
            ("where", "trials", "s", "times as fast", "workers lost", "journals and intents"),
            rows,
            (
                "Each worker loads the library first, which is in the time; a cluster's start is "
                "not. The node is killed when half of the trials are done.",
            ),
        )
    ]

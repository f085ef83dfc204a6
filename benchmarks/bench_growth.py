"""What history and size cost: hours of talk, long recipes, many robots, long journals."""

from __future__ import annotations

import gc
import random
import re
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from benchmarks.bench_talk import LINES
from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run, RunOutcome
from treec.run.state import fold
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, read_journal

EVERY = 10.0
"""Simulated seconds between two lines of the person."""

SCENARIO = """\
scenario: all_orders
about: The operator agrees to everything.
system: warehouse
user:
  - says: Start the many orders.
    means: [{choose: {recipe: Many Orders}}]
  - whenever: proposals
    says: Yes, go ahead.
    means: [accept]
expect: {finally: all_done, within: 2000h}
"""


def run(small: bool) -> list[Table]:
    """One table for hours, one for recipes and robots, one for a journal."""
    with tempfile.TemporaryDirectory() as name:
        # One folder for all libraries: a process imports a library's package from one place.
        folder = Path(name) / "library"
        return [_hours(small), _sizes(folder, small), _journals(folder, small)]


def _hours(small: bool) -> Table:
    library = load_library(ROOT)
    clock, journal = VirtualClock(), Journal.in_memory()
    mosaic = Run(View(library, library.find("system", "mosaic")), clock, journal, chat=True)
    rng = random.Random("growth")
    rows: list[tuple[Cell, ...]] = []
    first = 0.0
    for hour in range(1, 2 if small else 9):
        end = clock.now() + (30.0 if small else 3600.0)

        def talk(end: float = end) -> None:
            while clock.now() < end:
                mosaic.say(rng.choice(LINES))
                mosaic.loop.run(deadline=clock.now() + EVERY)

        cost = _cpu(talk)
        first = first or cost
        rows.append((f"{hour}", cost, cost / first, len(journal.records)))
    mosaic.loop.shutdown()
    return Table(
        "Simulated hours of a conversation",
        ("hour", "CPU, s", "to the first", "records"),
        rows,
        (f"MOSAIC, without a model; a line every {EVERY:g} s. Goal: the eighth at most 1.2.",),
    )


def _sizes(folder: Path, small: bool) -> Table:
    sizes = [(4, 1)] if small else [(500, 1), (1000, 1), (2000, 1), (100, 100), (300, 300)]
    rows = [run_warehouse(folder, *size) for size in sizes]
    return Table(
        "Recipes of any length, teams of any size",
        ("subtasks", "robots", "CPU, s", "ms a subtask", "records"),
        rows,
        ("The template `warehouse`; the operator agrees to every proposal.",),
    )


def run_warehouse(folder: Path, subtasks: int, robots: int) -> tuple[Cell, ...]:
    """Run a recipe of so many subtasks to its end."""
    write_warehouse(folder, subtasks, robots)
    journal = Journal.in_memory()
    running = _prepare(folder, journal)
    outcomes: list[RunOutcome] = []
    cost = _cpu(lambda: outcomes.append(running.go()))
    if not outcomes[0].ok:
        raise SystemExit(f"{subtasks} subtasks, {robots} robots: {outcomes[0]}")
    return (subtasks, robots, cost, cost / subtasks * 1000, journal.last)


def _prepare(folder: Path, journal: Journal) -> Run:
    library = load_library(folder)
    view = View(library, library.find("system", "warehouse"))
    return Run(view, VirtualClock(), journal, library.find("scenario", "all_orders"))


def write_warehouse(folder: Path, subtasks: int, robots: int) -> None:
    """Copy the template, with so many crates to inspect and so many robots like Scout."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "templates" / "warehouse", folder)
    shutil.rmtree(folder / "tests")
    scene = folder / "envs" / "warehouse.scene.yaml"
    crates = "".join(f"  box {n}: {{type: Crate, at: aisle 1}}\n" for n in range(subtasks))
    scene.write_text(scene.read_text().rstrip("\n") + "\n" + crates)
    lines = "".join(f"  inspect box {n}: {{}}\n" for n in range(subtasks))
    orders = folder / "trees" / "orders" / "many.recipe.yaml"
    orders.write_text(f"recipe: Many Orders\nabout: Inspect all.\nsubtasks:\n{lines}")
    (folder / "trees" / "scenarios" / "all_orders.scenario.yaml").write_text(SCENARIO)
    scout = (folder / "envs" / "scout.agent.yaml").read_text()
    for n in range(2, robots + 1):
        text = re.sub(r"^agent: Scout$", f"agent: Scout{n}", scout, flags=re.M)
        (folder / "envs" / f"scout{n}.agent.yaml").write_text(text)


def _journals(folder: Path, small: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for subtasks in [4] if small else [200, 800]:
        write_warehouse(folder, subtasks, 1)
        path = folder / "journal.jsonl"
        journal = Journal.create(path)
        _prepare(folder, journal).go()
        journal.close()
        reading = _cpu(lambda path=path: deque(read_journal(path), maxlen=0))  # type: ignore[misc]
        folding = _cpu(lambda path=path: fold(read_journal(path)))  # type: ignore[misc]
        rows.append((journal.last, reading, folding, folding / journal.last * 1e6))
    return Table(
        "A journal, read and replayed",
        ("records", "reading, s", "with replay, s", "µs a record"),
        rows,
    )


def _cpu(action: Callable[[], object]) -> float:
    gc.collect()
    begin = time.process_time()
    action()
    return time.process_time() - begin

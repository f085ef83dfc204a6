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
from treec.run.resume import open_run
from treec.run.run import Run, RunOutcome
from treec.run.state import fold
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, read_journal
from treec.world.spec import RunSpec

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


PATROL = """\
tree: my_robot_main
about: Drive to and fro.
root:
  - skill: go_to
    with: {agent: R1, place: table}
  - skill: go_to
    with: {agent: R1, place: dock}
then: repeat
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
    mosaic = Run(
        View(library, library.find("system", "mosaic")), clock, journal, RunSpec(chat=True)
    )
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
    sizes = (
        [(4, 1)]
        if small
        else [(500, 1), (1000, 1), (2000, 1), (100, 100), (300, 300), (1000, 1000)]
    )
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
    return Run(view, VirtualClock(), journal, RunSpec(scenario="all_orders"))


def write_warehouse(folder: Path, subtasks: int, robots: int) -> None:
    """Copy the template, with so many crates to inspect and so many robots like Scout."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "engine/treec/templates/warehouse", folder)
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
    """A robot drives to and fro; its run is stopped, read, and resumed, again and again."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "engine/treec/templates/empty", folder)
    (folder / "trees" / "my_robot_main.tree.yaml").write_text(PATROL)
    library = load_library(folder)
    view = View(library, library.find("system", "my_robot"))
    path = folder / "journal.jsonl"
    patrol = Run(view, VirtualClock(), Journal.create(path))
    rows: list[tuple[Cell, ...]] = []
    for size in (100, 200) if small else (10_000, 100_000, 1_000_000):
        while patrol.journal.last < size:
            patrol.loop.run(deadline=patrol.clock.now() + 100)
        patrol.journal.close()
        reading = _cpu(lambda: deque(read_journal(path), maxlen=0))
        folding = _cpu(lambda: fold(read_journal(path)))
        begin = time.process_time()
        opened = open_run(path, print)
        clock = VirtualClock(opened.records[-1].t)
        patrol = Run(view, clock, opened.journal, records=opened.records, state=opened.state)
        patrol.loop.run(deadline=clock.now() + 1)
        resuming = time.process_time() - begin
        records = len(opened.records)
        megabytes = path.stat().st_size / 1e6
        rows.append((records, megabytes, reading, folding, resuming, resuming / records * 1e6))
    patrol.loop.shutdown()
    patrol.journal.close()
    return Table(
        "A journal, read, replayed and resumed",
        ("records", "MB", "reading, s", "with replay, s", "resuming, s", "µs a record"),
        rows,
        ("One robot of the template `empty` drives to and fro. Resuming: until the first tick.",),
    )


def _cpu(action: Callable[[], object]) -> float:
    gc.collect()
    begin = time.process_time()
    action()
    return time.process_time() - begin

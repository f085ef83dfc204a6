"""A recorded run of any length with a tree of any size, for what shows runs."""

from __future__ import annotations

import random
import tempfile
from datetime import datetime
from pathlib import Path

from benchmarks.process import ROOT
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.events import Decided
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.run.folder import JOURNAL, new_folder
from treec.run.run import Run
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.events import RunEnd
from treec.world.journal import Journal, read_journal

SYSTEM = "warehouse"
PERIOD = 0.25
"""Seconds between ticks."""

CHANGES, SAYS, DECIDES = 20, 20.0, 10.0
"""Nodes whose status a tick changes; seconds between utterances, and between decisions."""


def write_long_run(runs: Path, nodes: int, seconds: float, seed: int = 0) -> Path:
    """Write a run that begins as the warehouse's, then ticks on; returns its folder."""
    folder = new_folder(runs, f"{nodes}-nodes", datetime(2026, 1, 1))
    rng = random.Random(seed)
    journal = Journal.create(folder / JOURNAL)
    t = 0.0
    with tempfile.TemporaryDirectory() as beginning:
        for record in read_journal(_beginning(Path(beginning))):
            if not isinstance(record.event, TreeBegun | Ticked | RunEnd):
                journal.append(record.event, record.by, record.t)
                t = record.t
    tree = tuple(_nodes(nodes))
    journal.append(TreeBegun(tree), "loop", t)
    leaves = [number for number, node in enumerate(tree) if node.kind == "wait"]
    said = decided = t
    begun, tick = t, 0
    while t < begun + seconds:
        t, tick = t + PERIOD, tick + 1
        changed = rng.sample(leaves, min(CHANGES, len(leaves)))
        half = len(changed) // 2
        to = {"RUNNING": tuple(sorted(changed[:half])), "SUCCESS": tuple(sorted(changed[half:]))}
        if tick == 1:
            to = {"RUNNING": tuple(range(len(tree)))}
        if t >= decided + DECIDES:
            decided = t
            node = tree[rng.choice(leaves)].path
            journal.append(Decided(node, "No_op", "offline", f"Nothing at {t:g} s."), node, t)
        if t >= said + SAYS:
            said = t
            journal.append(Said("operator", f"It is {t:g} s.", f"long{tick}"), "user", t)
        journal.append(Ticked(tick, to), "loop", t)
    journal.append(RunEnd("done", True), "loop", t)
    journal.close()
    return folder


def _beginning(folder: Path) -> Path:
    """The journal of a run of the warehouse."""
    library = load_library(ROOT / "templates" / "warehouse")
    system = library.find("system", SYSTEM)
    scenario = library.find("scenario", "morning_shift")
    journal = Journal.create(folder / JOURNAL)
    Run(View(library, system), VirtualClock(), journal, scenario).go()
    journal.close()
    return folder / JOURNAL


def _nodes(number: int) -> list[TickedNode]:
    """A tree of sequences of ten under sequences of ten."""
    found = [TickedNode("main", "main", "parallel", 0)]
    while len(found) < number:
        group = len(found)
        path = f"main/part{group}"
        found.append(TickedNode(path, f"part{group}", "sequence", 1))
        for step in range(min(10, number - len(found))):
            found.append(TickedNode(f"{path}/step{step}", f"step{step}", "wait", 2))
    return found

"""A run of any length with a tree of any size, for what shows runs."""

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
from treec.world.spec import RunSpec

PERIOD = 0.25
"""Seconds between ticks."""

CHANGES = 20
"""Nodes whose status a tick changes."""

SAYS, DECIDES = 80, 40
"""Ticks between utterances, and between decisions."""


class LongRun:
    """A run that begins as the warehouse's and then ticks on until it is closed."""

    def __init__(self, runs: Path, nodes: int, seconds: float, seed: int = 0) -> None:
        """Write so many seconds of it to a new folder in ``runs``."""
        self._rng = random.Random(seed)
        self._journal = Journal.create(
            new_folder(runs, f"{nodes}-nodes", datetime(2026, 1, 1)) / JOURNAL
        )
        self._t = 0.0
        self.tick = 0
        with tempfile.TemporaryDirectory() as beginning:
            for record in read_journal(_beginning(Path(beginning))):
                if not isinstance(record.event, TreeBegun | Ticked | RunEnd):
                    self._journal.append(record.event, record.by, record.t)
                    self._t = record.t
        self._nodes = _tree(nodes)
        self._leaves = [n for n, node in enumerate(self._nodes) if node.kind == "wait"]
        self._journal.append(TreeBegun(tuple(self._nodes)), "loop", self._t)
        for _ in range(int(seconds / PERIOD)):
            self.tick_on()

    def tick_on(self) -> None:
        """Write the next tick."""
        self._t, self.tick = self._t + PERIOD, self.tick + 1
        if self.tick == 1:
            to = {"RUNNING": tuple(range(len(self._nodes)))}
        else:
            changed = self._rng.sample(self._leaves, min(CHANGES, len(self._leaves)))
            half = len(changed) // 2
            to = {
                "RUNNING": tuple(sorted(changed[:half])),
                "SUCCESS": tuple(sorted(changed[half:])),
            }
        if self.tick % DECIDES == 0:
            node = self._nodes[self._rng.choice(self._leaves)].path
            why = f"Nothing at {self._t:g} s."
            self._journal.append(Decided(node, "No_op", "offline", why), node, self._t)
        if self.tick % SAYS == 0:
            said = Said("operator", f"It is {self._t:g} s.", f"long{self.tick}")
            self._journal.append(said, "user", self._t)
        self._journal.append(Ticked(self.tick, to), "loop", self._t)

    def close(self) -> None:
        """End it."""
        self._journal.append(RunEnd("done", True), "loop", self._t)
        self._journal.close()


def _beginning(folder: Path) -> Path:
    """The journal of a run of the warehouse."""
    library = load_library(ROOT / "engine/treec/templates/warehouse")
    system = library.find("system", "warehouse")
    scenario = library.find("scenario", "morning_shift")
    journal = Journal.create(folder / JOURNAL)
    Run(View(library, system), VirtualClock(), journal, RunSpec(scenario=scenario.name)).go()
    journal.close()
    return folder / JOURNAL


def _tree(number: int) -> list[TickedNode]:
    """Sequences of ten nodes below one root."""
    found = [TickedNode("main", "main", "parallel", 0)]
    while len(found) < number:
        group = len(found)
        path = f"main/part{group}"
        found.append(TickedNode(path, f"part{group}", "sequence", 1))
        for step in range(min(10, number - len(found))):
            found.append(TickedNode(f"{path}/step{step}", f"step{step}", "wait", 2))
    return found

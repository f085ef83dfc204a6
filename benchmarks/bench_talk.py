"""What ten simulated minutes of cooking and talking cost, early in a run and late."""

from __future__ import annotations

import gc
import random
import time

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

LINES = (
    *("Yes please.", "No.", "Not yet.", "What is left to do?", "Who has the pepper?", "Thank you"),
    *("R2, get the salt again", "R2 should get the pepper again", "R1, stir the bowl again"),
    *("I will chop the onions", "The onions are done", "bring me the cream", "hand me the ladle"),
    *("Stop!", "Go on.", "R1, stop!", "never mind", "Nice weather"),
    *("Let's make a fruit salad", "Let's make tomato soup"),
)
EVERY = 3.0
"""Simulated seconds between two lines: nobody talks so much, and it shows sooner what grows."""


def run(small: bool) -> list[Table]:
    """An hour of talk, in blocks of ten minutes."""
    library = load_library(ROOT)
    clock, journal = VirtualClock(), Journal.in_memory()
    view = View(library, library.find("system", "mosaic"))
    mosaic = Run(view, clock, journal, RunSpec(chat=True))
    rng = random.Random("talk")
    block = 12.0 if small else 600.0
    rows: list[tuple[Cell, ...]] = []
    for number in range(1, 3 if small else 7):
        end = clock.now() + block
        gc.collect()
        begin = time.process_time()
        while clock.now() < end:
            mosaic.say(rng.choice(LINES))
            mosaic.loop.run(deadline=clock.now() + EVERY)
        cost = time.process_time() - begin
        state = mosaic.world.state
        said, work = len(state["utterances"]), len(state["subtasks"])  # type: ignore[arg-type]
        rows.append((f"{number * block / 60:g}", cost, said, work, len(journal.records)))
    mosaic.loop.shutdown()
    notes = (f"One person, who says something every {EVERY:g} s; virtual time, one process.",)
    columns = ("minutes so far", "CPU of the last ten, s", "utterances", "subtasks", "records")
    return [Table("Ten minutes of talk, early and late", columns, rows, notes)]

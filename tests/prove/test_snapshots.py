"""A run goes back to a saved state, and goes on from there as it did before."""

from __future__ import annotations

from pathlib import Path

from tests.support.library import copy_warehouse
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_prove.snapshots import Heap
from treec_prove.steps import make_rewindable


def test_a_run_goes_on_byte_for_byte_from_a_state_that_was_saved(tmp_path: Path) -> None:
    library = find_library(copy_warehouse(tmp_path / "warehouse"))
    spec = RunSpec(scenario="morning_shift")
    setup = prepare(library, find_system(library, "warehouse"), spec)
    make_rewindable()
    run = Run(setup.view, VirtualClock(), Journal.in_memory(), setup.spec)
    run.world.claim()
    run.open_environments()
    heap = Heap(run)

    def go_on(steps: int) -> None:
        for _ in range(steps):
            run.loop.step()
            if not run.inbox.ready():
                run.clock.advance()  # type: ignore[union-attr]

    first = heap.save()
    go_on(33)  # within programs, while both robots are at work
    later, before = heap.save(), run.journal.text()
    go_on(20)
    after = run.journal.text()
    heap.restore(later)
    assert run.journal.text() == before
    go_on(20)
    assert run.journal.text() == after
    heap.restore(first)
    go_on(53)
    assert run.journal.text() == after


def test_what_changed_before_a_state_was_first_saved_is_put_back() -> None:
    box = [1]
    heap = Heap(box)
    box[0] = 2
    saved = heap.save()
    box[0] = 3
    heap.restore(saved)
    assert box == [2]

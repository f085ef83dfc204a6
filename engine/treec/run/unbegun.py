"""A run that is never begun: its team, and what orders and setups are made from."""

from __future__ import annotations

from treec.files.view import View
from treec.nodes.environment import SYMBOLIC
from treec.nodes.place import CompileError
from treec.run.clocks import SteppingClock
from treec.run.run import CannotRun, Run
from treec.world.journal import Journal
from treec.world.spec import RunSpec


def run_of(view: View, environment: str = SYMBOLIC) -> Run:
    """A run of a system that is never begun. Raises CannotRun."""
    try:
        return Run(view, SteppingClock(), Journal.in_memory(), RunSpec(env=environment))
    except CompileError as error:
        raise CannotRun(str(error)) from error

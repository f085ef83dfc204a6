"""All trials, by the kind of code that they are for."""

from __future__ import annotations

from importlib import import_module

from treec.conformance.environments import ENVIRONMENTS
from treec.conformance.node_classes import NODE_CLASSES
from treec.conformance.parsers import PARSERS
from treec.conformance.trial import Trial, Trials
from treec.conformance.worker_reports import WORKERS

for _module in ("workers", "worker_stops", "worker_input", "worker_process"):
    import_module(f"treec.conformance.{_module}")

KINDS: tuple[Trials, ...] = (WORKERS, PARSERS, NODE_CLASSES, ENVIRONMENTS)


def find_trial(id: str) -> Trial | None:
    """The trial with an id, in upper or lower case."""
    wanted = id.strip().upper()
    return next((trial for kind in KINDS for trial in kind.all if trial.id == wanted), None)

"""A moment of a run as a case file: what `treec case add` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec.files.view import View
from treec.nodes.asked import OFFLINE
from treec.nodes.observation import plain
from treec_testing.decisions.moments import (
    DecisionMoment,
    RecordedRun,
    names_in_context,
    situation_at,
)
from treec_testing.decisions.pins import pin
from treec_testing.decisions.request_queue import RequestQueue, run_sync
from treec_testing.decisions.stored_world import to_plain
from treec_testing.recordings.recording import slug
from treec_testing.recordings.yaml_text import to_yaml


def case_data(run: RecordedRun, moment: DecisionMoment, view: View, name: str) -> dict[str, Any]:
    """The case of a moment as plain data. Raises MomentError."""
    situation = situation_at(run, moment, view)
    context = situation.make_context(RequestQueue())
    model = situation.entry.model
    assert view.system is not None
    data: dict[str, Any] = {
        "case": name,
        "about": f"From the run {run.name}, {moment.label}; it was decided by {moment.by}.",
        "system": view.system.name,
        "node": moment.node,
    }
    args = {n: plain(value, 1) for n, value in names_in_context(context).items()}
    args |= {n: plain(value) for n, value in context.given.items() if value}
    if args:
        data["args"] = args
    data["world"] = to_plain(context.runtime.world, view)
    if model.knows:
        data["knows"] = {n: pin(n, context.scope) for n in model.knows}
    expect = moment.decision
    if moment.made.answer and moment.by == OFFLINE:
        expect = run_sync(situation.decide()).decision
    if not {"failed", "refused"} & expect.keys():
        data["expect"] = expect
    return data


def default_case_name(run: RecordedRun, moment: DecisionMoment) -> str:
    """Such as `morning_order-u17`: the name of the run without its date, and the moment."""
    return default_name(run, moment.heard or f"r{moment.n}")


def default_name(run: RecordedRun, place: str) -> str:
    """The name of the run without its date, and a place in it."""
    parts = run.name.split("-")
    plain_name = "-".join(part for part in parts if not part.isdigit()) or run.name
    return f"{slug(plain_name)}-{place}"


def case_text(data: Mapping[str, Any]) -> str:
    """The text of a case file."""
    return to_yaml(data)

"""A moment of a run as a case: the file that `treec case add` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec.ask.recordings import slug
from treec.ask.recordings_yaml import to_yaml
from treec.decisions.desk import Desk, OfflineTransport, at_once
from treec.decisions.known import pin
from treec.decisions.moments import DecisionMoment, RecordedRun, names_around, situation_at
from treec.decisions.stored_world import to_plain
from treec.files.view import View
from treec.nodes.asking import OFFLINE
from treec.nodes.observation import plain


def frozen(run: RecordedRun, moment: DecisionMoment, view: View, name: str) -> dict[str, Any]:
    """The case as plain data. Raises NoMoment."""
    situation = situation_at(run, moment, view)
    around = situation.surround(Desk())
    model = situation.entry.model
    assert view.system is not None
    told: dict[str, Any] = {
        "case": name,
        "about": f"From the run {run.name}, {moment.label}; it was decided by {moment.by}.",
        "system": view.system.name,
        "node": moment.node,
    }
    args = {n: plain(value, 1) for n, value in names_around(around).items()}
    args |= {n: plain(value) for n, value in around.given.items() if value}
    if args:
        told["args"] = args
    told["world"] = to_plain(around.runtime.world, view)
    if model.knows:
        told["knows"] = {n: pin(n, around.scope) for n in model.knows}
    expect = moment.decision
    if moment.made.answer and moment.by == OFFLINE:
        expect = at_once(situation.decide(OfflineTransport())).decision
    if not {"failed", "refused"} & expect.keys():
        told["expect"] = expect
    return told


def default_name(run: RecordedRun, moment: DecisionMoment) -> str:
    """Such as `morning_order-u17`: the run without its date, and the moment."""
    parts = run.name.split("-")
    plain_name = "-".join(part for part in parts if not part.isdigit()) or run.name
    place = moment.heard or f"r{moment.n}"
    return f"{slug(plain_name)}-{place}"


def case_text(data: Mapping[str, Any]) -> str:
    """The text of a case's file."""
    return to_yaml(data)

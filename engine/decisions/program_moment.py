"""A program's node as it was in a run: what a journal does not tell of it is found in the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treec.files.view import View
from treec.nodes.frame import Cell, Frame
from treec.nodes.program import Program
from treec.program.api import DOER
from treec.source.scope import Scope
from treec.world.journal import Record, events


def fill_program(
    view: View, node: Program, before: Sequence[Record], later: Sequence[Record], path: str
) -> list[str]:
    """A tree's variables are not in the journal: a program's subtask is its agent's current one.

    Returns the steps of it that were done in earlier rounds.
    """
    own = (r for r in later if r.kind == "programmed" and r.data.get("node") == path)
    told = next(own, None)
    agent = node.runtime.team.agent(told.data.get("agent")) if told is not None else None
    if agent is None:
        return []
    scope: Scope = node.scope
    while isinstance(scope, Frame):
        for name, cell in scope.cells.items():
            if isinstance(cell, Cell) and cell.value is None and f"${name}" in node.args.values():
                cell.value = agent.current
        scope = scope.parent
    return _done_before(view, before, path, agent.name)


def _done_before(view: View, before: Sequence[Record], path: str, agent: str) -> list[str]:
    """The steps that a node's programs have done for what its agent is at, by the journal."""
    done: list[str] = []
    work: object = None
    begun: object = None
    step: object = None
    for event in (e for record in before for e in events(record)):
        data: Mapping[str, Any] = event.data
        if event.kind == "subtask.started" and data.get("agent") == agent:
            begun = data["subtask"]
        elif event.kind == "programmed" and data.get("node") == path:
            if begun != work:
                work, done = begun, []
        elif event.kind == "step" and data.get("node") == path:
            step = data["skill"]
        elif event.kind == "skill.ended" and data.get("agent") == agent and data["skill"] == step:
            if data.get("ok"):
                done.append(_written(view, data))
            step = None
    return done if begun == work else []


def _written(view: View, data: Mapping[str, Any]) -> str:
    """A step that is done, as a program would write it."""
    skill = view.find("skill", str(data["skill"]))
    order = [n for n in skill.model.args if n != DOER] if skill is not None else []
    given = data["args"]
    return f"{data['skill']}({', '.join(repr(given[name]) for name in order if name in given)})"

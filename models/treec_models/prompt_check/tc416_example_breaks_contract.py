"""Example answer that breaks a contract.

Contracts judge every answer before any of it is carried out. An example that a contract would
refuse teaches a model to break it.

Wrong, where `ask_first` lets nobody get work without a yes or a request:

    examples:
      - given: {acts: [{id: u1.1, kind: ask, about: What is left}]}
        answer:
          actions: [{assign: {agent: R2, subtasks: [get crate]}}]

Right:

    examples:
      - given: {acts: [{id: u1.1, kind: request, agent: R2, task: get, args: {item: crate}}]}
        answer:
          actions: [{assign: {agent: R2, subtasks: [get crate], because: u1.1}}]

A contract that depends on something the example does not give, such as a fact, is skipped.

This is a warning because nothing wrong can happen: every run enforces the contract. It allows a new
contract to be added before the examples are updated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treec.check.base import entries
from treec.check.environments import world
from treec.files.entry import AnyEntry
from treec.files.prompts import ActionExample, ActionFile
from treec.files.types import parse_type
from treec.files.view import View, per_view
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.scope import MappingScope
from treec.team.actions import ActionCall, find_action
from treec.team.contracts import ANSWER, Contract, actions_as_data
from treec.team.entities import Act
from treec_asking.check.high_level import call_misfits
from treec_asking.examples import parse_value
from treec_models.prompt_check.example_scope import (
    ExampleScope,
    example_scope,
    find_by_id,
    per_world,
)

CODE = "TC416"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Judge answers of examples by every contract that needs nothing beyond the example."""
    for entry in entries(view, "action"):
        yield from _of_entry(view, entry)


@per_world
def _of_entry(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    contracts = _contracts(view)
    model: ActionFile = entry.model
    for index, example in enumerate(model.examples if contracts else ()):
        scope = example_scope(view, entry, example)
        calls = _calls(view, model, example, scope) if scope is not None else None
        if scope is None or calls is None:
            continue
        here = ("examples", index, "answer", "actions")
        whole = MappingScope({"answer": actions_as_data(calls)}, parent=scope)
        for number, call in enumerate(calls):
            for contract in contracts:
                why = _violation(contract, call.action.name, call.args, str(call), whole)
                if why is not None:
                    yield _problem(contract, entry.span(*here, number), why)
        acts = _settled_acts(model, scope)
        shown = ", ".join(map(str, calls)) or "no action"
        for contract in contracts:
            answer = {"actions": actions_as_data(calls), "acts": acts}
            why = _violation(contract, ANSWER, answer, shown, whole)
            if why is not None:
                yield _problem(contract, entry.span(*here), why)


def _problem(contract: Contract, span: Any, why: str) -> Diagnostic:
    message = f"the contract '{contract.name}' refuses this answer"
    return Diagnostic(CODE, "warning", span, message, why)


@per_view
def _contracts(view: View) -> list[Contract]:
    found = []
    for entry in view.all("contract").values():
        try:
            found += [Contract(entry)] if entry.model.each else []
        except (LocatedError, ValueError):  # reported by TC201 and TC601
            continue
    return found


def _calls(
    view: View, model: ActionFile, example: ActionExample, scope: ExampleScope
) -> list[ActionCall] | None:
    """Return an answer's actions with their arguments; None if one is wrong (see TC407)."""
    env = world(view)
    calls = []
    for item in example.answer.actions:
        if any(call_misfits(env, item, model.may, rule=False)):
            return None
        name, given = next(iter(item.items())) if isinstance(item, Mapping) else (item, None)
        action = find_action(str(name))
        assert action is not None
        if given is not None and not isinstance(given, Mapping):
            given = {action.parameters[0].name: given}
        args: dict[str, object] = {}
        for parameter in action.parameters:
            value = (given or {}).get(parameter.name, parameter.default)
            bound = find_by_id(scope, value) if parameter.name == "because" else None
            kind = parameter.type if parameter.name != "because" else parse_type("any")
            args[parameter.name] = bound or parse_value(scope.knowledge, kind, value)
        calls.append(ActionCall(action, args))
    return calls


def _settled_acts(model: ActionFile, scope: ExampleScope) -> tuple[Act, ...]:
    acts: Sequence[Act] = scope.values.get("acts", ())  # type: ignore[assignment]
    answers = model.answers
    return tuple(act for act in acts if answers is None or act.kind in answers)


def _violation(
    contract: Contract, action: str, args: Mapping[str, object], shown: str, scope: MappingScope
) -> str | None:
    try:
        broken = contract.judge(action, args, shown, scope)
    except LocatedError:  # it depends on something that the example does not give
        return None
    return broken.tell if broken is not None else None

"""A transport that answers as the rules of the asking node would, after some simulated seconds."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treec.ask.fingerprint import request_fingerprint
from treec.ask.transport import Answer, Request, TransportError, clock_sleep
from treec.nodes.act import Action, _answer_form
from treec.nodes.asking import AskingNode
from treec.nodes.commit import _plain_args
from treec.nodes.decide import Decision
from treec.nodes.events import Asked
from treec.nodes.read import Reading, _plain_act
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Record


@dataclass
class RuleAnswers:
    """Answers decisions, actions and readings by their own rules; programs get no answer.

    A share of the answers, drawn by the seed and the request, ``errs``: another option, no action,
    or no act.
    """

    clock: VirtualClock
    seconds: float
    errs: float = 0.0
    seed: int = 0
    _nodes: Mapping[str, AskingNode[Any]] = field(default_factory=dict)
    _asking: str = ""
    """The path of the node that asked last."""

    def follow(self, run: Run) -> None:
        """Answer the nodes of a run, which has not begun."""
        asking = (node for node in run.root.iterate() if isinstance(node, AskingNode))
        self._nodes = {node.path: node for node in asking}
        run.world.subscribe(self._on_record)

    def _on_record(self, record: Record) -> None:
        if isinstance(record.event, Asked):
            self._asking = record.event.node

    async def ask(self, request: Request) -> Answer:
        """The answer of the rules at the time of asking. Raises TransportError for programs."""
        data = self._answer()
        rng = random.Random(f"{self.seed} {request_fingerprint(request)}")
        if data is not None and rng.random() < self.errs:
            data = err(data, request.schema, rng)
        await clock_sleep(self.clock, self.seconds)
        if data is None:
            raise TransportError(f"rules answer no {request.kind}")
        return Answer(json.dumps({"reasoning": "", **data}), "offline")

    def _answer(self) -> dict[str, Any] | None:
        match self._nodes[self._asking]:
            case Decision(_offline=rules, scope=scope, entry=entry):
                choices = (choice for when, choice in rules if when.evaluate(scope))
                return {"choose": next(choices, entry.model.fallback)}
            case Action() as action:
                calls = action._by_rules(action.entry.model.offline)
                taken = [{"action": call.action.name, "args": _plain_args(call)} for call in calls]
                return {"actions": [_answer_form(one) for one in taken]}
            case Reading(_floor=acts):
                plain = [_plain_act(act) for act in acts]
                return {"acts": [{k: v for k, v in a.items() if k != "utterance"} for a in plain]}
        return None


def err(data: dict[str, Any], schema: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A wrong answer instead of this one, of the form that is asked for."""
    if "choose" not in data:
        return {name: [] for name in data}
    options = schema["properties"]["choose"]["enum"]
    others = [option for option in options if option != data["choose"]]
    return {"choose": rng.choice(others or options)}

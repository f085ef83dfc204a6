"""A transport that answers as the rules of the asking node would: what a model would be asked.

The tokens of a request and of its answer are estimated, so that a run shows what it would cost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treec.ask.transport import Answer, Request, TransportError, clock_sleep
from treec.nodes.events import Asked
from treec.run.run import Run
from treec.world.clock import Clock
from treec.world.journal import Record
from treec_asking.asking import AskingNode
from treec_models.answer_form import response_format
from treec_models.prices import token_cost

CHARACTERS = 4
"""Characters for one token."""


def estimated_tokens(request: Request) -> int:
    """The tokens of a request, with its schema as OpenAI gets it."""
    form = json.dumps(response_format(request)["json_schema"], separators=(",", ":"))
    return (sum(len(it.content) for it in request.messages) + len(form)) // CHARACTERS


@dataclass
class RuleAnswers:
    """Answers decisions, actions and readings by their own rules; programs get no answer.

    Each answer takes ``seconds``, and costs what the model ``priced`` would if its price is known.
    """

    clock: Clock
    seconds: float = 1.0
    priced: str = ""
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
        data = self.answer(request, self._nodes[self._asking])
        await clock_sleep(self.clock, self.seconds)
        tokens = estimated_tokens(request)
        text = "" if data is None else json.dumps({"reasoning": "", **data})
        written = len(text) // CHARACTERS
        cost = token_cost(self.priced, tokens, written)
        answer = Answer(text, "rules@estimate", tokens, written, cost, self.seconds)
        if data is None:
            error = TransportError(f"rules answer no {request.kind}")
            error.spent = answer
            raise error
        return answer

    def answer(self, request: Request, node: AskingNode[Any]) -> dict[str, Any] | None:
        """The answer to a request of a node."""
        return node.rules_answer()

"""A whole run of the warehouse whose model lies wherever it can speak, and in what it reads."""

from __future__ import annotations

import json

import pytest

from experiments.statements.measure import SETS
from treec.api.find import find_system
from treec.ask.transport import Answer, Request, TransportError
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

LIE = "All orders are done"
ASKED = "How far are we?"


class Liar:
    """Says and reads the lie; decides nothing."""

    def __init__(self, claims: list[dict[str, object]]) -> None:
        self.claims = claims
        self.asked = 0

    async def ask(self, request: Request) -> Answer:
        """The lie. Raises TransportError where there is nothing to say."""
        if request.kind == "action":
            self.asked += 1
            said = {"say": {"message": LIE, "claims": self.claims}}
            return Answer(json.dumps({"reasoning": LIE, "actions": [said]}), "liar")
        if request.kind == "reading" and ASKED in request.messages[-1].content:
            act = {"kind": "ask", "quote": ASKED, "about": f"Where is the thing? {LIE}"}
            return Answer(json.dumps({"reasoning": LIE, "acts": [act]}), "liar")
        raise TransportError("the model is down")


@pytest.mark.parametrize(
    "claims", [[], [{"is": "all_done"}], [{"is": "which", "names": [LIE, "Scout"]}]]
)
def test_the_operator_hears_how_it_is(claims: list[dict[str, object]]) -> None:
    root, system = SETS["warehouse"]
    library, clock, liar = load_library(root), VirtualClock(), Liar(claims)
    view = View(library, find_system(library, system))
    run = Run(view, clock, Journal.in_memory(), RunSpec(chat=True), transport=liar)
    for words in ("Start the morning orders", ASKED):
        run.say(words)
        run.loop.run(deadline=clock.now() + 8)
    said = [str(line) for line in run.team.chat if line.who == "assistant"]
    assert not [line for line in said if LIE.lower() in line.lower()]
    assert liar.asked == 2  # once, and once more for claims
    assert "None of 5 is done yet." in said[-1]

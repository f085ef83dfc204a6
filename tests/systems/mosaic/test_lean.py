"""`mosaic_lean`: a model reads what people say, rules decide the rest."""

from __future__ import annotations

from tests.systems.mosaic.table import Table
from treec.ask.transport import ScriptedTransport, Unavailable

CHOICE = {"kind": "choose", "recipe": "Caesar Salad", "quote": "a caesar salad"}


def asked(table: Table) -> set[str]:
    """The nodes that asked a model."""
    transport = table.run.transport
    assert isinstance(transport, ScriptedTransport)
    return {request.node for request in transport.requests}


def test_only_the_reading_asks() -> None:
    lean = Table(answers={"Kitchen_Talk": [Unavailable("down")] * 9}, system="mosaic_lean")
    lean.say("Let's make a caesar salad.", 20)
    assert asked(lean) == {"Kitchen_Talk"}
    assert lean.run.world.state["recipe"] == "Caesar Salad"
    whole = Table(answers={}, system="mosaic")
    whole.say("Let's make a caesar salad.", 20)
    assert {"Kitchen_Talk", "Decision", "Execution"} <= asked(whole)


def test_what_the_model_read_is_what_the_rules_decide_on() -> None:
    words = "I fancy that thing with a caesar salad."
    answer = {"reasoning": "They want it.", "acts": [CHOICE]}
    lean = Table(answers={"Kitchen_Talk": [answer]}, system="mosaic_lean")
    lean.say(words, 5)
    (read,) = lean.happened("answered")
    assert read["by"] == "scripted"
    assert lean.run.world.state["recipe"] == "Caesar Salad"
    assert asked(lean) == {"Kitchen_Talk"}

"""``Definition.ask``: one node, one situation."""

from __future__ import annotations

import asyncio
import json

import pytest

import treec

QUESTION = {"acts": [{"kind": "ask", "about": "How far are we"}]}


def test_without_a_model_the_nodes_own_rules_decide(lib: treec.Workspace) -> None:
    decided = lib["decision", "Dispatch"].ask(QUESTION)
    assert decided.decision == {"choose": "Answer_Operator"}
    assert decided.by == "offline"


def test_a_transport_is_asked_and_asked_again(lib: treec.Workspace) -> None:
    answers = [json.dumps({"choose": choice}) for choice in ("Dance", "Wait_For_Work")]
    node = lib["decision", "Dispatch"]
    decided = node.ask(QUESTION, model=treec.ScriptedTransport({"Dispatch": answers}))
    assert decided.decision == {"choose": "Wait_For_Work"}
    assert len(decided.attempts) == 2
    again = node.ask_async(QUESTION, model=treec.ScriptedTransport({"Dispatch": answers[1:]}))
    assert asyncio.run(again).decision == decided.decision


def test_what_it_does_not_see_is_refused(lib: treec.Workspace) -> None:
    with pytest.raises(treec.NotFound, match="did you mean 'acts'"):
        lib["decision", "Dispatch"].ask({"act": []})

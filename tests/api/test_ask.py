"""``Definition.ask``: one node, one situation."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

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


def test_it_may_be_called_in_a_running_event_loop_as_in_jupyter(lib: treec.Workspace) -> None:
    node = lib["decision", "Dispatch"]
    model = treec.ScriptedTransport({"Dispatch": [{"choose": "Wait_For_Work"}]})

    async def cell() -> treec.DecisionResult:
        return node.ask(QUESTION, model=model)

    assert asyncio.run(cell()).decision == {"choose": "Wait_For_Work"}


def test_answers_that_are_all_refused_are_a_failure_and_the_rules_decide(
    lib: treec.Workspace,
) -> None:
    model = treec.ScriptedTransport({"Dispatch": [{"choose": "Dance" + "<b>" * 99}] * 3})
    decided = lib["decision", "Dispatch"].ask(QUESTION, model=model)
    assert decided.by == "offline"
    assert decided.failed is not None
    assert decided.failed.startswith("3 answers were refused: 'choose' must be one of ")
    assert len(repr(decided)) < 500
    assert "<b>" not in decided._repr_html_()
    assert "3 answers were refused" in decided._repr_html_()


def test_an_answer_after_refused_ones_is_no_failure(lib: treec.Workspace) -> None:
    answers = [{"choose": "Dance"}, {"choose": "Wait_For_Work"}]
    model = treec.ScriptedTransport({"Dispatch": answers})
    assert lib["decision", "Dispatch"].ask(QUESTION, model=model).failed is None


def test_who_passes_on_is_told_and_is_no_failure_where_the_next_answers(
    lib: treec.Workspace, tmp_path: Path
) -> None:
    root = shutil.copytree(lib.root, tmp_path / "own")
    file = root / "prompts/dispatch.decision.yaml"
    listed = "answers: [{model: a/one}, {model: b/two}]\nsees:"
    file.write_text(file.read_text("utf-8").replace("sees:", listed, 1), "utf-8")
    sent = [TimeoutError("late"), {"choose": "Wait_For_Work"}]
    model = treec.ScriptedTransport({"Dispatch": sent})
    decided = treec.open(root)["decision", "Dispatch"].ask(QUESTION, model=model)
    assert decided.decision == {"choose": "Wait_For_Work"}
    assert decided.failed is None
    assert decided.passed_on == ["a/one passes on: no answer within 20 s"]

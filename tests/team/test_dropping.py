"""What waits for what was dropped: what it still needs, and the question whether it goes too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.team.actions import ActionCall
from treec.team.entities import Proposal
from treec.team.events import number_entries
from treec.team.names import WorldScope
from treec.world.events import Commit, EventRefused
from treec_asking.bind import bind
from treec_asking.warrants import check_warrants

SOUP = """\
recipe: Soup
subtasks:
  get pepper: {}
  get salt: {}
  get lettuce: {after: [get pepper, get salt]}
"""


@pytest.fixture
def b(tmp_path: Path) -> Bench:
    found = Bench(tmp_path, {**tree("check: true"), "pack/Soup.recipe.yaml": SOUP})
    act(found, "set_recipe", name="Soup")
    return found


def act(b: Bench, action: str, /, **given: object) -> ActionCall:
    """Bind an action and let it happen, if its reason allows it."""
    call = bind(b.team, action, given)
    for reason in check_warrants(b.team, [call]).refusals.values():
        raise EventRefused(reason)
    events = number_entries(b.world.state, call.action.run(b.team, **call.args))
    b.world.emit(Commit("action", events), "test")
    return call


def test_a_step_of_a_recipe_may_wait_for_any_of_others(tmp_path: Path) -> None:
    soup = SOUP.replace("after:", "after_any:").replace("Soup", "Broth")
    b = Bench(tmp_path, {**tree("check: true"), "pack/Broth.recipe.yaml": soup})
    act(b, "set_recipe", name="Broth")
    lettuce = b.team.now.subtasks["get lettuce"]
    assert names(lettuce.after_any) == ["get pepper", "get salt"]
    assert lettuce.after == ()


def names(found: object) -> list[str]:
    assert isinstance(found, tuple)
    return [str(one) for one in found]


def drop(b: Bench, *ids: str) -> None:
    b.emit("subtask.dropped", subtasks=list(ids))


def agree(b: Bench, proposal: str) -> None:
    """The user says yes to a proposal."""
    yes = {"id": "u1.1", "kind": "accept", "quote": "Yes", "utterance": "u1"}
    b.emit("said", id="u1", who="user", text="Yes")
    b.emit("acts.read", utterances=["u1"], acts=[{**yes, "proposals": [proposal]}])


def proposal(b: Bench) -> Proposal:
    (found,) = b.team.now.open
    return found


def status(b: Bench, id: str) -> str:
    return b.team.now.subtasks[id].status


def test_a_subtask_needs_what_comes_before_it(b: Bench) -> None:
    assert names(b.team.needs(b.team.now.subtasks["get lettuce"])) == ["get pepper", "get salt"]
    assert names(b.team.needs(b.team.now.subtasks["get pepper"])) == []


def test_it_does_not_need_what_was_dropped_but_what_is_done(b: Bench) -> None:
    drop(b, "get pepper")
    b.emit("subtask.done", subtask="get salt")
    assert names(b.team.needs(b.team.now.subtasks["get lettuce"])) == ["get salt"]


def test_expressions_ask_for_it_by_words(b: Bench) -> None:
    scope = WorldScope(b.team)
    drop(b, "get salt")
    assert names(scope.call("needs", ("get lettuce",), {})) == ["get pepper"]


def test_what_waits_for_nothing_dropped_is_not_proposed_to_be_dropped(b: Bench) -> None:
    with pytest.raises(EventRefused, match="'get lettuce' does not wait for a dropped subtask"):
        act(b, "propose_drop", subtask="get lettuce")
    drop(b, "get pepper")
    with pytest.raises(EventRefused, match="'get salt' does not wait for a dropped"):
        act(b, "propose_drop", subtask="get salt")


def test_what_waits_for_it_can_be_proposed_to_be_dropped(b: Bench) -> None:
    drop(b, "get pepper")
    act(b, "propose_drop", subtask="get lettuce")
    asked = proposal(b)
    assert (asked.drop, asked.agent.name, str(asked)) == (True, "user", "user: drop get lettuce")
    assert status(b, "get lettuce") == "waiting"  # a question changes nothing


def test_of_two_questions_about_a_subtask_the_older_is_closed(b: Bench) -> None:
    act(b, "propose", agent="R1", subtask="get pepper")
    act(b, "propose", agent="R2", subtask="get pepper")
    assert [(p.id, p.agent.name) for p in b.team.now.open] == [("p2", "R2")]


def test_whoever_has_it_is_named_in_the_question(b: Bench) -> None:
    b.assign("R2", "get lettuce")
    drop(b, "get pepper")
    act(b, "propose_drop", subtask="get lettuce")
    assert proposal(b).agent.name == "R2"
    assert names(b.team.now.agents["R2"].queue) == ["get lettuce"]


def test_a_proposal_to_do_something_drops_nothing(b: Bench) -> None:
    act(b, "propose", agent="R1", subtask="get pepper")
    assert proposal(b).drop is False
    agree(b, "p1")
    with pytest.raises(EventRefused, match="p1 is a yes to this: R1 does 'get pepper'"):
        act(b, "drop", subtasks=["get pepper"], because="p1")
    act(b, "propose", agent="R2", subtask="get pepper")
    with pytest.raises(EventRefused, match="p1 is no longer proposed"):
        act(b, "assign", agent="R1", subtasks=["get pepper"], because="p1")
    assert status(b, "get pepper") == "waiting"


def test_a_proposal_to_drop_gives_nobody_work(b: Bench) -> None:
    drop(b, "get pepper")
    act(b, "propose_drop", subtask="get lettuce")
    agree(b, "p1")
    with pytest.raises(EventRefused, match="p1 is a yes to this: to drop 'get lettuce'"):
        act(b, "assign", agent="R1", subtasks=["get lettuce"], because="p1")


def test_a_proposal_to_drop_drops_that_alone(b: Bench) -> None:
    drop(b, "get pepper")
    act(b, "propose_drop", subtask="get lettuce")
    with pytest.raises(EventRefused, match="p1 waits for an answer: the user has not agreed to it"):
        act(b, "drop", subtasks=["get lettuce"], because="p1")
    agree(b, "p1")
    with pytest.raises(EventRefused, match="p1 is a yes to this: to drop 'get lettuce'"):
        act(b, "drop", subtasks=["get lettuce", "get salt"], because="p1")
    act(b, "drop", subtasks=["get lettuce"], because="p1")
    assert (status(b, "get lettuce"), status(b, "get salt")) == ("dropped", "waiting")
    assert b.team.now.open == ()


def test_a_no_lets_it_go_on_without(b: Bench) -> None:
    drop(b, "get pepper")
    act(b, "propose_drop", subtask="get lettuce")
    no = {"id": "u1.1", "kind": "decline", "quote": "No", "utterance": "u1", "proposals": ["p1"]}
    b.emit("said", id="u1", who="user", text="No")
    b.emit("acts.read", utterances=["u1"], acts=[no])
    assert b.team.blocked == ()
    assert names(b.team.needs(b.team.now.subtasks["get lettuce"])) == ["get salt"]
    b.emit("subtask.done", subtask="get salt")
    assert b.team.now.subtasks["get lettuce"].ready


def test_a_no_to_dropping_is_no_refusal_of_the_work(b: Bench) -> None:
    drop(b, "get pepper")
    b.emit("proposed", id="p1", agent="R1", subtask="get lettuce", drop=True)
    no = {"id": "u1.1", "kind": "decline", "quote": "No", "utterance": "u1", "proposals": ["p1"]}
    b.emit("said", id="u1", who="user", text="No")
    b.emit("acts.read", utterances=["u1"], acts=[no])
    assert not b.team.refused("get lettuce")

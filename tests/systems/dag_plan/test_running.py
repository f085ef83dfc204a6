"""A graph shared out to two arms: all nine tasks end at their goals, whatever comes in between."""

from __future__ import annotations

import pytest

from tests.systems.dag_plan.conftest import SOUP, Go, Went, by_hand
from treec.ask.transport import TransportError
from treec.files.library import Library
from treec.run.events import Ticked

OPEN_AGAIN = 'open "microwave_door" (2)'


@pytest.fixture(params=range(1, 10))
def task(request: pytest.FixtureRequest) -> str:
    return f"task_{request.param}"


def scene_of(project: Library, task: str) -> str:
    entry = project.find("problem", task)
    assert entry is not None
    return str(entry.model.scene)


def at_its_goal(went: Went) -> bool:
    kinds = [record.kind for record in went.journal.records if record.kind != Ticked.kind]
    return kinds[-2:] == ["plan.done", "run.end"]


@pytest.mark.few(4)
def test_every_task_is_done_by_its_reference_graph(task: str, go: Go, project: Library) -> None:
    went = go(task, scene_of(project, task))
    assert at_its_goal(went)
    (planned,) = went.told("planned")
    assert (planned.data["by"], planned.data["because"]) == (
        "offline",
        "no model is there to make one",
    )


@pytest.mark.few(4)
def test_every_task_is_done_by_an_answer_written_by_hand(
    task: str, go: Go, project: Library
) -> None:
    went = go(task, scene_of(project, task), answers=[by_hand(task)], by="hand")
    assert at_its_goal(went)
    assert [e.data["by"] for e in went.told("planned")] == ["hand"]


def test_no_arm_is_at_two_things_and_edges_are_kept(go: Go) -> None:
    went = go(SOUP)
    spans = went.times.spans
    for one in spans:
        for other in spans:
            if one is not other and one.agent == other.agent:
                assert one.end <= other.start or other.end <= one.start
    ended = {span.subtask: span.end for span in spans}
    began = {span.subtask: span.start for span in spans}
    for id, subtask in went.run.team.now.subtasks.items():
        assert all(ended[before] <= began[id] for before in subtask.after)


def test_arms_go_on_past_the_ends_of_stages(go: Go) -> None:
    """In stages, six of them, it takes the longest of each: 11 + 9 + 9 + 10 + 10 + 10 s."""
    went = go(SOUP)
    starts = {span.start for span in went.times.spans}
    assert went.outcome.seconds == pytest.approx(59.0)
    assert len(starts) > 5


def test_both_arms_carry_the_pot_at_the_same_time(go: Go) -> None:
    went = go("task_9", "kitchen_3")
    pot = [(s.agent, s.start, s.end) for s in went.times.spans if s.subtask == 'grasp "pot"']
    assert sorted(agent for agent, _, _ in pot) == ["left", "right"]
    assert len({(start, end) for _, start, end in pot}) == 1


def test_what_failed_once_is_tried_again_by_whoever_has_empty_hands(go: Go) -> None:
    went = go(SOUP, faults=["fail switch_on: missed"])
    assert at_its_goal(went)
    tried = [(s.agent, s.ended) for s in went.times.spans if s.words == 'switch_on "microwave"']
    assert [ended for _, ended in tried] == ["failed", "done"]
    assert tried[0][0] != tried[1][0]


def test_a_grasp_that_failed_twice_is_given_to_the_other_arm(go: Go) -> None:
    went = go(SOUP, faults=["fail grasp(right, bowl) x2: slipped"])
    assert at_its_goal(went)
    assert [e.data["agent"] for e in went.told("subtask.failed")] == ["right", "right"]
    assert 'grasp "bowl"' in went.did("left")


def test_the_last_try_waits_until_another_sub_task_has_ended(go: Go) -> None:
    """Three tries at once would end the run while a door, or the other arm, is in the way."""
    went = go(SOUP, faults=["fail put_into(bowl, microwave) x2: blocked"])
    assert at_its_goal(went)
    spans = went.times.spans
    first, second, third = (s for s in spans if s.words == 'put "bowl" into "microwave"')
    assert second.start == pytest.approx(first.end)
    assert any(s is not second and second.end < s.end <= third.start for s in spans)


def test_the_last_try_waits_for_nothing_where_nothing_else_is_to_be_done(go: Go) -> None:
    went = go(SOUP, faults=["fail switch_off x2: blocked"])
    assert at_its_goal(went)
    tries = [s for s in went.times.spans if s.words == 'switch_off "microwave"']
    assert [s.ended for s in tries] == ["failed", "failed", "done"]
    assert tries[2].start == pytest.approx(tries[1].end, abs=0.1)


def test_what_failed_but_has_come_about_is_done(go: Go) -> None:
    """A hand that knocks something over holds what it grasped: it cannot grasp it again."""
    at_it = "1s after status('grasp \"bowl\"') == 'running'"
    grasped = ["set holding(right) == bowl", "set at(bowl) == right", "set held(bowl)"]
    faults = ["fail grasp(right, bowl): knocked over: tin", *(f"{at_it}: {it}" for it in grasped)]
    went = go(SOUP, faults=faults)
    assert at_its_goal(went)
    assert [e.data["subtask"] for e in went.told("subtask.failed")] == ['grasp "bowl"']
    spans = [s for s in went.times.spans if s.subtask == 'grasp "bowl"']
    assert len(spans) == 1
    assert 'put "bowl" into "microwave"' in went.did("right")


def test_one_arm_alone_tries_again_itself(go: Go) -> None:
    fault = "fail grasp(bowl) x2: slipped"
    went = go(SOUP, faults=[fault, "when holding(left) == tin: out left", "then 60s: back left"])
    assert at_its_goal(went)
    assert [e.data["subtask"] for e in went.told("subtask.failed")] == ['grasp "bowl"'] * 2


def test_what_an_arm_that_dropped_out_was_at_is_done_by_the_other(go: Go) -> None:
    closing = "status('close \"refrigerator_cooler_door\"') == 'running'"
    went = go(SOUP, faults=[f"3s after {closing}: out right"])
    assert at_its_goal(went)
    assert 'close "refrigerator_cooler_door"' in went.did("left")
    (out,) = went.times.out
    assert all(s.end <= out[1] for s in went.times.spans if s.agent == "right")


def test_what_is_held_waits_for_the_arm_that_holds_it(go: Go) -> None:
    went = go(SOUP, faults=["1s after holding(right) == bowl: out right", "then 30s: back right"])
    assert at_its_goal(went)
    assert 'put "bowl" into "microwave"' in went.did("right")
    assert 'put "tin" onto "table"' in went.did("left")


def test_an_arm_that_never_comes_back_with_what_it_holds_ends_with_a_verdict(go: Go) -> None:
    went = go(SOUP, faults=["1s after holding(right) == bowl: out right: too hot"])
    (failed,) = went.told("plan.failed")
    assert str(failed.data["reason"]) == (
        'the graph has failed: right is out (too hot) and holds "bowl". Without it nobody can '
        'put "bowl" into "microwave" (waited 300 s). No other was made: no model is there to make '
        "one"
    )
    (error,) = {e.data["reason"] for e in went.told("node.failed")}
    assert error == 'the graph has failed: right is out (too hot) and holds "bowl"'
    assert went.told("plan.done") == []


def test_both_arms_stop_when_one_that_carries_the_pot_drops_out(go: Go) -> None:
    faults = ["3s after holding(left) == pot: out left", "then 20s: back left"]
    went = go("task_9", "kitchen_3", faults=faults)
    assert at_its_goal(went)
    first = [s for s in went.times.spans if s.subtask == 'put "pot" into "sink"']
    assert [s.ended for s in first] == ["stopped", "stopped", "done", "done"]


def test_what_somebody_undoes_is_done_again(go: Go) -> None:
    when = "1s after opened(microwave_door) and holding(right) == none"
    went = go(SOUP, faults=[f"{when}: set not opened(microwave_door)"])
    assert at_its_goal(went)
    assert OPEN_AGAIN in (*went.did("left"), *went.did("right"))
    assert len(went.told("planned")) == 1


def test_a_goal_that_was_undone_is_reached_again(go: Go) -> None:
    went = go(SOUP, faults=["1s after running(microwave): set opened(refrigerator_cooler_door)"])
    assert at_its_goal(went)
    assert went.fact("opened", "refrigerator_cooler_door") is False


def test_what_is_done_late_changes_who_does_the_rest(go: Go) -> None:
    """A graph of one arm's long wait: the other takes over what was planned for it."""
    went = go(SOUP, faults=["fail open(agent=left): stuck"])
    planned = {slot.node: slot.agents for slot in went.plans[0].slots or ()}
    nodes = {id: node for node, id in went.plans[0].nodes.items()}
    done = {nodes[s.subtask]: (s.agent,) for s in went.times.spans if s.ended == "done"}
    assert at_its_goal(went)
    assert any(done[node] != planned[node] for node in done)


def test_the_same_run_writes_the_same_journal(go: Go) -> None:
    one, other = go(SOUP), go(SOUP)
    assert one.journal.records == other.journal.records


def test_a_task_that_no_file_has_and_no_model_plans_ends_with_the_reason(go: Go) -> None:
    went = go("put the cup away")
    (failed,) = went.told("plan.failed")
    reason = str(failed.data["reason"])
    assert reason.startswith("no model is there to make one, and no file describes the task")


def test_a_model_that_gives_no_answer_leaves_it_to_the_reference_graph(go: Go) -> None:
    went = go(SOUP, answers=[TransportError("the line is dead")])
    assert at_its_goal(went)
    assert [e.data["by"] for e in went.told("planned")] == ["offline"]
    assert [e.data["reason"] for e in went.told("model.lost")] == ["the line is dead"]


def test_an_arm_that_stays_out_ends_with_a_verdict(go: Go) -> None:
    """Both arms carry the pot; one of them drops out and does not come back."""
    went = go("task_9", "kitchen_3", faults=["3s after holding(left) == pot: out left"])
    (failed,) = went.told("plan.failed")
    reason = str(failed.data["reason"])
    assert 'left is out and holds "pot" together with right' in reason
    assert 'put "pot" into "sink"' in reason
    assert went.outcome.seconds >= 300
    assert went.told("plan.done") == []


def test_an_arm_that_comes_back_in_time_is_waited_for(go: Go) -> None:
    faults = ["3s after holding(left) == pot: out left", "then 290s: back left"]
    went = go("task_9", "kitchen_3", faults=faults)
    assert went.told("plan.done")

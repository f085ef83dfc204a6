"""A model makes the graph: checked, sent back with what is wrong, asked for again when it fails."""

from __future__ import annotations

import json
from typing import Any

from tests.systems.dag_plan.conftest import SOUP, Go, Went, by_hand

FIRST: dict[str, Any] = by_hand("task_5")


def without_node(plan: str, name: str) -> str:
    """The graph's text without a node; nothing waits for it any more."""
    blocks = plan.split("  node_")
    (gone,) = [block for block in blocks if f"name: {name}\n" in block]
    number = gone.split(":")[0]
    kept = [block for block in blocks if block is not gone]
    text = "  node_".join(kept)
    lines = []
    for line in text.splitlines():
        if "edge:" in line:
            head, _, numbers = line.partition("[")
            left = [n for n in numbers.rstrip("]").split(", ") if n not in (number, "")]
            line = f"{head}[{', '.join(left)}]"
        lines.append(line)
    return "\n".join(lines) + "\n"


WRONG = {"reasoning": "", "plan": without_node(FIRST["plan"], 'open "microwave_door"')}


def prompts(went: Went) -> list[str]:
    """The last message of every request."""
    assert went.transport is not None
    return [request.messages[-1].content for request in went.transport.requests]


def refused(went: Went) -> list[str]:
    return [str(e.data["refused"]) for e in went.told("answered") if "refused" in e.data]


def test_a_graph_without_a_needed_node_is_sent_back_with_its_line(go: Go) -> None:
    went = go(SOUP, answers=[WRONG, FIRST], by="hand")
    assert went.outcome.ok
    (reason,) = refused(went)
    assert 'the "microwave_door" is closed' in reason or "microwave_door" in reason
    first, second = prompts(went)
    assert f"task: {SOUP}" in first
    assert reason in second
    assert [e.data["by"] for e in went.told("planned")] == ["hand"]


def test_after_so_many_wrong_graphs_the_reference_graph_is_done(go: Go) -> None:
    went = go(SOUP, answers=[WRONG] * 4)
    assert len(refused(went)) == 4
    (planned,) = went.told("planned")
    assert planned.data["by"] == "offline"
    assert "attempt 4" in str(planned.data["because"])
    assert went.fact("ran", "microwave") is True


def test_what_is_no_graph_is_sent_back(go: Go) -> None:
    answers = ["I would open the door first.", '{"reasoning": "", "plan": "nodes: [1, 2"}']
    went = go(SOUP, answers=[*answers, FIRST])
    assert len(refused(went)) == 2
    assert went.fact("at", "tin") == "table"


def test_a_graph_may_stand_in_a_fence_without_json(go: Go) -> None:
    went = go(SOUP, answers=[f"Here it is:\n```yaml\n{FIRST['plan']}```\n"])
    assert refused(went) == []
    assert [e.data["by"] for e in went.told("planned")] == ["scripted"]


def test_the_prompt_has_the_commands_of_the_skills_and_an_example(go: Go) -> None:
    went = go(SOUP, answers=[FIRST])
    assert went.transport is not None
    (request,) = went.transport.requests
    assert (request.node, request.kind) == ("Task_Graph", "plan")
    head, question, answer, own = (message.content for message in request.messages)
    skill = went.run.knowledge.skill("switch_on")
    assert skill is not None
    line = f'- switch_on "APPLIANCE" (type: operate; arm_num: 1): {skill.about}'
    assert line in head
    assert "task: put the cup away" in question
    assert 'obj_description:\n"table":\n    type: actor\n' in own
    assert json.loads(answer)["plan"].startswith("nodes:\n  node_1:")


def into_dishwasher(plan: str) -> str:
    """The graph that gets the bowl out of the dishwasher, where somebody has put it."""
    lines = []
    for block in plan.split("  node_"):
        if 'name: grasp "bowl"' in block:
            head, _, rest = block.partition("edge: [")
            block = f"{head}edge: [90, {rest}"
        lines.append(block)
    extra = (
        '90:\n    name: open "dishwasher_door"\n    arm_num: 1\n    edge: []\n'
        "    type: operate\n    description: The bowl is in there.\n"
    )
    return "  node_".join([*lines[:1], extra, *lines[1:]])


def moved(go: Go, *answers: Any) -> Went:
    """The right arm's grasp of the bowl fails, and meanwhile somebody puts it elsewhere."""
    faults = [
        "fail grasp(right, bowl): it is gone",
        "when opened(refrigerator_cooler_door): set at(bowl) == dishwasher",
    ]
    return go(SOUP, answers=list(answers), by="hand", faults=faults)


def test_a_graph_that_cannot_be_done_any_more_is_asked_for_again_with_the_reason(go: Go) -> None:
    went = moved(go, FIRST, {"reasoning": "", "plan": into_dishwasher(FIRST["plan"])})
    assert went.outcome.ok
    first, second = prompts(went)
    assert "earlier graph" not in first
    assert '"bowl" is in "refrigerator_cooler_body"' in first
    assert '"bowl" is in "dishwasher"' in second
    assert 'earlier graph failed: grasp "bowl" cannot be done' in second
    assert 'finished so far: open "microwave_door"; open "refrigerator_cooler_door"' in second
    assert "hands: empty" in second
    assert [made.by for made in went.plans] == ["hand", "hand"]
    assert went.fact("at", "bowl") == "microwave"


def test_what_is_done_is_not_done_again_by_the_new_graph(go: Go) -> None:
    went = moved(go, FIRST, {"reasoning": "", "plan": into_dishwasher(FIRST["plan"])})
    done = [e.data["subtask"] for e in went.told("subtask.done")]
    assert done.count('open "refrigerator_cooler_door"') == 1
    assert done.count('put "tin" onto "table"') == 1
    assert 'open "dishwasher_door"' in done


def test_a_new_graph_is_judged_by_what_has_happened(go: Go) -> None:
    """The first graph once more would fail as before: the bowl is in the dishwasher now."""
    went = moved(go, FIRST, FIRST, {"reasoning": "", "plan": into_dishwasher(FIRST["plan"])})
    assert went.outcome.ok
    (reason,) = refused(went)
    assert "opened(dishwasher_door) is needed" in reason
    assert went.fact("at", "bowl") == "microwave"


def test_a_subtask_that_fails_too_often_fails_the_graph(go: Go) -> None:
    fault = "fail open(door=microwave_door) x9: jammed"
    went = go(SOUP, answers=[FIRST] * 3, by="hand", faults=[fault])
    (failed,) = went.told("plan.failed")
    assert "failed 3 times: open(microwave_door): jammed" in str(failed.data["reason"])
    assert len(went.plans) == 3


def test_without_a_model_a_graph_that_failed_ends_the_task(go: Go) -> None:
    fault = "fail open(door=microwave_door) x9: jammed"
    went = go(SOUP, faults=[fault])
    (failed,) = went.told("plan.failed")
    assert "jammed" in str(failed.data["reason"])
    assert len(went.plans) == 1


def test_words_that_no_file_has_are_planned_by_a_model(go: Go) -> None:
    plan = (
        'nodes:\n  node_1:\n    name: grasp "cup"\n    arm_num: 1\n    edge: []\n'
        '    type: occupy\n  node_2:\n    name: put "cup" onto "table"\n    arm_num: 1\n'
        "    edge: [1]\n    type: release\n  node_3:\n    name: task complete\n    arm_num: 0\n"
        "    edge: [2]\n    type: complete\n"
    )
    goal = {"goal": ["at(cup) == table"], "missing": []}
    went = go("lift the cup", answers=[{"reasoning": "", "plan": plan}], goals=[goal])
    assert went.told("plan.done"), [e.data for e in went.told("answered")]

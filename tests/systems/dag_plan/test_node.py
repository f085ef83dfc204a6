"""`plan`: a graph is asked for, checked, shared out among whoever there is, and seen through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree
from treec.ask.transport import NEVER, ScriptedAnswer

ROOT = """\
parallel:
  until: never
  children:
    - {plan: Graph, with: {task: $recipe_name}, name: tidy, tries: 2, again: 1}
    - {tree: worker, for: agent in robots, with: {agent: $agent}}
"""
GRAPH = """\
nodes:
  node_1: {name: hold "pepper", arm_num: 1, edge: [], type: occupy}
  node_2: {name: lay "pepper" onto "table", arm_num: 1, edge: [1], type: release}
  node_3: {name: hold "salt", arm_num: 1, edge: [], type: occupy}
  node_4: {name: lay "salt" onto "table", arm_num: 1, edge: [3], type: release}
  node_5: {name: task complete, arm_num: 0, edge: [2, 4], type: complete}
"""
ROBOT = "agent: {}\nis: Robot\nabout: A robot.\nskills: {{hold: {{takes: {}}}, lay: {{}}}}\n"
SKILL = "about: Do.\ntakes: 3s\nruns: {symbolic: treec.envs.symbolic:Effects}\n"
FILES = {
    **tree(ROOT),
    "pack/R1.agent.yaml": ROBOT.format("R1", "4s"),
    "pack/R2.agent.yaml": ROBOT.format("R2", "6s"),
    "pack/Graph.plan.yaml": (
        "plan: Graph\nabout: Tidying.\noffline: reference\n"
        "observation: '{{ task }} {{ wrong }}'\ninstructions: Plan.\nmodel: {retries: 1}\n"
        "reflection: \"Wrong: {{ findings | join(' / ') }}\"\n"
    ),
    "pack/worker.tree.yaml": """\
tree: worker
about: Do what is in the queue.
ports: {agent: in Robot}
vars: {subtask: Subtask}
root:
  - take: {queue: $agent, into: subtask}
  - program: Work
    with: {agent: $agent, subtask: $subtask}
    while: status(agent) == 'Running' and status(subtask) == 'running'
    on_failure: [{report: {subtask: $subtask, failed: $reason}}]
  - report: {subtask: $subtask, done: true}
then: repeat
""",
    "pack/Work.program.yaml": (
        "program: Work\nabout: One step.\nargs: [agent, subtask]\noffline: steps(subtask)\n"
    ),
    "pack/hold.skill.yaml": (
        f'skill: hold\n{SKILL}says: hold "{{{{ item }}}}"\nargs: {{agent: Robot, item: Item}}\n'
        "before: [holding(agent) == none, at(item) != table]\n"
        "after: [holding(agent) == item, at(item) == agent]\n"
    ),
    "pack/lay.skill.yaml": (
        f'skill: lay\n{SKILL}says: lay "{{{{ item }}}}" onto "{{{{ place }}}}"\n'
        "args: {agent: Robot, item: Item, place: Place}\n"
        "before: [holding(agent) == item]\nafter: [holding(agent) == none, at(item) == place]\n"
    ),
    "pack/tidy.problem.yaml": (
        "problem: Tidy\ntask: tidy up\nscene: kitchen\ngraph: pack/tidy.yaml\n"
        "goal: [at(pepper) == table, at(salt) == table]\n"
    ),
    "pack/tidy.yaml": GRAPH,
}


def bench(folder: Path, *answers: ScriptedAnswer, **files: str) -> Bench:
    given = {**FILES, **{f"pack/{name}": text for name, text in files.items()}}
    return Bench(folder, given, answers={"Graph": answers} if answers else None)


def graph(text: str = GRAPH) -> dict[str, Any]:
    return {"reasoning": "", "plan": text}


def status(b: Bench) -> Status:
    return b.nodes["main/tidy"].status


def who(b: Bench) -> list[tuple[object, object]]:
    return [(e.data["agent"], e.data["subtasks"]) for e in b.told("assigned")]


def test_without_a_task_it_waits(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.pass_time(10)
    assert status(b) is Status.RUNNING
    assert b.told("planned") == []


def test_it_succeeds_when_the_goal_is_reached(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(recipe_name="tidy up")
    b.pass_time(8)
    assert status(b) is Status.RUNNING
    b.pass_time(10)
    assert status(b) is Status.SUCCESS
    assert (b.fact("at", "pepper"), b.fact("at", "salt")) == ("table", "table")
    assert len(b.told("plan.done")) == 1


def test_whoever_is_free_gets_the_next_one(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(recipe_name="tidy up")
    b.pass_time(20)
    assert sorted(map(str, who(b))) == [
        """('R1', ('hold "pepper"',))""",
        """('R1', ('lay "pepper" onto "table"',))""",
        """('R2', ('hold "salt"',))""",
        """('R2', ('lay "salt" onto "table"',))""",
    ]


def test_a_new_task_is_a_new_graph(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(recipe_name="tidy up")
    b.pass_time(20)
    b.set(recipe_name="make tea")
    b.pass_time(20)
    assert status(b) is Status.FAILURE
    (failed,) = b.told("plan.failed")
    assert failed.data["task"] == "make tea"


def test_a_wrong_answer_is_sent_back_in_the_words_of_the_file(tmp_path: Path) -> None:
    wrong = GRAPH.replace('lay "salt"', 'lay "sugar"')
    b = bench(tmp_path, graph(wrong), graph())
    b.set(recipe_name="tidy up")
    b.pass_time(20)
    assert b.transport is not None
    told = b.transport.requests[1].messages[-1].content
    assert "Wrong: line 5," in told
    assert 'unknown object "sugar"' in told
    assert [e.data["by"] for e in b.told("planned")] == ["scripted"]


def test_while_an_answer_is_awaited_nobody_moves(tmp_path: Path) -> None:
    b = bench(tmp_path, NEVER)
    b.set(recipe_name="tidy up")
    b.pass_time(5)
    assert status(b) is Status.RUNNING
    assert b.told("assigned") == []


def test_an_answer_that_never_comes_leaves_it_to_the_reference(tmp_path: Path) -> None:
    b = bench(tmp_path, NEVER)
    b.set(recipe_name="tidy up")
    b.pass_time(60)
    (planned,) = b.told("planned")
    assert planned.data["by"] == "offline"
    assert "no answer within 20 s" in str(planned.data["because"])
    assert status(b) is Status.SUCCESS


def test_halting_cancels_the_request(tmp_path: Path) -> None:
    b = bench(tmp_path, NEVER)
    b.set(recipe_name="tidy up")
    b.pass_time(5)
    b.run.root.stop(Status.INVALID)
    b.clock.advance(100.0)
    b.run.inbox.drain()
    assert b.told("planned") == []


def test_what_failed_as_often_as_may_be_fails_the_graph(tmp_path: Path) -> None:
    faults = 'scenario: bad\nsystem: test\nfaults: ["fail hold(item=salt) x9: slipped"]\n'
    given = {**FILES, "pack/bad.scenario.yaml": faults}
    b = Bench(tmp_path, given, scenario="bad")
    b.set(recipe_name="tidy up")
    b.pass_time(60)
    assert status(b) is Status.FAILURE
    assert [e.data["subtask"] for e in b.told("subtask.failed")] == ['hold "salt"'] * 2
    assert "failed 2 times" in str(b.told("plan.failed")[0].data["reason"])


def test_somebody_who_is_out_gets_nothing_and_leaves_what_they_had(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(recipe_name="tidy up")
    b.pass_time(1)
    b.emit("agent.interrupted", agent="R2")
    b.pass_time(40)
    assert status(b) is Status.SUCCESS
    assert ("R1", ('hold "salt"',)) in who(b)


def test_a_graph_that_cannot_be_read_from_its_file_fails_with_the_reason(tmp_path: Path) -> None:
    b = bench(tmp_path, **{"tidy.yaml": "nodes: {}\n"})
    b.set(recipe_name="tidy up")
    b.settle()
    assert status(b) is Status.FAILURE
    assert "the graph of the task's file" in str(b.told("plan.failed")[0].data["reason"])


def test_the_graph_stands_in_the_world_and_outlives_the_tree(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(recipe_name="tidy up")
    b.pass_time(5)
    b.run.root.stop(Status.INVALID)
    for robot in ("R1", "R2"):  # as a reload does
        b.emit("agent.requeued", agent=robot)
    b.pass_time(40)
    assert len(b.told("planned")) == 1
    assert b.fact("at", "salt") == "table"


def test_without_a_goal_nothing_is_called_done(tmp_path: Path) -> None:
    b = bench(tmp_path, graph())
    b.set(recipe_name="do something useful")
    b.pass_time(60)
    assert status(b) is Status.FAILURE
    (failed,) = b.told("plan.failed")
    assert "no goal says whether the task is done" in str(failed.data["reason"])
    assert b.told("plan.done") == []
    assert b.fact("at", "pepper") == "table"

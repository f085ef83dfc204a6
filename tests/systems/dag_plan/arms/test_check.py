"""What is wrong with a graph for a task is found, at its line, with what would be right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from treec.source.diagnostics import Diagnostic
from treec_dag_plan.arms.check import GraphCheck, check_graph
from treec_dag_plan.arms.check_orders import Orders
from treec_dag_plan.arms.commands import CommandMeaning, interpret
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.world import ArmWorld
from treec_dag_plan.arms.world_logic import read_term

from .conftest import GRAPHS, NUMBERS

Task = Callable[[int], AllocationProblem]


def text_of(number: int) -> str:
    return (GRAPHS / f"task_{number}.yaml").read_text("utf-8")


def judge(text: str, problem: AllocationProblem | None = None) -> GraphCheck:
    return check_graph(read_parts(text), None if problem is None else problem.world)


def judge_in(text: str, world: ArmWorld) -> list[Diagnostic]:
    return [*check_graph(read_parts(text), world).problems]


def codes(checked: GraphCheck) -> list[str]:
    return [problem.code for problem in checked.problems]


def edge(text: str, id: str, edges: list[int]) -> str:
    """A graph's text with other edges for one node."""
    found, count = re.subn(
        rf"(  {id}:\n    name: .*\n    arm_num: \d\n    edge: )\[.*\]",
        lambda match: match[1] + str(edges),
        text,
    )
    assert count == 1
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_the_nine_graphs_are_right(task: Task, number: int) -> None:
    checked = judge(text_of(number), task(number))
    assert checked.problems == ()
    assert not checked.cut


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.few(3)
def test_every_edge_of_the_nine_is_needed(task: Task, number: int) -> None:
    """Taken away, it is missed: found, and the help names an edge that makes the graph whole."""
    reading = read_parts(text_of(number))
    assert reading.graph is not None
    for node in reading.graph.nodes:
        for gone in node.after:
            rest = [int(id.removeprefix("node_")) for id in node.after if id != gone]
            checked = judge(edge(text_of(number), node.id, rest), task(number))
            assert not checked.good, f"{gone} of {node.id}"
            assert any("among" in (p.help or "") for p in checked.problems), checked.problems


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('grasp "tin"', 'fetch "tin"', "TC721", 46),
        ('put "tin" onto "table"', 'put "tin" on "table"', "TC721", 52),
        ('put "tin" onto "table"', 'put "tin"', "TC721", 52),
        ('grasp "tin"', 'grasp "tinn"', "TC722", 46),
        ('open "microwave_door"', 'open "table"', "TC722", 16),
        ('put "tin" onto "table"', 'put "tin" into "table"', "TC722", 52),
        (
            '"refrigerator_cooler_door"\n    arm_num: 1',
            '"refrigerator_cooler_door"\n    arm_num: 2',
            "TC723",
            5,
        ),
        ("type: occupy\n    description: Take the tin.", "type: operate", "TC724", 49),
    ],
)
def test_a_sub_task_must_be_one_that_can_be_done(
    task: Task, old: str, new: str, code: str, line: int
) -> None:
    assert old in text_of(5)
    checked = judge(text_of(5).replace(old, new, 1), task(5))
    assert (code, line) in [(p.code, p.span.line) for p in checked.problems]


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ('put "carrot" onto "cutting_board"', 'put "cutting_board" onto "carrot"', None),
        ('cut "carrot" with "knife"', 'cut "knife" with "carrot"', None),
        (
            'put "carrot" onto "cutting_board"',
            'put "carrot" into "cutting_board"',
            None,
        ),
        ('cut "carrot" with "knife"', 'cut "carrot" with "bowl"', "of that type: knife"),
    ],
)
def test_what_does_not_fit_a_command_is_told_once_with_what_does(
    task: Task, old: str, new: str, help: str | None
) -> None:
    (problem,) = judge(text_of(8).replace(old, new), task(8)).problems
    assert problem.code == "TC722"
    assert problem.help == (help or f"did you mean {old}?")


def test_a_hold_without_an_end_is_not_told_at_each_use_of_it(task: Task) -> None:
    text = text_of(8)
    start = text.index("  node_9:")
    text = text[:start] + edge(text[text.index("  node_10:") :], "node_10", [5, 8])
    (problem,) = judge(text, task(8)).problems
    assert problem.message == 'grasp "knife", and no release node lets go of it'


def test_ways_to_go_on_are_listed_once(task: Task) -> None:
    text = text_of(8).replace('grasp "red_bell_pepper"', 'grasp "carrot"')
    helps = [problem.help or "" for problem in judge(text, task(8)).problems]
    assert helps
    for help in helps:
        ways = help.partition(": ")[2].split(" or ")
        assert len({*ways}) == len(ways), help


def test_a_circle_is_marked_at_the_edge_that_leads_back() -> None:
    checked = judge(edge(text_of(8), "node_3", [9]))
    (finding,) = (one for one in checked.findings if one.kind.name == "cycle")
    assert finding.edge == ("node_9", "node_3")


def test_an_unknown_object_is_marked_itself(task: Task) -> None:
    (problem,) = judge(text_of(5).replace('grasp "tin"', 'grasp "tinn"'), task(5)).problems[:1]
    assert (problem.span.column, problem.span.end_column) == (18, 22)
    assert problem.help == 'did you mean "tin"?'


def test_a_checked_graph_keeps_its_nodes_and_edges_in_the_findings(task: Task) -> None:
    checked = judge(edge(text_of(1), "node_4", []), task(1))
    assert checked.graph is not None
    (found,) = checked.at("node_4")
    assert found.kind.name == "never_released"
    assert found.missing == ("node_3", "node_4")
    assert found.missing[0] in checked.graph.by_id
    circular = judge(edge(text_of(1), "node_1", [2]), task(1))
    assert [(f.kind.name, f.nodes, f.edge) for f in circular.findings if f.edge] == [
        ("cycle", ("node_1", "node_2"), ("node_2", "node_1"))
    ]


def test_words_are_made_from_the_arguments(task: Task) -> None:
    (found, *_) = judge(text_of(5).replace('grasp "tin"', 'grasp "tinn"'), task(5)).findings
    assert (found.node, found.kind.name, found.args["name"]) == ("node_8", "unknown_thing", "tinn")
    assert found.message == 'unknown object "tinn" in this task'
    assert found.help == 'did you mean "tin"?'


def test_a_pot_needs_both_arms(task: Task) -> None:
    text = text_of(9).replace("arm_num: 2", "arm_num: 1")
    found = [p for p in judge(text, task(9)).problems if p.code == "TC723"]
    assert [p.span.line for p in found] == [11, 17, 35, 41]
    assert found[0].message == 'grasp "pot" takes 2 arms, not 1'
    assert found[0].help == "write arm_num: 2"


def test_an_object_named_like_a_command_is_an_object(task: Task) -> None:
    found = judge(text_of(5).replace('"tin"', '"put"'), task(5)).problems
    assert [(p.code, p.message) for p in found] == [
        ("TC722", 'unknown object "put" in this task'),
        ("TC722", 'unknown object "put" in this task'),
    ]


def test_a_graph_ends_with_one_complete_node(task: Task) -> None:
    text = text_of(1)
    without = text[: text.index("  node_5:")]
    assert "TC725" in codes(judge(without))
    twice = text + text[text.index("  node_5:") :].replace("node_5", "node_6")
    assert "TC725" in codes(judge(twice))
    goes_on = text.replace("edge: [3]", "edge: [3, 5]").replace("edge: [2, 4]", "edge: [2]")
    assert "TC725" in codes(judge(goes_on))


def test_what_is_not_connected_and_what_nothing_waits_for_are_told(task: Task) -> None:
    loose = judge(edge(text_of(1), "node_5", [2]))
    assert [(p.code, p.span.line) for p in loose.problems] == [("TC726", 21)]
    assert "not connected" in loose.problems[0].message
    unneeded = judge(edge(text_of(5), "node_11", [7, 9]))
    assert [p.message for p in unneeded.problems] == ["nothing waits for node_10"]


@pytest.mark.parametrize(
    ("number", "id", "edges"),
    [(1, "node_2", []), (8, "node_5", [4]), (8, "node_9", [5])],
    ids=["never put down", "tool not held", "put down before"],
)
def test_holds_are_whole(number: int, id: str, edges: list[int]) -> None:
    assert "TC727" in codes(judge(edge(text_of(number), id, edges)))


THREE = """\
nodes:
  node_1: {name: grasp "a", arm_num: 1, edge: [], type: occupy}
  node_2: {name: grasp "b", arm_num: 1, edge: [], type: occupy}
  node_3: {name: grasp "c", arm_num: 1, edge: [], type: occupy}
  node_4: {name: put "a" into "x", arm_num: 1, edge: [1, 2], type: release}
  node_5: {name: put "b" into "x", arm_num: 1, edge: [2, 3], type: release}
  node_6: {name: put "c" into "x", arm_num: 1, edge: [3, 1], type: release}
  node_7: {name: task complete, arm_num: 0, edge: [4, 5, 6], type: complete}
"""


def test_two_arms_can_hold_three_things_if_one_can_be_put_down_before() -> None:
    assert judge(THREE).problems == ()


def test_three_things_at_once_on_every_order_are_too_many() -> None:
    text = re.sub(r"edge: \[\d, \d\], type: release", "edge: [1, 2, 3], type: release", THREE)
    (problem,) = judge(text).problems
    assert problem.code == "TC728"
    assert "hold" in problem.message


def test_full_hands_cannot_open_what_they_wait_for() -> None:
    text = THREE.replace('grasp "c"', 'open "c"').replace(
        "edge: [], type: occupy}\n  node_4", "edge: [1, 2], type: operate}\n  node_4"
    )
    text = text.replace(
        '  node_6: {name: put "c" into "x", arm_num: 1, edge: [3, 1], type: release}\n', ""
    )
    text = text.replace("edge: [1, 2], type: release", "edge: [1, 3], type: release").replace(
        "[4, 5, 6]", "[4, 5]"
    )
    assert "TC728" in codes(judge(text))


def test_an_order_that_misses_the_goal_is_shown(task: Task) -> None:
    """E.1, criterion 5: the toaster is switched off before the bread is in it."""
    text = edge(edge(text_of(2), "node_5", []), "node_7", [2, 4, 6])
    (problem,) = [p for p in judge(text, task(2)).problems if p.code == "TC730"]
    assert (problem.span.line, problem.span.column) == (30, 11)
    order = re.findall(r"node_\d", problem.message)
    assert order.index("node_6") < order.index("node_4")
    assert sorted(order) == [f"node_{n}" for n in range(1, 7)]
    assert "ran(toaster) is not so" in problem.message
    assert problem.help == "write node_4 among the edges of node_5"


def test_an_order_that_cannot_be_done_is_shown(task: Task) -> None:
    found = judge(edge(text_of(5), "node_8", []), task(5)).problems
    assert [(p.code, p.span.line) for p in found] == [("TC729", 48)]
    assert "opened(refrigerator_cooler_door) is needed" in found[0].message
    assert found[0].help == "write node_1 among the edges of node_8"


@pytest.mark.parametrize(
    ("edges", "wanted"),
    [
        ({10: [9], 12: [11]}, {(7, 10), (7, 12)}),
        ({10: [3, 9], 12: [3, 11]}, {(7, 10), (7, 12)}),
        ({13: [8, 12]}, {(10, 13)}),
        ({13: [8]}, {(10, 13), (12, 13)}),
    ],
)
def test_of_the_ways_to_the_goal_the_one_that_the_graph_is_written_in_is_proposed(
    task: Task, edges: dict[int, list[int]], wanted: set[tuple[int, int]]
) -> None:
    """Not what would do as well: vegetables put into the pot while it stands in the cabinet."""
    text = text_of(9)
    for node, before in edges.items():
        text = edge(text, f"node_{node}", before)
    proposed = " ".join(problem.help or "" for problem in judge(text, task(9)).problems)
    found = re.findall(r"write node_(\d+) among|and node_(\d+) among", proposed)
    pairs = re.findall(r"node_(\d+) among the edges of node_(\d+)", proposed)
    assert len(found) == len(pairs)
    assert {(int(first), int(then)) for first, then in pairs} - {(10, 14), (12, 14)} == wanted


def test_what_a_message_lists_is_cut_and_told_once(task: Task) -> None:
    (text, _), (_, kitchen) = wide(task(1), 4), wide(task(1), 12)
    (missed,) = judge_in(text, kitchen)
    assert missed.code == "TC730"
    assert missed.message.count("not plate") == 3
    assert len(missed.message) < 200
    assert 'put "apple_4" onto "plate"' in (missed.help or "")
    two = text.replace('"apple_3"', '"xyzzy"').replace('grasp "apple_1"', 'frob "apple_1"')
    two = two.replace('"apple_2"', '"apple_22"')
    helps = [problem.help or "" for problem in judge_in(two, kitchen)]
    assert sum(help.startswith("known: ") for help in helps) == 1
    assert sum(help.startswith("commands: ") for help in helps) == 1
    assert sum(help == 'did you mean "apple_2"?' for help in helps) == 2


def test_a_condition_that_no_node_brings_about_has_the_command_that_does(task: Task) -> None:
    """Of moving what stands behind a door, and opening the door: the door."""
    nodes = """nodes:
  node_1: {name: grasp "carrot", arm_num: 1, edge: [], type: occupy}
  node_2: {name: put "carrot" into "pot", arm_num: 1, edge: [1], type: release}
  node_3: {name: task complete, arm_num: 0, edge: [2], type: complete}
"""
    (problem,) = judge(nodes, task(9)).problems
    assert problem.code == "TC729"
    assert problem.help == (
        'add a node that brings that about, and let it wait for it: open "cabinet_right_door"'
    )


def test_a_graph_for_another_goal_never_reaches_this_one(task: Task) -> None:
    """Apple and bread on the plate is not bread in the toaster."""
    (problem,) = judge(text_of(1), task(2)).problems
    assert problem.code == "TC730"
    assert "no order reaches the goal" in problem.message


def test_what_the_goal_does_not_need_is_told(task: Task) -> None:
    text = text_of(5).replace(
        "  node_11:\n",
        '  node_12: {name: open "dishwasher_door", arm_num: 1, edge: [], type: operate}\n'
        '  node_13: {name: close "dishwasher_door", arm_num: 1, edge: [12], type: operate}\n'
        "  node_11:\n",
    )
    text = text.replace("edge: [7, 9, 10]", "edge: [7, 9, 10, 13]")
    checked = judge(text, task(5))
    assert [(p.code, p.severity, p.span.line) for p in checked.problems] == [
        ("TC731", "warning", 63),
        ("TC731", "warning", 64),
    ]
    assert checked.good


def test_a_search_that_is_cut_says_so_and_still_probes(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    from treec_dag_plan.arms import check_goal
    from treec_dag_plan.arms.check_orders import Orders

    real = Orders.search
    monkeypatch.setattr(Orders, "search", lambda self, before=None, most=9: real(self, before, 9))
    whole = judge(text_of(9), task(9))
    assert whole.cut
    assert whole.problems == ()
    checked = judge(edge(text_of(9), "node_13", [8, 10]), task(9))
    assert checked.cut
    assert {"TC726", "TC730"} <= set(codes(checked))
    assert check_goal.PROBE_STEPS > 0


def wide(problem: AllocationProblem, count: int) -> tuple[str, ArmWorld]:
    """Many apples that each go onto the plate, in any order, and the kitchen that has them."""
    world = problem.world
    apples = [f"apple_{number}" for number in range(count)]
    start = {
        tuple(apple if part == "apple" else part for part in key): value
        for apple in apples
        for key, value in world.start.items()
    }
    kinds = dict.fromkeys(apples, world.things["apple"])
    goal = tuple(read_term(f"at({apple}) == plate") for apple in apples)
    kitchen = replace(
        world,
        things={**world.things, **kinds},
        names={**world.names, **{apple: apple for apple in apples}},
        start=start,
        goal=goal,
    )
    lines = ["nodes:"]
    for number, apple in enumerate(apples):
        lines.append(
            f"  node_{2 * number + 1}: {{name: 'grasp \"{apple}\"', arm_num: 1, edge: [], "
            "type: occupy}"
        )
        lines.append(
            f'  node_{2 * number + 2}: {{name: \'put "{apple}" onto "plate"\', arm_num: 1, '
            f"edge: [{2 * number + 1}], type: release}}"
        )
    puts = ", ".join(str(2 * number + 2) for number in range(count))
    lines.append(
        f"  node_{2 * count + 1}: {{name: task complete, arm_num: 0, edge: [{puts}], "
        "type: complete}"
    )
    return "\n".join(lines) + "\n", kitchen


@pytest.mark.thorough
def test_a_wide_graph_is_probed_to_its_last_node_and_says_how_far_it_is(task: Task) -> None:
    text, kitchen = wide(task(1), 150)
    heard: list[tuple[int, int]] = []
    checked = check_graph(read_parts(text), kitchen, lambda done, of: heard.append((done, of)))
    assert checked.cut
    assert checked.problems == ()
    assert heard == sorted(heard)
    assert heard[-1][0] <= heard[-1][1]
    taken = replace(kitchen, start={**kitchen.start, ("held", "apple_149"): True})
    found = check_graph(read_parts(text), taken).problems
    assert [(p.code, p.span.line) for p in found] == [("TC729", 300)]


def test_one_wide_moment_does_not_take_more_steps_than_a_search_may(task: Task) -> None:
    text, kitchen = wide(task(1), 150)
    graph = read_parts(text).graph
    assert graph is not None
    meanings = {}
    for node in graph.work():
        found = interpret(kitchen, node.command, node.objects, node.arms)
        assert isinstance(found, CommandMeaning)
        meanings[node.id] = found
    seen = Orders(graph, kitchen, meanings).search(most=30)
    assert seen.cut
    assert seen.steps <= 30 + 1 + len(kitchen.start) // 100


APPLE = """\
nodes:
  node_1: {name: grasp "apple", arm_num: 1, edge: [], type: occupy}
  node_2: {name: put "apple" onto "plate", arm_num: 1, edge: [1], type: release}
  node_3: {name: task complete, arm_num: 0, edge: [2], type: complete}
"""


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("edge: [2]", "edge: [7]", "TC706", 4),
        ("edge: [1]", "edge: [7]", "TC706", 3),
        ("edge: [1]", "edge: [2]", "TC706", 3),
        ("node_2:", "node_1:", "TC004", 3),
        ("node_2:", "node_01:", "TC707", 3),
        ("node_3:", "node_1:", "TC004", 4),
        ("type: release", "type: relase", "TC704", 3),
        ("type: complete", "type: complet", "TC704", 4),
        ("node_2: {name:", "node_2: {nmae:", "TC703", 3),
        ("edge: [1]", "edge: []", "TC727", 2),
    ],
)
def test_one_slip_is_one_finding(old: str, new: str, code: str, line: int) -> None:
    """What only follows from it is not said: the node that is missing, the edge to it."""
    checked = judge(APPLE.replace(old, new, 1))
    assert [(p.code, p.span.line) for p in checked.problems] == [(code, line)]


def test_a_second_end_is_one_finding() -> None:
    second = "  node_4: {name: done, arm_num: 0, edge: [3], type: complete}\n"
    assert codes(judge(APPLE + second)) == ["TC725"]
    again = "  node_3: {name: task complete, arm_num: 0, edge: [2], type: complete}\n"
    assert codes(judge(APPLE + again)) == ["TC004"]


def test_a_loose_node_is_told_once_more_where_nothing_else_explains_it() -> None:
    loose = '  node_4: {name: open "door", arm_num: 1, edge: [], type: operate}\n'
    assert codes(judge(APPLE + loose)) == ["TC726"]
    far = APPLE.replace("arm_num: 1, edge: [1]", "arm_num: 1, arm_num: 1, edge: [1]") + loose
    assert codes(judge(far)) == ["TC004", "TC726"]


def test_an_edge_that_some_order_misses_is_not_told_as_a_loose_node_too(task: Task) -> None:
    checked = judge(edge(text_of(5), "node_4", [2]), task(5))
    (problem,) = checked.problems
    assert (problem.code, problem.help) == ("TC729", "write node_3 among the edges of node_4")


def test_a_door_that_is_held_has_the_wrong_type_and_no_missing_release(task: Task) -> None:
    at = text_of(5).index("node_3:")
    text = text_of(5)[:at] + text_of(5)[at:].replace("type: operate", "type: occupy", 1)
    (problem,) = judge(text, task(5)).problems
    assert (problem.code, problem.help) == ("TC724", "write type: operate")
    (alone,) = judge(text).problems
    assert alone.code == "TC727"
    assert (alone.help or "").startswith("if the hand is empty afterwards, write type: operate;")


def test_what_a_finding_says_would_be_right_hides_nothing_else(task: Task) -> None:
    """A misspelt thing, a wrong type and number, a missing edge and an early release: at once."""
    text = edge(edge(text_of(8), "node_2", []), "node_9", [5])
    for old, new in (
        ('grasp "carrot"', 'grasp "carott"'),
        ('grasp "red_bell_pepper"', "grasp red bell pepper"),
        ('door"\n    arm_num: 1', 'door"\n    arm_num: 2'),
        ("type: tool use", "type: operate"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    checked = judge(text, task(8))
    assert [(one.code, one.node) for one in checked.findings] == [
        ("TC723", "node_1"),
        ("TC729", "node_2"),
        ("TC722", "node_3"),
        ("TC724", "node_5"),
        ("TC705", "node_6"),
        ("TC727", "node_8"),
    ]
    assert checked.at("node_6")[0].help == 'write grasp "red_bell_pepper"'

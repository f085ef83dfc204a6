from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.support.decisions import CALM, MERRY, YES, write_library
from treec.ask.transport import ScriptedTransport
from treec.files.library import load_library
from treec.files.view import View
from treec_testing.decisions.case_files import load_cases, select_cases
from treec_testing.decisions.cases import RECORDINGS, CaseError, DecisionCase
from treec_testing.decisions.request_queue import RequestQueue, run_sync
from treec_testing.recordings.folder import RecordingFolder

ROOT = Path(__file__).parents[2]


def cases(root: Path) -> dict[str, DecisionCase]:
    library = load_library(root)
    assert not library.diagnostics, library.diagnostics
    return {case.id: case for case in load_cases(library)}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_library(tmp_path)


def case_file(root: Path, text: str) -> None:
    path = root / "tests/decisions/x.case.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_every_example_is_a_case_that_leaves_itself_out(small: Path) -> None:
    found = cases(small)
    assert list(found) == [MERRY, CALM, YES]
    case = found[MERRY]
    decided = run_sync(case.situation(case.pins()).decide())
    question = decided.question
    assert question is not None
    assert [answer for _, answer in question.examples] == ['{"reasoning": "", "choose": "Rest"}']
    assert "mood: merry\navailable: nothing" in question.observation
    assert question.system == "You help in a kitchen."
    assert decided.decision == {"choose": "Wave"}
    assert decided.by == "offline"


def test_what_an_example_names_stands_in_its_world(small: Path) -> None:
    case = cases(small)[YES]
    around = case.situation(case.pins()).make_context(RequestQueue())
    team = around.runtime.team
    assert [str(p) for p in team.now.open] == ["R2: get pepper"]
    assert team.subtask("get pepper") is not None
    assert [act.kind for act in team.now.acts] == ["accept"]
    proposal = around.scope.lookup("proposals")[0]  # type: ignore[index]
    assert proposal == team.now.open[0]


def test_a_case_in_a_file_is_given_typed_values(small: Path) -> None:
    case_file(
        small,
        """\
case: something is there
node: Choose
given: {mood: calm, available: [get salt]}
knows: {capabilities: [nobody can anything]}
expect: {choose: Wave}
""",
    )
    case = cases(small)["Choose/something is there"]
    decided = run_sync(case.situation(case.pins()).decide(None, case.pins()))
    assert decided.decision == {"choose": "Wave"}
    assert decided.question is not None
    assert "nobody can anything" in decided.question.instructions
    assert len(decided.question.examples) == 2


def test_a_derived_name_that_is_left_out_follows_from_what_is_given(small: Path) -> None:
    domain = small / "pack/kitchen.domain.yaml"
    text = domain.read_text("utf-8") + "  glad: mood == 'merry'\n"
    domain.write_text(text, "utf-8")
    prompt = small / "pack/Choose.decision.yaml"
    prompt.write_text(
        prompt.read_text("utf-8")
        .replace("sees: [mood, available, acts]", "sees: [mood, available, glad]")
        .replace("mood: {{ mood }}", "mood: {{ mood }} {{ glad }}"),
        "utf-8",
    )
    seen = [
        decided.question.observation
        for case in list(cases(small).values())[:2]
        if (decided := run_sync(case.situation(case.pins()).decide())).question
    ]
    assert "mood: merry true\n" in seen[0]
    assert "mood: calm false\n" in seen[1]


def test_what_an_answer_would_come_to_is_judged_like_any_other(small: Path) -> None:
    case = cases(small)[YES]
    good = {"actions": [{"assign": {"agent": "R2", "subtasks": ["get pepper"], "because": "p1"}}]}
    decided = run_sync(case.situation(case.pins()).expected(good))
    assert decided.accepted
    assert decided.decision["actions"][0]["assign"]["agent"] == "R2"
    bad = {"actions": [{"assign": {"agent": "R2", "subtasks": ["get lost"], "because": "p1"}}]}
    decided = run_sync(case.situation(case.pins()).expected(bad))
    assert not decided.accepted
    assert "get lost" in decided.attempts[0].verdict


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "case: x\nnode: Chose\n",
            "unknown node 'Chose'; did you mean the decision 'Choose'",
        ),
        ("case: x\nnode: Choose\nsystem: tst\n", "unknown system 'tst'; did you mean 'test'"),
        (
            "case: x\nnode: Choose\ngiven: {moood: calm}\n",
            "x.case.yaml:3: Choose does not see 'moood'",
        ),
        ("case: x\nnode: Choose\ngiven: {mood: a}\nworld: {}\n", "`given` or `world`, not both"),
        ("case: x\nnod: Choose\n", "x.case.yaml:2:1: .*'nod'"),
        (
            "case: somebody-is-merry\nnode: Choose\n",
            "is already the name of the case in pack/Choose",
        ),
    ],
)
def test_a_wrong_case_says_where_and_why(small: Path, text: str, told: str) -> None:
    case_file(small, text)
    with pytest.raises(CaseError, match=told):
        load_cases(load_library(small))


@pytest.mark.parametrize(
    ("world", "told"),
    [
        ("{subtask: {}}", "unknown key of a world 'subtask'"),
        ("{subtasks: {a: {word: x}}}", "subtasks: 'a': unknown key 'word'"),
        ("{subtasks: {a: {}}}", "subtasks: 'a' lacks 'words'"),
        ("{state: {moood: calm}}", "unknown state 'moood'"),
        ("{facts: [{fact: nowhere, args: [pepper], value: table}]}", "unknown fact 'nowhere'"),
    ],
)
def test_a_wrong_world_says_what_is_wrong(small: Path, world: str, told: str) -> None:
    case_file(small, f"case: x\nnode: Choose\nworld: {world}\n")
    with pytest.raises(CaseError, match=told):
        cases(small)["Choose/x"].situation({})


def test_a_node_of_two_systems_is_asked_in_the_first(small: Path) -> None:
    text = (small / "test.system.yaml").read_text("utf-8")
    (small / "z.system.yaml").write_text(text.replace("system: test", "system: z"), "utf-8")
    found = cases(small)
    assert list(found) == [MERRY, CALM, YES]
    assert found[MERRY].view.system is not None
    assert found[MERRY].view.system.name == "test"


def test_cases_are_chosen_by_parts_and_patterns(small: Path) -> None:
    found = list(cases(small).values())
    assert [case.id for case in select_cases(found, ["Choose"])] == [MERRY, CALM]
    assert [case.id for case in select_cases(found, ["*/a-*", CALM])] == [CALM, YES]
    assert select_cases(found, ["Chose"]) == []


CERTAIN = {"Interrupt_Subtask", "No_op"}
"""Never asked in an example: a stop waits for no model, and `no_op` can only do nothing."""


@pytest.mark.needs_system("mosaic")
def test_every_prompt_of_the_planner_is_recorded_as_it_is_asked_in_two_situations() -> None:
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    prompts = {
        entry.name
        for kind in ("decision", "action", "reading", "program")
        for entry in view.all(kind).values()
        if entry.model.instructions is not None
    }
    recordings = RecordingFolder(ROOT / RECORDINGS).read_all()
    asked = Counter(recording.node for recording in recordings if recording.question is not None)
    assert {name: asked[name] for name in prompts - CERTAIN if asked[name] < 2} == {}


def test_the_time_of_an_answer_that_the_command_line_gives_holds_for_cases(small: Path) -> None:
    """As for `--model-set timeout=90s` with a slow model: not the 20 s of every prompt."""
    case = cases(small)[MERRY]
    slow = ScriptedTransport({}, default={"reasoning": "", "choose": "Wave"})
    slow.timeout = 90.0  # type: ignore[attr-defined]
    (request,) = run_sync(case.situation(case.pins()).decide(slow)).requests
    assert request.timeout == 90.0

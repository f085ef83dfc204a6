"""A model writes the program: checked before its first step, asked again with what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree
from treec.ask.transport import NEVER, Answer, ScriptedAnswer, TransportError
from treec.run.node_memory import model_programs
from treec.world.failures import Forbidden, StepFailed, failure_of
from treec_asking.marks import mark_text
from treec_asking.program import Program
from treec_asking.prompt import read_answer
from treec_program.prompt import SCHEMA, find_program, program_text

ROOT = "program: Steps\nwith: {agent: R1, subtask: get pepper}\nonce: true"
STEPS = """\
program: Steps
about: The steps of a subtask.
args: {agent: Robot, subtask: Subtask}
functions: [place_of]
offline: steps(subtask)
max_steps: 6
observation: "{{ agent }} does {{ subtask.words }}; done: {{ so_far | join(', ') or 'nothing' }}"
instructions: |
  Skills:
  {{ skills | join('\\n') }}
  Facts:
  {{ facts | join('\\n') }}
  Things:
  {{ things | join('\\n') }}
examples:
  - given: {agent: R2, subtask: get salt, so_far: ["pick('salt')"]}
    answer: {reasoning: It holds the salt., program: "place('salt', 'table')\\n"}
"""
GOOD = "pick('pepper')\nplace('pepper', 'table')\n"
OBJECTS = STEPS.replace("functions:", "style: objects\nobjects: {Thing: Item or Place}\nfunctions:")


def asked(
    folder: Path, *answers: ScriptedAnswer, root: str = ROOT, steps: str = STEPS, **files: str
) -> Bench:
    given = {"pack/Steps.program.yaml": steps, **tree(root)}
    given.update({f"pack/{name}.agent.yaml": text for name, text in files.items()})
    b = Bench(folder, given, answers={"Steps": answers})
    b.add("get pepper", item="pepper")
    return b


def program(text: str) -> dict[str, object]:
    return {"reasoning": "", "program": text}


def programmed(b: Bench) -> list[tuple[object, ...]]:
    return [(e.data["by"], e.data["program"]) for e in b.told("programmed")]


def test_what_the_model_writes_is_done(tmp_path: Path) -> None:
    b = asked(tmp_path, program(GOOD))
    b.pass_time(20)
    assert b.run.root.status is Status.SUCCESS
    assert b.skills() == ["go_to R1 ok", "pick R1 ok", "go_to R1 ok", "place R1 ok"]


def test_the_journal_has_the_text_once_and_each_steps_line(tmp_path: Path) -> None:
    b = asked(tmp_path, program(GOOD))
    b.pass_time(20)
    assert programmed(b) == [("scripted", GOOD)]
    assert [(e.data["line"], e.data["skill"]) for e in b.told("step")] == [
        (1, "pick"),
        (2, "place"),
    ]


def test_conditions_are_looked_at_when_they_are_reached(tmp_path: Path) -> None:
    text = (
        "for item in ['pepper', 'salt']:\n"
        "    if at(item) == pantry:\n"
        "        pick(item)\n"
        "        place(item, table)\n"
    )
    b = asked(tmp_path, program(text))
    b.emit("fact.set", fact="at", args=["salt"], value="table", source="told")
    b.pass_time(30)
    assert [e.data["line"] for e in b.told("step")] == [3, 4]


def test_the_prompt_has_the_agents_skills_facts_and_things(tmp_path: Path) -> None:
    b = asked(tmp_path, NEVER, R1="agent: R1\nis: Robot\nabout: A.\nskills: {pick: {}}\n")
    b.tick()
    system, _, example, now = (m.content for m in b.requests[0].messages)
    assert "pick(item: Item): Pick something up." in system
    assert "go_to(" not in system
    assert "at(Item) gives Place or Agent" in system
    assert "place_of(thing) gives text" in system
    assert "Item: 'pepper', 'salt', 'lettuce'" in system
    assert "place('salt', 'table')" in example
    assert now == mark_text("R1 does get pepper; done: nothing")


def test_an_example_speaks_of_its_own_agent_and_work(tmp_path: Path) -> None:
    b = asked(tmp_path, NEVER)
    b.tick()
    assert b.requests[0].messages[1].content == mark_text("R2 does get salt; done: pick('salt')")


def test_the_request_says_what_the_program_is_for(tmp_path: Path) -> None:
    b = asked(tmp_path, NEVER)
    b.tick()
    (request,) = b.requests
    assert request.kind == "program"
    assert str(request.observation["agent"]) != ""
    assert request.observation["so_far"] == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pik('pepper')", "line 1, column 1 in `pik('pepper')`: unknown skill 'pik' "
         "(did you mean 'pick'?)"),
        ("pick('pepper')\nplace('pepper')", "line 2, column 1 in `place('pepper')`: 'place' needs "
         "the argument 'place' (write place(item, place))"),
        ("import os\nos.system('ls')", "line 1, column 1 in `import os`: 'import' cannot be used "
         "in a program (skills are there without it: leave it out)"),
        ("", "the program has no steps"),
        ("pick('peper')", "'peper' is not an Item of the scene (did you mean 'pepper'?)"),
        ("assign(agent='R1', subtasks=['get salt'])", "unknown skill 'assign'"),
        ("say('All is done.')", "unknown skill 'say'"),
        ("place(agent=R2, item='pepper', place='table')", "done by the agent that runs it"),
    ],
)  # fmt: skip
def test_a_refused_program_is_asked_for_again_with_its_line(
    tmp_path: Path, text: str, reason: str
) -> None:
    b = asked(tmp_path, program(text), program(GOOD))
    b.pass_time(20)
    assert reason in b.requests[1].messages[-1].content
    assert reason in str(b.told("answered")[0].data["refused"])
    assert programmed(b) == [("scripted", GOOD)]
    assert b.run.root.status is Status.SUCCESS


def test_nothing_is_done_before_the_whole_program_is_judged(tmp_path: Path) -> None:
    b = asked(tmp_path, program("pick('pepper')\nfly('pepper')"), NEVER)
    b.pass_time(10)
    assert b.told("step") == []
    assert b.told("skill.started") == []


def test_after_the_last_refusal_the_tasks_steps_are_done_and_it_says_so(tmp_path: Path) -> None:
    b = asked(tmp_path, *[program(f"fly({n})") for n in range(3)])
    b.pass_time(30)
    (told,) = b.told("programmed")
    assert told.data["by"] == "offline"
    assert "attempt 3" in str(told.data["because"])
    assert [str(e.data["text"]) for e in b.told("answered")] == [
        f'{{"reasoning": "", "program": "fly({n})"}}' for n in range(3)
    ]
    assert b.run.root.status is Status.SUCCESS


@pytest.mark.parametrize("answer", [TransportError("no line"), NEVER])
def test_without_an_answer_the_tasks_steps_are_done(tmp_path: Path, answer: ScriptedAnswer) -> None:
    b = asked(tmp_path, answer)
    b.pass_time(60)
    assert [e.data["by"] for e in b.told("programmed")] == ["offline"]
    assert b.run.root.status is Status.SUCCESS


def test_without_offline_either_it_fails_with_every_reason(tmp_path: Path) -> None:
    steps = STEPS.replace("offline: steps(subtask)\n", "model: {retries: 0}\n")
    b = asked(tmp_path, program("fly()"), steps=steps)
    b.pass_time(5)
    assert b.run.root.status is Status.FAILURE
    reason = str(b.told("node.failed")[-1].data["reason"])
    assert "has no 'offline'" in reason
    assert "unknown skill 'fly'" in reason


def test_a_file_without_instructions_asks_nobody(tmp_path: Path) -> None:
    steps = "".join(STEPS.partition("observation:")[:1])
    b = asked(tmp_path, steps=steps)
    b.pass_time(30)
    assert b.requests == []
    assert [e.data["by"] for e in b.told("programmed")] == ["offline"]


def test_a_skill_that_the_agent_lacks_is_refused(tmp_path: Path) -> None:
    only = "agent: R1\nis: Robot\nabout: A.\nskills: {pick: {}, go_to: {}}\n"
    b = asked(tmp_path, program(GOOD), NEVER, R1=only)
    b.pass_time(5)
    assert (
        "unknown skill 'place' of R1 (its skills: go_to, pick)"
        in b.requests[1].messages[-1].content
    )


def test_a_value_that_turns_out_wrong_is_a_failure_with_its_line(tmp_path: Path) -> None:
    b = asked(tmp_path, program("where = at('pepper')\ngo_to(where)\n"))
    b.emit("fact.set", fact="at", args=["pepper"], value="user", source="told")
    b.pass_time(10)
    reason = str(b.told("node.failed")[-1].data["reason"])
    assert reason.startswith("Steps, line 2: go_to's 'place':")
    assert b.told("skill.started") == []


def test_more_steps_than_the_file_allows_end_it(tmp_path: Path) -> None:
    loop = "for turn in range(50):\n    go_to(pantry)\n    go_to(table)\n"
    b = asked(tmp_path, program(loop))
    b.pass_time(100)
    assert len(b.told("step")) == 6
    assert "more than 6 steps" in str(b.told("node.failed")[-1].data["reason"])


def test_stopped_it_closes_the_request(tmp_path: Path) -> None:
    b = asked(tmp_path, NEVER, root=ROOT.replace("once: true", "while: mood == 'calm'"))
    b.tick()
    b.set(mood="angry")
    b.pass_time(60)
    assert b.told("answered") == []
    assert b.told("programmed") == []


def test_begun_again_the_model_hears_what_is_done(tmp_path: Path) -> None:
    root = ROOT.replace("once: true", "while: mood == 'calm'")
    rest = program("place('pepper', 'table')\n")
    b = asked(tmp_path, program(GOOD), rest, root=root)
    b.pass_time(7)  # the pepper is picked up
    b.set(mood="angry")
    b.tick()
    b.set(mood="calm")
    b.pass_time(20)
    assert b.requests[1].messages[-1].content.endswith("done: pick('pepper')\n</data>")
    assert b.fact("at", "pepper") == "table"


def test_in_the_style_of_objects(tmp_path: Path) -> None:
    text = "pepper = Thing('pepper')\npepper.pick()\ntable = Thing('table')\npepper.place(table)\n"
    b = asked(tmp_path, program(text), steps=OBJECTS)
    b.pass_time(20)
    assert b.fact("at", "pepper") == "table"
    assert [e.data["line"] for e in b.told("step")] == [2, 4]


@pytest.mark.parametrize(
    "text",
    [
        '{"reasoning": "So.", "program": "pick(\'salt\')"}',
        'I think:\n```json\n{"program": "pick(\'salt\')"}\n```',
        "Here it is:\n```python\npick('salt')\n```\nGood luck!",
        "```\n    pick('salt')\n```",
        '{"program": "```python\\npick(\'salt\')\\n```"}',
    ],
)
def test_a_program_is_found_in_json_and_in_fences(text: str) -> None:
    data = read_answer(Answer(text, by="test"), SCHEMA, find_data=find_program)
    assert program_text(data) == "pick('salt')\n"


@pytest.mark.parametrize("text", ["pick('salt')", "", "{}", '{"program": 3}', "x" * 2_000_000])
def test_without_json_and_without_a_fence_there_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|object|must be|missing|empty|read"):
        read_answer(Answer(text, by="test"), SCHEMA, find_data=find_program)


def test_a_resumed_program_is_not_asked_for_again(tmp_path: Path) -> None:
    before = asked(tmp_path / "before", program(GOOD))
    before.pass_time(5)
    texts = model_programs(before.journal.records)
    after = asked(tmp_path / "after")
    (node,) = (node for node in after.run.root.iterate() if isinstance(node, Program))
    node.take_up(*texts[node.path])
    after.pass_time(20)
    assert after.run.root.status is Status.SUCCESS
    assert after.requests == []
    assert programmed(after) == programmed(before)


def test_a_resumed_program_that_is_wrong_by_now_is_asked_for(tmp_path: Path) -> None:
    b = asked(tmp_path, program(GOOD))
    (node,) = (node for node in b.run.root.iterate() if isinstance(node, Program))
    node.take_up("fly('pepper')\n", "scripted")
    b.pass_time(20)
    assert len(b.requests) == 1
    assert b.run.root.status is Status.SUCCESS


ONLY_ITS_THING = """\
contract: only_its_thing
about: Whoever does a subtask carries nothing that the subtask is not about.
each: skill(agent, skill, args, subtask)
when: skill in ['pick', 'place'] and subtask
require: args.item == subtask.args.item
"""


@pytest.mark.parametrize(
    ("contract", "by"),
    [
        (ONLY_ITS_THING, "only_its_thing"),
        (
            "contract: salt_stays\nabout: The salt stays.\neach: 'skill(agent, skill, args)'\n"
            "when: skill == 'pick' and args.item == 'salt'\nrequire: false\n",
            "salt_stays",
        ),
    ],
)
def test_contracts_judge_what_a_program_does_besides_its_subtask(
    tmp_path: Path, contract: str, by: str
) -> None:
    extra = GOOD + "pick('salt')\nplace('salt', 'table')\n"
    files = {"pack/Steps.program.yaml": STEPS, **tree(ROOT), "pack/safe.contract.yaml": contract}
    b = Bench(tmp_path, files, answers={"Steps": [program(extra)]})
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.pass_time(60)
    assert b.fact("at", "pepper") == "table"
    assert b.fact("at", "salt") == "pantry"
    assert b.run.root.status is Status.FAILURE
    (reason,) = [failure_of(str(event.data["reason"])) for event in b.told("node.failed")]
    assert isinstance(reason, StepFailed)
    assert isinstance(reason.why, Forbidden)
    assert reason.why.contract == by

"""A model that ends the work with an answer from which nothing follows: the rules take over."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.nodes.test_decide import choose, steps
from tests.nodes.test_insistence import GOES_ON, RULES, SAY, by
from tests.support.bench import Bench
from tests.support.files import tree
from tests.support.library import WAREHOUSE
from treec.ask.transport import Answer, Request
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run, RunOutcome
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec
from treec_asking.override_policy import REST, UNANSWERED

Model = Callable[[Request], object]

NO_TO_ONE = """\
scenario: no
about: The operator refuses one proposal again and again.
system: warehouse
user:
  - says: Start the morning orders.
    after: 3s
    means: [{choose: {recipe: Morning Orders}}]
  - whenever: proposals and proposals[0].subtask.words == 'inspect crate 12'
    says: No.
    after: 2s
  - whenever: proposals and proposals[0].subtask.words != 'inspect crate 12'
    says: "Yes, go ahead."
    after: 2s
expect:
  finally: done('inspect crate 31') and done('inspect crate 40')
  within: 12m
"""


class Played:
    """Answers as a function of the request does."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def ask(self, request: Request) -> Answer:
        answer = self._model(request)
        return Answer(answer if isinstance(answer, str) else json.dumps(answer), by="model")


def warehouse(folder: Path, scenario: str, model: Model) -> tuple[Run, RunOutcome]:
    """A run of the warehouse that a model directs."""
    shutil.copytree(WAREHOUSE, folder / "wh")
    (folder / "wh/trees/scenarios/no.scenario.yaml").write_text(NO_TO_ONE, "utf-8")
    library = load_library(folder / "wh")
    view = View(library, library.find("system", "warehouse"))
    spec = RunSpec(scenario=scenario)
    run = Run(view, VirtualClock(), Journal.in_memory(), spec, transport=Played(model))
    return run, run.go()


def always(option: str, *actions: object) -> Model:
    """A model that always chooses an option, and takes the same actions; it reads nothing."""

    def model(request: Request) -> object:
        if request.kind == "decision":
            schema = json.loads(json.dumps(request.schema))
            names = schema["properties"]["choose"]["enum"]
            return choose(option if option in names else names[0])
        return {"reasoning": "", "actions": list(actions)} if request.kind == "action" else ""

    return model


MODELS = {
    "waits": always("Wait_For_Work"),
    "does nothing": always("Propose_Work"),
    "says nothing": always("Answer_Operator", {"say": {"message": ""}}),
    "asks": always("Answer_Operator", {"say": {"claims": [{"is": "what_next"}]}}),
    "asks instead": always("Propose_Work", {"say": {"claims": [{"is": "unclear"}]}}),
    "proposes what is refused": always(
        "Propose_Work", {"propose": {"agent": "Scout", "subtask": "inspect crate 12"}}
    ),
    "takes a robot that cannot": always(
        "Propose_Work", {"propose": {"agent": "Hauler", "subtask": "inspect crate 31"}}
    ),
    "assigns to one that cannot": always(
        "Change_Work",
        {"assign": {"agent": "Hauler", "subtasks": ["inspect crate 31"], "because": "p1"}},
    ),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("scenario", ["morning_shift", "no"])
@pytest.mark.parametrize("model", MODELS)
def test_a_model_that_gets_nowhere_ends_no_work(tmp_path: Path, model: str, scenario: str) -> None:
    run, outcome = warehouse(tmp_path, scenario, MODELS[model])
    assert outcome.ok, outcome
    told = [e.kind for record in run.journal.records for e in events(record)]
    assert "overruled" in told


def test_rest_is_seconds_without_anybody_at_work(tmp_path: Path) -> None:
    run, outcome = warehouse(tmp_path, "morning_shift", MODELS["waits"])
    assert outcome.seconds == 169.0 + REST
    overruled = [r.t for r in run.journal.records for e in events(r) if e.kind == "overruled"]
    spoken = [r.t for r in run.journal.records for e in events(r) if e.kind == "said"]
    assert any(t - REST in spoken for t in overruled)
    said = [e.data["text"] for r in run.journal.records for e in events(r) if e.kind == "said"]
    assert said.count("I am getting nowhere like this, so I will follow my standard rules.") == 1


NO_OP = """\
action: A
about: Wait.
may: [no_op]
offline: [{do: [no_op]}]
"""
PROPOSE = """\
action: B
about: Propose.
sees: [acts]
may: [say, propose]
offline: [{do: [{propose: {agent: R2, subtask: get pepper}}]}]
instructions: Propose.
"""
ASKS = {"reasoning": "", "actions": [{"say": {"claims": [{"is": "what_next"}]}}]}


def ordered(folder: Path) -> Bench:
    """Where somebody speaks the rules propose; the model of that action only asks back."""
    rules = RULES.replace("sees: [level]", "sees: [acts]").replace("level < 0", "not acts")
    files = {
        **tree(GOES_ON.format("{ask: D}")),
        "pack/D.decision.yaml": rules,
        "pack/A.action.yaml": NO_OP,
        "pack/B.action.yaml": PROPOSE,
    }
    b = Bench(
        folder,
        files,
        answers={"D": [choose("A"), *[choose("B"), choose("A")] * 9], "B": [ASKS] * 9},
    )
    b.settle()
    b.add("get pepper", item="pepper")
    return b


def test_words_instead_of_what_was_ordered_are_taken_up_again(tmp_path: Path) -> None:
    """Nobody answers what the model asked: the acts are open again, and the rules decide."""
    b = ordered(tmp_path)
    b.say("hello")
    b.settle()
    assert b.said() == ["What would you like to do?"]
    b.pass_time(UNANSWERED - 1)
    assert not b.told("proposed")
    b.pass_time(2)
    assert b.told("proposed")
    assert b.told("overruled")
    b.pass_time(200)
    assert len(b.told("proposed")) == 1


def test_who_speaks_meanwhile_is_heard_by_the_model(tmp_path: Path) -> None:
    b = ordered(tmp_path)
    b.say("hello")
    b.pass_time(UNANSWERED - 1)
    b.say("hello again")
    b.pass_time(UNANSWERED - 1)
    assert b.said() == ["What would you like to do?"] * 2
    assert not b.told("overruled")


def stranger(folder: Path, waits: str) -> Bench:
    """A decision between trees, the first of which waits."""
    files = {
        **tree("ask: D"),
        "pack/D.decision.yaml": RULES,
        "pack/A.tree.yaml": f"tree: A\nroot: {{wait: {waits}}}\n",
        "pack/B.tree.yaml": "tree: B\nroot: {set: {mood: busy}}\n",
    }
    b = Bench(folder, files, answers={"D": [choose("A")] * 9})
    b.settle()
    return b


def test_a_strangers_tree_that_waits_for_nothing_in_an_option_is_left(tmp_path: Path) -> None:
    b = stranger(tmp_path, "{until: mood == 'merry'}")
    assert b.clock.next_due() == REST
    b.run.loop.run(deadline=REST)
    assert by(b)[:2] == ["A scripted", "B offline"]


def test_one_that_waits_for_its_time_is_not(tmp_path: Path) -> None:
    b = stranger(tmp_path, "60s")
    b.run.loop.run(deadline=59.0)
    assert by(b) == ["A scripted"]


def test_nobody_is_overruled_while_somebody_is_at_work(tmp_path: Path) -> None:
    files = {
        **tree(
            "parallel: [{ask: D}, [{skill: go_to, with: {agent: R1, place: pantry}},"
            " {wait: {until: mood == 'merry'}}]]"
        ),
        "pack/D.decision.yaml": RULES,
        "pack/A.tree.yaml": steps("A", "R"),
        "pack/B.tree.yaml": "tree: B\nroot: {set: {mood: busy}}\n",
    }
    b = Bench(tmp_path, files, answers={"D": [choose("A")] * 9})
    b.settle()
    ended: list[float] = []
    for _ in range(60):
        b.pass_time(1)
        if b.told("skill.ended") and not ended:
            ended.append(b.clock.now())
        if b.told("overruled"):
            break
    assert ended
    assert b.clock.now() >= ended[0] + REST - 1


OFFERED = """\
action: Ready
about: Say that it is ready.
offer: {to: D, when: not said('ready'), because: Nobody was told.}
may: [say]
offline: [{do: [{say: It is ready.}]}]
instructions: Say it.
"""


def test_what_an_offer_still_stands_for_after_other_words_is_done_by_the_rules(
    tmp_path: Path,
) -> None:
    files = {
        **tree(GOES_ON.format("{ask: D}")),
        "pack/D.decision.yaml": RULES,
        "pack/Ready.action.yaml": OFFERED,
        "pack/A.action.yaml": NO_OP,
        "pack/B.action.yaml": NO_OP.replace("action: A", "action: B"),
    }
    b = Bench(tmp_path, files, answers={"D": [choose("Ready")] * 9, "Ready": [ASKS] * 9})
    b.settle()
    b.pass_time(REST - 1)
    assert b.said() == ["What would you like to do?"]
    b.pass_time(2)
    assert b.said()[1:] == ["It is ready."]
    b.pass_time(10 * REST)
    assert b.said()[2:] == []


def test_where_the_rules_would_do_nothing_a_model_may_wait(tmp_path: Path) -> None:
    files = {
        **tree("ask: D"),
        "pack/D.decision.yaml": RULES,
        "pack/A.action.yaml": SAY.format(name="A"),
        "pack/B.action.yaml": NO_OP.replace("action: A", "action: B"),
    }
    b = Bench(tmp_path, files, answers={"D": [choose("A")] * 9})
    b.settle()
    b.pass_time(10 * REST)
    assert by(b) == ["A scripted"]

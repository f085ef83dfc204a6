"""`needs:` of skills: asked of a provider before the worker begins, journaled, given to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.support.extensions import using
from tests.support.packs import write
from treec import Effect, Environment, EnvironmentSetup, Host, NotingHost, Outcome, WorkOrder
from treec.cli.live_lines import LiveLines
from treec.cli.terminal_text import paint
from treec.extensions import Extension, NeedProvider
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.approval import ApprovalQuestion
from treec.nodes.events import SkillEnded
from treec.nodes.faults import FaultPlan
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec.nodes.skill_run import MAX_ASKS_AGAIN
from treec.nodes.worker import FaultHit
from treec.program.faults import Fault
from treec.run.clocks import SteppingClock
from treec.run.resume import replay_faults
from treec.run.run import Run
from treec.run.state import RunState, fold
from treec.run.summary import summarize
from treec.team.events import AgentInterrupted, AgentResumed
from treec.world.failures import Described, Reported, StepFailed, failure_of
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_live.film import filmed_skills

HERE = __name__


class Hall:
    """An environment without a state of its own, in which the crate alone can be weighed."""

    busy = False
    scales: ClassVar[tuple[str, ...]] = ("crate",)

    def step(self, until: float) -> float:
        return until

    def sense(self) -> tuple[Any, ...]:
        return ()

    def notify(self, effects: object) -> None: ...

    def close(self) -> None: ...


def open_hall(setup: EnvironmentSetup) -> Environment:
    return Hall()


class Scale:
    """Answers from a thread what its class is told to."""

    takes = 0.5
    limit = 5.0
    answers: ClassVar[Callable[[Mapping[str, str]], NeedAnswer]]
    asked: ClassVar[list[NeedCall]] = []
    closed: ClassVar[int] = 0
    opens: ClassVar[type[Scale] | None] = None
    """What is opened instead."""

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        Scale.asked.append(call)
        given = Scale.answers(call.args)
        threading.Thread(target=answer, args=(given,)).start()

    def close(self) -> None:
        Scale.closed += 1


def open_scale(setup: NeedSetup) -> Scale:
    assert setup.view.system is not None
    return (Scale.opens or Scale)()


class Lift:
    """A worker that keeps what it was given, and fails if its class is told to."""

    given: ClassVar[list[Mapping[str, Any]]] = []
    faults: ClassVar[list[FaultHit | None]] = []
    fails: ClassVar[str] = ""

    def start(self, order: WorkOrder, host: Host) -> None:
        self.given.append(order.needs)
        self.faults.append(order.fault)
        if self.fails:
            host.finish(order.id, Outcome(False, Reported(self.fails), "lift"))
            return
        if order.needs and isinstance(host, NotingHost):
            host.note(order.id, "heavy", {"kilos": 3, "says": "It is heavy."})
        host.finish(order.id, Outcome(True, effects=order.after))

    def cancel(self) -> Outcome:
        return Outcome(False)


EXTENSION = Extension(
    "hall",
    environments={"hall": f"{HERE}:open_hall"},
    providers=(
        NeedProvider("weight", f"{HERE}:open_scale", ("item",), "What a thing weighs."),
        NeedProvider("scale", f"{HERE}:open_scale", ("item",), "The same.", offered_by="scales"),
    ),
)

FILES = {
    "treec.toml": "[library]\n",
    "depot.domain.yaml": """\
domain: depot
types: {Robot: {is: Agent}, Item: {}}
facts:
  lifted: {args: [Item]}
""",
    "depot.scene.yaml": "scene: depot\ndomain: depot\nobjects: {crate: {type: Item}}\n",
    "r.agent.yaml": "agent: R\nis: Robot\nabout: Lifts.\n",
    "lift.skill.yaml": f"""\
skill: lift
about: Lift a crate.
args: {{agent: Robot, item: Item}}
needs: {{kilos: weight(item)}}
after: [lifted(item)]
runs: {{hall: "{HERE}:Lift"}}
""",
    "main.tree.yaml": "tree: main\nroot:\n  - skill: lift\n    with: {agent: R, item: crate}\n",
    "depot.system.yaml": """\
system: depot
about: A robot lifts a crate.
uses: [.]
root: main
domain: depot
scene: depot
runs_on: {default: hall}
""",
}


@pytest.fixture(autouse=True)
def _hall() -> Iterator[None]:
    Scale.asked.clear()
    Lift.given.clear()
    Lift.faults.clear()
    Lift.fails = ""
    with using(EXTENSION):
        yield


def run(
    folder: Path,
    answer: NeedAnswer | Exception,
    *,
    see: bool = True,
    need: str = "weight",
    key: str = "needs: {kilos: NEED(item)}",
) -> Run:
    return run_files(folder, FILES, answer, key.replace("NEED", need), see=see)


def run_files(
    folder: Path,
    files: Mapping[str, str],
    answer: NeedAnswer | Exception | Sequence[NeedAnswer],
    key: str,
    *,
    see: bool = True,
) -> Run:
    """Run files; of several answers each is given once, and the last one from then on."""
    left = list(answer) if isinstance(answer, Sequence) else [answer]

    def answers(args: Mapping[str, str]) -> NeedAnswer:
        given = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(given, Exception):
            raise given
        return given

    Scale.answers = staticmethod(answers)  # type: ignore[assignment]
    skill = files["lift.skill.yaml"].replace(
        "needs: {kilos: weight(item)}", key.replace("NEED", "weight")
    )
    write(folder, {**files, "lift.skill.yaml": skill})
    library = load_library(folder)
    view = View(library, next(iter(library.own("system"))))
    found = Run(view, SteppingClock(), Journal.in_memory(), RunSpec(tree="main", see=see))
    found.go()
    return found


def records(done: Run, kind: str) -> list[dict[str, Any]]:
    return [dict(record.data) for record in done.journal.records if record.kind == kind]


def test_the_worker_is_given_the_answer(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer({"kilos": 3.5}, record={"summary": "3.5 kg"}))
    assert Lift.given == [{"kilos": {"kilos": 3.5}}]
    assert [(call.args, call.agent) for call in Scale.asked] == [({"item": "crate"}, "R")]
    (told,) = records(done, "need.answered")
    assert told["value"] == {"kilos": 3.5}
    assert told["record"] == {"summary": "3.5 kg"}
    assert records(done, "skill.ended")[0]["ok"]


def test_an_answer_takes_its_time(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer({"kilos": 1}))
    (told,) = [record for record in done.journal.records if record.kind == "need.answered"]
    assert told.t == pytest.approx(0.5)


def test_a_need_that_is_not_met_ends_the_skill_with_its_reason(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer(why="not seen: crate", module="eyes"))
    assert Lift.given == []
    (end,) = records(done, "skill.ended")
    assert (end["ok"], end["reason"], end["module"]) == (False, "not seen: crate", "eyes")
    assert records(done, "need.answered")[0]["why"] == "not seen: crate"


def test_a_provider_that_raises_fails_the_skill(tmp_path: Path) -> None:
    done = run(tmp_path, ValueError("no scale"))
    (end,) = records(done, "skill.ended")
    assert not end["ok"]
    assert "ValueError: no scale" in end["reason"]


def test_nobody_is_asked_unless_the_run_sees(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer({"kilos": 1}), see=False)
    assert Scale.asked == []
    assert Lift.given == [{}]
    assert records(done, "need.answered") == []
    assert records(done, "skill.ended")[0]["ok"]


def test_the_provider_is_closed_at_the_end(tmp_path: Path) -> None:
    before = Scale.closed
    run(tmp_path, NeedAnswer({"kilos": 1}))
    assert Scale.closed == before + 1


@pytest.mark.parametrize("see", [True, False])
def test_what_the_environment_offers_is_asked_in_every_run(tmp_path: Path, *, see: bool) -> None:
    done = run(tmp_path, NeedAnswer({"kilos": 3}), see=see, need="scale")
    assert Lift.given == [{"kilos": {"kilos": 3}}]
    assert len(records(done, "need.answered")) == 1


def test_what_the_environment_does_not_offer_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scales in ((), None):
        monkeypatch.setattr(Hall, "scales", scales)
        done = run(tmp_path, NeedAnswer({"kilos": 3}), need="scale")
        assert Lift.given[-1] == {}
        assert records(done, "need.answered") == []


def test_what_a_worker_notes_is_journaled_and_what_it_says_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer({"kilos": 3}))
    (told,) = records(done, "skill.noted")
    assert (told["text"], told["record"]["kilos"]) == ("heavy", 3)
    assert [it.text for it in done.team.chat if it.who == "assistant"] == ["It is heavy."]


DIAGNOSED = "diagnose: NEED(item)"


def test_a_failure_is_described(tmp_path: Path) -> None:
    Lift.fails = "slipped"
    done = run(tmp_path, NeedAnswer({"text": "the crate [3] is on its side"}), key=DIAGNOSED)
    assert Lift.given == [{}]
    (told,) = [record for record in done.journal.records if record.kind == "need.answered"]
    assert (told.data["need"], told.t) == ("state", pytest.approx(0.5))
    (end,) = records(done, "skill.ended")
    assert (end["ok"], end["module"]) == (False, "lift")
    assert end["reason"] == "slipped [seen: the crate  3  is on its side]"
    assert failure_of(end["reason"]) == Described(
        Reported("slipped"), "the crate  3  is on its side"
    )


def test_a_success_is_not_described(tmp_path: Path) -> None:
    done = run(tmp_path, NeedAnswer({"text": "all is well"}), key=DIAGNOSED)
    assert Scale.asked == []
    assert records(done, "skill.ended")[0]["ok"]


@pytest.mark.parametrize(
    "answer",
    [NeedAnswer(why="too dark"), NeedAnswer({"text": " "}), NeedAnswer({}), ValueError("broken")],
)
def test_without_a_description_the_failure_stays_as_it_is(
    tmp_path: Path, answer: NeedAnswer | Exception
) -> None:
    Lift.fails = "slipped"
    done = run(tmp_path, answer, key=DIAGNOSED)
    (end,) = records(done, "skill.ended")
    assert (end["reason"], end["module"]) == ("slipped", "lift")


def test_nobody_describes_unless_the_run_sees(tmp_path: Path) -> None:
    Lift.fails = "slipped"
    done = run(tmp_path, NeedAnswer({"text": "it lies"}), key=DIAGNOSED, see=False)
    assert Scale.asked == []
    assert records(done, "skill.ended")[0]["reason"] == "slipped"


def test_a_need_that_is_not_met_is_described_too(tmp_path: Path) -> None:
    both = "needs: {kilos: NEED(item)}\ndiagnose: NEED(item)"
    done = run(tmp_path, NeedAnswer(why="not seen"), key=both)
    assert len(Scale.asked) == 2
    assert records(done, "skill.ended")[0]["reason"] == "not seen"


def ends_of(done: Run) -> list[SkillEnded]:
    return [it.event for it in done.journal.records if isinstance(it.event, SkillEnded)]


def test_who_is_stopped_while_a_failure_is_described_has_failed(tmp_path: Path) -> None:
    Lift.fails = "slipped"
    main = FILES["main.tree.yaml"].replace("  - skill", "  - timeout: 0.2s\n    skill")
    assert main != FILES["main.tree.yaml"]
    monkey = {**FILES, "main.tree.yaml": main}
    done = run_files(tmp_path, monkey, NeedAnswer({"text": "it lies"}), DIAGNOSED)
    (end,) = ends_of(done)
    assert (end.reason, end.failed, end.cancelled) == ("slipped", True, False)
    assert records(done, "need.answered") == []


def test_who_is_interrupted_while_a_failure_is_described_has_failed(tmp_path: Path) -> None:
    """It fails at once and is described until 0.5 s; it begins anew once it is resumed."""
    Lift.fails = "slipped"
    details: list[str] = []

    def watch(run: Run) -> None:
        def look() -> None:
            state = fold(run.journal.records)
            details.extend(state.detail(number) for number in range(len(state.nodes)))

        run.clock.call_at(0.2, lambda: run.world.emit(AgentInterrupted("R", ""), "test"))
        run.clock.call_at(1.0, look)
        run.clock.call_at(3.0, lambda: run.world.emit(AgentResumed("R"), "test"))

    described = NeedAnswer({"text": "it lies"})
    done = run_answers(tmp_path, [described, described], DIAGNOSED, watch)
    first, last = ends_of(done)
    assert (first.reason, first.failed, first.cancelled) == ("slipped", True, False)
    assert (last.reason, last.failed) == ("slipped [seen: it lies]", True)
    assert details
    assert set(details) == {""}, "nothing is being done while it waits"
    assert len(summarize(done.journal.records).skill_failures) == 2


def test_its_words_give_a_described_step_back() -> None:
    text = "lift(crate): slipped [seen: it lies]"
    step = StepFailed("lift", ("crate",), Described(Reported("slipped"), "it lies"))
    assert failure_of(text) == step
    assert str(step) == text


SEEN = {
    **FILES,
    "depot.domain.yaml": """\
domain: depot
types: {Robot: {is: Agent}, Item: {}}
facts:
  lifted: {args: [Item]}
  seen: {args: [Item], look: [search]}
""",
    "lift.skill.yaml": f"""\
skill: lift
about: Lift a crate that was seen a moment ago.
args: {{agent: Robot, item: Item}}
before:
  - seen(item) and age(seen(item)) < 10: look_at(agent, item)
after: [lifted(item)]
takes: 1s
runs: {{hall: "{HERE}:Lift"}}
""",
    "look_at.skill.yaml": f"""\
skill: look_at
about: Look at a crate.
args: {{agent: Robot, item: Item}}
again: true
needs: {{kilos: weight(item)}}
after: [seen(item)]
runs: {{hall: "{HERE}:Lift"}}
""",
    "search.skill.yaml": f"""\
skill: search
about: Search for a crate.
args: {{agent: Robot, item: Item}}
after: [seen(item)]
runs: {{hall: "{HERE}:Lift"}}
""",
}
THERE = NeedAnswer({"kilos": 1}, effects=(Effect("seen", ("crate",), True, "sensed"),))
GONE = NeedAnswer(why="not seen", effects=(Effect("seen", ("crate",), None, "unknown"),))


def skills(done: Run) -> list[tuple[str, bool]]:
    return [(end["skill"], end["ok"]) for end in records(done, "skill.ended")]


def test_an_answer_makes_a_fact_with_its_source(tmp_path: Path) -> None:
    done = run_files(tmp_path, SEEN, THERE, "")
    assert skills(done) == [("look_at", True), ("lift", True)]
    facts = [
        fact
        for record in done.journal.records
        if record.kind == "commit"
        for fact in record.data["events"]
        if "seen" in str(fact)
    ]
    assert "sensed" in str(facts[0])


@pytest.mark.parametrize(("wait", "looks"), [("5s", 1), ("20s", 2)])
def test_an_old_fact_makes_a_skill_look_again(tmp_path: Path, wait: str, looks: int) -> None:
    main = f"""\
tree: main
root:
  - skill: look_at
    with: {{agent: R, item: crate}}
  - wait: {wait}
  - skill: lift
    with: {{agent: R, item: crate}}
"""
    done = run_files(tmp_path, {**SEEN, "main.tree.yaml": main}, THERE, "")
    assert len(Scale.asked) == looks
    assert skills(done)[-1] == ("lift", True)


def test_what_a_look_does_not_find_is_searched_for(tmp_path: Path) -> None:
    """Its fact becomes unknown, and the domain says how to find that out."""
    tree = """\
tree: main
root:
  - selector:
      - skill: look_at
        with: {agent: R, item: crate}
      - skill: lift
        with: {agent: R, item: crate}
"""
    done = run_files(tmp_path, {**SEEN, "main.tree.yaml": tree}, GONE, "")
    assert skills(done) == [("look_at", False), ("search", True), ("lift", True)]


def test_a_fact_that_the_domain_has_not_fails_the_skill(tmp_path: Path) -> None:
    wrong = NeedAnswer({"kilos": 1}, effects=(Effect("heavy", ("crate",), True, "sensed"),))
    done = run(tmp_path, wrong)
    (end,) = records(done, "skill.ended")
    assert not end["ok"]
    assert "heavy" in end["reason"]


ASIDE = {
    **FILES,
    "step_aside.skill.yaml": f"""\
skill: step_aside
about: See the crate from elsewhere.
args: {{agent: Robot, item: Item}}
runs: {{hall: "{HERE}:Aside"}}
""",
}
UNMET = "needs: {kilos: NEED(item)}\nif_unmet: step_aside(agent, item)"
SURE, DOUBTED = NeedAnswer({"kilos": 2}), NeedAnswer({"kilos": 1}, doubt="it may be a box")
DARK = NeedAnswer(why="too dark", module="eyes")
BROKEN = NeedAnswer(why="the provider raises")


class Aside(Lift):
    """The worker of `step_aside`; its class says whether it comes off."""

    fails: ClassVar[str] = ""
    given: ClassVar[list[Mapping[str, Any]]] = []
    faults: ClassVar[list[FaultHit | None]] = []


def run_answers(
    folder: Path,
    answers: Sequence[NeedAnswer],
    key: str = UNMET,
    prepare: Callable[[Run], object] = lambda _: None,
) -> Run:
    """Run with these answers, one for each question; ``prepare`` may change the run before."""
    left = list(answers)

    def give(args: Mapping[str, str]) -> NeedAnswer:
        given = left.pop(0)
        if given is BROKEN:
            raise RuntimeError("no power")
        return given

    Scale.answers = staticmethod(give)  # type: ignore[assignment]
    skill = FILES["lift.skill.yaml"].replace(
        "needs: {kilos: weight(item)}", key.replace("NEED", "weight")
    )
    write(folder, {**ASIDE, "lift.skill.yaml": skill})
    library = load_library(folder)
    view = View(library, next(iter(library.own("system"))))
    done = Run(view, SteppingClock(), Journal.in_memory(), RunSpec(tree="main", see=True))
    prepare(done)
    done.go()
    assert left == []
    return done


@pytest.mark.parametrize("first", [DARK, DOUBTED])
def test_a_need_that_is_not_met_or_in_doubt_is_asked_again_elsewhere(
    tmp_path: Path, first: NeedAnswer
) -> None:
    done = run_answers(tmp_path, [first, SURE])
    assert skills(done) == [("lift", False), ("step_aside", True), ("lift", True)]
    assert Lift.given == [{"kilos": {"kilos": 2}}]
    ended = records(done, "skill.ended")[0]
    assert (ended["asked_again"], ended["reason"]) == (True, first.why or first.doubt)
    assert [call.again for call in Scale.asked] == [False, True]
    assert [it.failed for it in ends_of(done)] == [False, False, False]


def test_it_is_not_asked_for_ever(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DARK] * (1 + MAX_ASKS_AGAIN))
    (*_, end) = ends_of(done)
    assert (end.skill, end.failed, end.reason) == ("lift", True, "too dark")
    assert Lift.given == []


def test_what_stays_in_doubt_is_used(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DOUBTED] * (1 + MAX_ASKS_AGAIN))
    assert skills(done)[-1] == ("lift", True)
    assert Lift.given == [{"kilos": {"kilos": 1}}]


def test_who_cannot_step_aside_goes_on_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Aside, "fails", "blocked")
    done = run_answers(tmp_path, [DOUBTED, DOUBTED])
    assert skills(done) == [("lift", False), ("step_aside", False), ("lift", True)]
    assert Lift.given == [{"kilos": {"kilos": 1}}]


def test_without_if_unmet_a_doubt_is_only_told(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DOUBTED], "needs: {kilos: NEED(item)}")
    assert skills(done) == [("lift", True)]
    (told,) = records(done, "need.answered")
    assert told["record"] == {"doubt": "it may be a box"}


def test_where_stepping_aside_fails_too_the_skill_fails_with_the_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked a last time from where it is, and its failure is described as any other."""
    monkeypatch.setattr(Aside, "fails", "blocked")
    described = NeedAnswer({"text": "the lamp is off"})
    done = run_answers(tmp_path, [DARK, DARK, described], f"{UNMET}\ndiagnose: NEED(item)")
    assert skills(done) == [("lift", False), ("step_aside", False), ("lift", False)]
    first, _, last = records(done, "skill.ended")
    assert first["asked_again"]
    assert "cancelled" not in last
    assert last["reason"] == "too dark [seen: the lamp is off]"


def test_an_order_that_is_asked_again_is_no_skill_of_its_own(tmp_path: Path) -> None:
    summary = summarize(run_answers(tmp_path, [DARK, SURE]).journal.records)
    assert summary.skills == 2  # step_aside and lift
    assert summary.skill_failures == []


def test_a_doubtful_answer_is_used_where_nothing_better_follows(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DOUBTED, *[DARK] * MAX_ASKS_AGAIN])
    assert skills(done)[-1] == ("lift", True)
    assert Lift.given == [{"kilos": {"kilos": 1}}]
    last = records(done, "need.answered")[-1]
    assert (last["why"], last["record"]) == ("too dark", {"earlier": {"kilos": 1}})


def test_what_a_provider_answered_before_it_raised_is_used(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DOUBTED, *[BROKEN] * MAX_ASKS_AGAIN])
    assert skills(done)[-1] == ("lift", True)
    assert Lift.given == [{"kilos": {"kilos": 1}}]
    last = records(done, "need.answered")[-1]
    assert last["why"].startswith("RuntimeError: no power (tests/")
    assert last["record"] == {"earlier": {"kilos": 1}}


def test_a_provider_that_raises_fails_a_skill_that_has_no_answer_yet(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DARK, BROKEN])
    assert skills(done)[-1] == ("lift", False)
    assert "no power" in records(done, "skill.ended")[-1]["reason"]


class HastyScale(Scale):
    """Answers at once, twice, and raises after that."""

    second: ClassVar[NeedAnswer | None] = None

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        Scale.asked.append(call)
        answer(Scale.answers(call.args))
        if HastyScale.second is not None:
            answer(HastyScale.second)
        raise RuntimeError("no power")


@pytest.fixture(params=[0.5, 0.0], ids=["takes its time", "takes no time"])
def _hasty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HastyScale, "takes", request.param)
    monkeypatch.setattr(Scale, "opens", HastyScale)


@pytest.mark.usefixtures("_hasty")
def test_only_the_first_answer_to_a_question_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HastyScale, "second", NeedAnswer({"kilos": 9}))
    key = "needs: {kilos: NEED(item), other: NEED(item)}"
    done = run_answers(tmp_path, [NeedAnswer({"kilos": 1}), NeedAnswer({"kilos": 2})], key)
    assert Lift.given == [{"kilos": {"kilos": 1}, "other": {"kilos": 2}}]
    assert len(records(done, "need.answered")) == 2
    assert skills(done) == [("lift", True)]


@pytest.mark.usefixtures("_hasty")
def test_what_is_raised_after_an_answer_is_none_to_the_next_question(tmp_path: Path) -> None:
    done = run_answers(tmp_path, [DOUBTED, SURE, SURE], TWO)
    assert Lift.given == [{"kilos": {"kilos": 2}, "other": {"kilos": 2}}]
    assert skills(done) == [("lift", False), ("step_aside", True), ("lift", True)]


TWO = "needs: {kilos: NEED(item), other: NEED(item)}\nif_unmet: step_aside(agent, item)"


def test_of_two_needs_only_that_one_is_asked_again_which_was_asked(tmp_path: Path) -> None:
    run_answers(tmp_path, [DARK, SURE, SURE], TWO)
    assert [call.again for call in Scale.asked] == [False, True, False]


def test_a_need_that_was_surely_met_is_asked_anew(tmp_path: Path) -> None:
    run_answers(tmp_path, [SURE, DARK, SURE, SURE], TWO)
    assert [call.again for call in Scale.asked] == [False, False, False, True]


def test_after_a_stop_a_need_is_asked_anew(tmp_path: Path) -> None:
    """The robot is stopped when its need is asked again (at 0.5 s), and goes on later."""

    def stop(run: Run) -> None:
        run.clock.call_at(0.7, lambda: run.world.emit(AgentInterrupted("R", ""), "test"))
        run.clock.call_at(3.0, lambda: run.world.emit(AgentResumed("R"), "test"))

    done = run_answers(tmp_path, [DARK, SURE, SURE], prepare=stop)
    assert [call.again for call in Scale.asked] == [False, True, False]
    assert skills(done)[-1] == ("lift", True)


@pytest.mark.parametrize("answers", [[SURE], [DARK, DOUBTED, SURE]])
def test_a_planned_fault_hits_the_order_that_begins(
    tmp_path: Path, answers: list[NeedAnswer]
) -> None:
    fault = Fault("fail lift: jammed", "fail", "lift", reason="jammed")
    run_answers(tmp_path, answers, prepare=lambda run: run.runtime.faults.add(fault))
    assert Lift.faults == [FaultHit("jammed")]


def test_approval_is_asked_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def approve(question: ApprovalQuestion) -> bool:
        asked.append(question.words)
        return True

    def prepare(run: Run) -> None:
        run.runtime.approve = approve

    run_answers(tmp_path, [DARK, SURE], prepare=prepare)
    assert asked == ["R: lift(crate)", "R: step_aside(crate)"]


def test_a_timeout_goes_on_where_it_was(tmp_path: Path) -> None:
    """A question takes 0.5 s: the third would end after 1.5 s."""
    done = run_answers(tmp_path, [DARK, DARK], f"{UNMET}\ntimeout: 1.2s")
    assert records(done, "skill.ended")[-1]["reason"] == "timed out after 1.2 s"


def test_a_resumed_run_has_spent_one_fault_for_what_was_asked_again(tmp_path: Path) -> None:
    fault = Fault("fail lift x2: jammed", "fail", "lift", reason="jammed", times=2)
    done = run_answers(tmp_path, [DARK, DOUBTED, SURE])
    plan = FaultPlan([fault], 0)
    assert replay_faults(plan, done.journal.records, done.view) == 5
    args = {"agent": "R", "item": "crate"}
    assert [plan.hit("lift", args) is not None for _ in range(2)] == [True, False]


def test_films_and_lines_say_that_it_is_asked_again(tmp_path: Path) -> None:
    records = run_answers(tmp_path, [DARK, SURE]).journal.records
    assert filmed_skills(records)[0].how == "asked again: too dark"
    lines = LiveLines(("R",), RunState())
    told = [paint(line, False) for record in records for line in lines.of(record)]
    assert "    0.5  R            lift(crate): asked again: too dark" in told
    assert "stopped" not in "".join(told)

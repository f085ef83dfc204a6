"""What was seen is a fact with a sensor, an uncertainty and an age at which it is doubted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.nodes import test_needs
from tests.nodes.test_needs import FILES, Lift, Scale, records, run_files, skills
from tests.support.extensions import using
from treec import Effect, Evidence
from treec.foreign import BadReport
from treec.nodes.foreign import check_effects
from treec.nodes.needs import NeedAnswer
from treec.run.run import Run
from treec.world.events import FactSet, flat
from treec.world.facts import OpenFactStore

LIFT = f'{{hall: "{test_needs.__name__}:Lift"}}'
SEEN = {
    **FILES,
    "depot.domain.yaml": """\
domain: depot
types: {Robot: {is: Agent}, Item: {}, Place: {}}
facts:
  lifted: {args: [Item]}
  at: {args: [Item], value: Place, look: [look_for]}
""",
    "depot.scene.yaml": """\
scene: depot
domain: depot
objects: {dock: {type: Place}, ramp: {type: Place}, crate: {type: Item, at: dock}}
""",
    "lift.skill.yaml": f"""\
skill: lift
about: Lift a crate.
args: {{agent: Robot, item: Item}}
before:
  - at(item)
needs: {{kilos: weight(item)}}
after: [lifted(item)]
runs: {LIFT}
""",
    "look_for.skill.yaml": f"""\
skill: look_for
about: Look for a crate.
args: {{agent: Robot, item: Item}}
again: true
needs: {{kilos: weight(item)}}
runs: {LIFT}
""",
}


def seen(place: str | None, lasts: float | None = None, says: str = "") -> NeedAnswer:
    """The answer of a camera that sees the crate at a place, or that it is gone."""
    record = {"says": says} if says else {}
    if place is None:
        gone = Effect("at", ("crate",), None, "unknown")
        return NeedAnswer(why="not seen", effects=(gone,), record=record)
    evidence = Evidence("head", 0.0123, lasts)
    effect = Effect("at", ("crate",), place, "sensed", evidence)
    return NeedAnswer({"kilos": 1}, effects=(effect,), record=record)


@pytest.fixture(autouse=True)
def _hall() -> Iterator[None]:
    Scale.asked.clear()
    Lift.given.clear()
    with using(test_needs.EXTENSION):
        yield


def run(
    folder: Path,
    answers: list[NeedAnswer],
    steps: str,
    before: str = "at(item)",
    needs: str = "",
    agent: str = FILES["r.agent.yaml"],
    *,
    see: bool = True,
) -> Run:
    """Run steps of a tree; the last answer is given again and again."""
    lift = SEEN["lift.skill.yaml"].replace("- at(item)", f"- {before}")
    tree = f"tree: main\nroot:\n{steps}"
    files = {**SEEN, "lift.skill.yaml": lift, "main.tree.yaml": tree, "r.agent.yaml": agent}
    return run_files(folder, files, answers, needs, see=see)


def step(skill: str) -> str:
    return f"  - {{skill: {skill}, with: {{agent: R, item: crate}}}}\n"


LOOK, DO = step("look_for"), step("lift")


@pytest.mark.parametrize(
    "condition",
    [
        "at(item) == dock and source(at(item)) == 'sensed'",
        "'head' in sensor(at(item))",
        "uncertainty(at(item)) > 12 and uncertainty(at(item)) < 13",
        "not doubted(at(item))",
    ],
)
def test_conditions_read_what_a_fact_rests_on(tmp_path: Path, condition: str) -> None:
    done = run(tmp_path, [seen("dock", 60.0)], LOOK + DO, f'"{condition}"')
    assert skills(done) == [("look_for", True), ("lift", True)]


def test_what_no_sensor_told_has_none(tmp_path: Path) -> None:
    condition = "sensor(at(item)) == '' and uncertainty(at(item)) > 1000000000"
    done = run(tmp_path, [seen("dock")], DO, f'"{condition} and not doubted(at(item))"')
    assert skills(done) == [("lift", True)]


def test_the_journal_has_sensor_uncertainty_and_age(tmp_path: Path) -> None:
    done = run(tmp_path, [seen("dock", 60.0)], LOOK)
    events = [it for record in done.journal.records for it in flat(record.event)]
    facts = [it for it in events if isinstance(it, FactSet) and it.evidence is not None]
    assert [(it.fact, it.value, it.source) for it in facts] == [("at", "dock", "sensed")]
    assert facts[0].evidence == Evidence("head", 0.0123, 60.0)


@pytest.mark.parametrize(
    ("wait", "lasts", "see", "looks"),
    [(5, 60.0, True, 1), (90, 60.0, True, 2), (90, None, True, 1), (90, 60.0, False, 0)],
)
def test_an_old_look_is_repeated_before_it_is_relied_on(
    tmp_path: Path, wait: int, lasts: float | None, see: bool, looks: int
) -> None:
    steps = f"{LOOK}  - wait: {wait}s\n{DO}"
    done = run(tmp_path, [seen("dock", lasts)], steps, see=see)
    assert len(Scale.asked) == looks
    assert skills(done)[-1] == ("lift", True)


def test_a_look_that_stays_old_is_used(tmp_path: Path) -> None:
    """Nothing newer is to be had: the answer is old as soon as it comes."""
    done = run(tmp_path, [seen("dock", 0.0)], LOOK + DO)
    assert skills(done) == [("look_for", True), ("look_for", True), ("lift", True)]


def test_what_is_gone_is_said_and_looked_for_before_the_skill_goes_on(tmp_path: Path) -> None:
    gone = seen(None, says="The crate is not on the dock any more.")
    done = run(tmp_path, [gone, seen("ramp")], DO, needs="needs: {kilos: NEED(item)}")
    assert skills(done) == [("lift", False), ("look_for", True), ("lift", True)]
    assert "The crate is not on the dock any more." in str(records(done, "said"))
    found = done.world.facts.get("at", ["crate"])
    assert found is not None
    assert found.value == "ramp"


def test_each_robot_may_look(tmp_path: Path) -> None:
    """A skill that only asks cameras is none that a robot's file must list."""
    agent = f"{FILES['r.agent.yaml']}skills: {{lift: {{}}}}\n"
    needs = "needs: {kilos: NEED(item)}"
    done = run(tmp_path, [seen(None), seen("ramp")], DO, needs=needs, agent=agent)
    assert skills(done) == [("lift", False), ("look_for", True), ("lift", True)]


def test_what_is_found_nowhere_fails_with_its_condition(tmp_path: Path) -> None:
    done = run(tmp_path, [seen(None)], DO, needs="needs: {kilos: NEED(item)}")
    assert skills(done)[:2] == [("lift", False), ("look_for", False)]
    assert done.world.facts.source("at", ["crate"]) == "unknown"


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(3),  # type: ignore[arg-type]
        Evidence("a", float("nan")),
        Evidence("a", -1.0),
        Evidence("a", None, "1"),  # type: ignore[arg-type]
        Evidence("a", point=None),  # type: ignore[arg-type]
        Evidence("a", point=[1.0, 2.0, 3.0]),  # type: ignore[arg-type]
        Evidence("a", point=(float("inf"), 0.0, 0.0)),
        "a",
    ],
)
def test_evidence_that_is_none_is_refused(evidence: object) -> None:
    wrong = Effect("at", ("crate",), "dock", "sensed", evidence)  # type: ignore[arg-type]
    with pytest.raises(BadReport, match=r"an Effect on at: its `evidence`"):
        check_effects((wrong,), "look()")


def test_a_huge_number_is_one() -> None:
    large = Effect("at", ("crate",), "dock", "sensed", Evidence("a", 10**400))
    assert check_effects((large,), "look()") == (large,)


def test_conditions_and_looks_doubt_from_the_same_moment_on() -> None:
    """At 60.3 s what was seen at 0.1 s and lasts 60.2 s was doubted by a condition alone."""
    store = OpenFactStore([])
    evidence = Evidence("head", None, 60.2)
    store.set("at", ("crate",), "dock", source="sensed", since=0.1, by="s1", evidence=evidence)
    assert 60.3 - 0.1 < 60.2
    assert store.is_doubted(60.3, "at", ("crate",))
    assert not store.is_doubted(60.299, "at", ("crate",))


def test_each_robot_may_do_only_a_look_that_a_fact_names(tmp_path: Path) -> None:
    """A skill that points at what it sees is no look: the robot must have it."""
    agent = f"{FILES['r.agent.yaml']}skills: {{lift: {{}}}}\n"
    point = SEEN["look_for.skill.yaml"].replace("look_for", "point_at")
    tree = f"tree: main\nroot:\n{step('point_at')}"
    files = {**SEEN, "point_at.skill.yaml": point, "main.tree.yaml": tree, "r.agent.yaml": agent}
    done = run_files(tmp_path, files, seen("dock"), "")
    assert skills(done) == []


def test_nothing_moves_in_the_environment_because_it_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[Effect]()
    monkeypatch.setattr(test_needs.Hall, "notify", lambda hall, effects: told.extend(effects))
    run(tmp_path, [seen("ramp")], LOOK)
    assert [it for it in told if it.fact == "at"] == []

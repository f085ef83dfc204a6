"""A run in an environment that lives by itself: time, ends, stops, and what is sensed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bench import library
from tests.support.events import happening
from tests.support.files import KITCHEN, WORKER, tree
from tests.support.small_world import SmallWorld, install
from treec.files.view import View, on_environment
from treec.nodes.worker import Effect
from treec.run.clocks import PacedClock, SteppingClock
from treec.run.run import CannotRun, Run, RunOutcome
from treec.team.events import Assigned
from treec.world.clock import VirtualClock
from treec.world.events import StateSet
from treec.world.journal import Journal, Record, events, read_journal
from treec.world.spec import RunSpec
from treec_live.reload import swap

HERE = SmallWorld.__module__


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = f"small = {HERE}:open_small\nbroken = {HERE}:open_broken"
    install(tmp_path, monkeypatch, points)
    SmallWorld.made.clear()
    yield
    SmallWorld.made.clear()


def kitchen(root: str, **workers: str) -> dict[str, str]:
    """The kitchen with workers for the small world, and sensors for what it knows."""
    files = tree(root)
    for skill in ("go_to", "pick", "place"):
        text = KITCHEN[f"pack/{skill}.skill.yaml"]
        worker = workers.get(skill, "Works")
        files[f"pack/{skill}.skill.yaml"] = text.replace(
            "runs: {symbolic", f"runs: {{small: {HERE}:{worker}, symbolic"
        )
    domain = KITCHEN["pack/kitchen.domain.yaml"]
    for fact in ("at", "near", "holding"):
        domain = domain.replace(
            f"  {fact}: {{args", f"  {fact}: {{sensed: {{small: {HERE}:{fact}}}, args"
        )
    return {**files, "pack/kitchen.domain.yaml": domain}


GET = "skill: pick\nwith: {agent: R1, item: pepper}\nonce: true"
BOTH = """\
parallel:
  - {skill: pick, with: {agent: R1, item: pepper}, once: true}
  - {skill: pick, with: {agent: R2, item: lettuce}, once: true}
"""


class Small:
    """One run of the small kitchen in the small world."""

    def __init__(
        self,
        folder: Path,
        files: dict[str, str],
        clock: VirtualClock | None = None,
        *,
        env: str = "small",
        journal: Journal | None = None,
        records: tuple[Record, ...] = (),
    ) -> None:
        loaded = library(folder / "library", files)
        system = loaded.find("system", "test")
        assert system is not None
        self.journal = journal or Journal.in_memory()
        self.run = Run(
            View(loaded, on_environment(system, env)),
            clock or SteppingClock(),
            self.journal,
            RunSpec(env=env),
            records=records,
            folder=folder,
        )
        self.outcome: RunOutcome | None = None

    def go(self) -> Small:
        self.outcome = self.run.go()
        return self

    def told(self, kind: str) -> list[Record]:
        return [e for record in self.journal.records for e in events(record) if e.kind == kind]

    def skills(self) -> list[tuple[float, str, bool]]:
        ended = self.told("skill.ended")
        return [(e.t, str(e.data["skill"]), bool(e.data["ok"])) for e in ended]

    def fact(self, name: str, *args: str) -> tuple[object, str]:
        found = self.run.world.facts.get(name, args)
        assert found is not None
        return found.value, found.source


def tell(small: Small, fact: dict[str, object]) -> None:
    """Somebody says that something is so."""
    small.run.world.emit(happening("fact.set", **fact), "test")


def test_the_environment_s_time_is_the_run_s(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET)).go()
    assert small.skills() == [(1.0, "go_to", True), (2.0, "pick", True)]
    assert small.outcome is not None
    assert small.outcome.reason == "idle"


def test_it_is_opened_once_with_what_the_files_say_and_closed_at_the_end(tmp_path: Path) -> None:
    Small(tmp_path, kitchen(BOTH)).go()
    (world,) = SmallWorld.made
    assert world.closed
    setup = world.setup
    assert (setup.name, setup.scene, setup.seed, setup.folder) == ("small", "kitchen", 0, tmp_path)
    assert setup.objects["pepper"] == {"type": "Item", "at": "pantry"}
    assert setup.agents["R1"]["is"] == "Robot"
    sensors = {sensor.fact: sensor.args for sensor in setup.sensors}
    assert sensors["at"] == (("pepper",), ("salt",), ("lettuce",))
    assert sensors["near"] == (("R1",), ("R2",), ("user",))


def test_what_is_sensed_holds_and_says_that_it_was_sensed(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET)).go()
    assert small.fact("at", "pepper") == ("R1", "sensed")
    assert small.fact("at", "salt") == ("pantry", "scene")  # nothing new: it is not said again


def test_what_is_unknown_is_sensed_again_before_a_skill_is_given_up(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET))
    small.run.runtime.environment("R1")
    small.run.world.emit(happening("fact.unknown", fact="at", args=["pepper"]), "test")
    small.go()
    assert small.skills()[-1][1:] == ("pick", True)
    assert small.fact("at", "pepper") == ("R1", "sensed")


SEARCH = """\
skill: {name}
about: Find out where something is.
args: {{agent: Robot, item: Item}}
after:
  - at(item) == 'pantry'
takes: 3s
runs: {{symbolic: treec.envs.symbolic:Effects}}
"""


def looking(*means: str, able: tuple[str, ...]) -> dict[str, str]:
    """The symbolic kitchen in which these skills find out where something is."""
    files = {**tree(GET), **{f"pack/{n}.skill.yaml": SEARCH.format(name=n) for n in means}}
    domain = KITCHEN["pack/kitchen.domain.yaml"]
    look = f"value: Place or Agent, look: [{', '.join(means)}]"
    files["pack/kitchen.domain.yaml"] = domain.replace("value: Place or Agent", look)
    skills = ", ".join(f"{name}: {{}}" for name in able)
    agent = KITCHEN["pack/R1.agent.yaml"]
    assert "go_to: {}" in agent
    files["pack/R1.agent.yaml"] = agent.replace("go_to: {}", f"go_to: {{}}, {skills}")
    return files


def run_unknown(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, bool]]:
    """The skills of a run that does not know where the pepper is."""
    small = Small(tmp_path, files, env="symbolic")
    small.run.world.emit(happening("fact.unknown", fact="at", args=["pepper"]), "test")
    small.go()
    return [(name, ok) for _, name, ok in small.skills()]


def test_what_is_unknown_is_found_out_by_declared_means(tmp_path: Path) -> None:
    found = run_unknown(tmp_path, looking("go_and_see", able=("go_and_see",)))
    assert found == [("go_and_see", True), ("go_to", True), ("pick", True)]


def test_the_next_means_is_tried_where_one_fails_or_the_robot_lacks_it(tmp_path: Path) -> None:
    files = looking("fly", "go_and_see", "ask_person", able=("go_and_see", "ask_person"))
    see = files["pack/go_and_see.skill.yaml"]
    blind = see.replace("after:", "before:\n  - holding(agent) == item\nafter:")
    files["pack/go_and_see.skill.yaml"] = blind
    found = run_unknown(tmp_path, files)
    assert [name for name, ok in found if ok] == ["ask_person", "go_to", "pick"]


def test_each_means_is_tried_once(tmp_path: Path) -> None:
    files = looking("go_and_see", able=("go_and_see",))
    see = files["pack/go_and_see.skill.yaml"]
    files["pack/go_and_see.skill.yaml"] = see.replace("after:\n  - at(item) == 'pantry'\n", "")
    found = run_unknown(tmp_path, files)
    assert found[0] == ("go_and_see", True)
    assert [name for name, _ in found].count("go_and_see") == 1
    assert ("pick", True) not in found


def test_what_ends_otherwise_than_expected_has_failed(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET, pick="Drops")).go()
    ended = small.told("skill.ended")[-1]
    assert ended.data["ok"] is False
    reason = "not as expected: at(pepper) is table, not R1; holding(R1) is none, not pepper"
    assert ended.data["reason"] == reason
    assert small.fact("at", "pepper") == ("table", "sensed")


def test_the_worker_names_the_failure(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET, pick="Slips")).go()
    reason = str(small.told("skill.ended")[-1].data["reason"])
    assert reason.startswith("slipped: at(pepper) is pantry, not R1")


def test_what_another_is_at_work_on_waits_for_its_end(tmp_path: Path) -> None:
    """R2's longer skill keeps its facts, whatever is sensed of them when R1's has ended."""
    files = kitchen(BOTH, go_to="Slow")  # R1 has to go; R2 picks at once
    small = Small(tmp_path, files)
    small.run.runtime.environment("R1")
    SmallWorld.made[0].facts["near", ("R1",)] = None  # it is on its way
    small.go()
    first = small.told("skill.ended")[0]
    assert (first.t, first.data["agent"]) == (1.0, "R2")
    (taken,) = [r for r in small.journal.records if r.t == 1.0 and r.kind == "commit"]
    said = {(e.data["fact"], e.data["args"]) for e in events(taken)}
    assert said == {("at", ("lettuce",)), ("holding", ("R2",))}


def test_stopped_it_ends_in_the_same_tick_and_what_is_sensed_holds(tmp_path: Path) -> None:
    root = "skill: go_to\nwith: {agent: R1, place: pantry}\nwhile: mood == 'calm'"
    small = Small(tmp_path, kitchen(root, go_to="Slow"))
    run = small.run

    def upset() -> None:
        SmallWorld.made[0].facts["near", ("R1",)] = "pantry"  # it had come that far
        run.world.emit(StateSet("mood", "cross"), "test")

    run.clock.call_at(3.6, upset)
    small.go()
    (ended,) = small.told("skill.ended")
    assert (ended.t, ended.data["cancelled"]) == (3.6, True)
    assert small.fact("near", "R1") == ("pantry", "sensed")
    assert not SmallWorld.made[0].busy


def test_what_is_late_is_stopped_by_its_timeout(tmp_path: Path) -> None:
    root = "skill: go_to\nwith: {agent: R1, place: pantry}\nonce: true"
    small = Small(tmp_path, kitchen(root, go_to="Slow")).go()
    (ended,) = small.told("skill.ended")
    assert (ended.t, ended.data["reason"]) == (30.0, "timed out after 30 s")


def test_the_same_run_twice_is_the_same_journal(tmp_path: Path) -> None:
    first, second = (Small(tmp_path, kitchen(BOTH)).go() for _ in range(2))
    assert first.journal.text() == second.journal.text()


def test_watched_it_is_the_same_journal(tmp_path: Path) -> None:
    waits: list[float] = []
    paced = PacedClock(2.0, waits.append, monotonic=lambda: 0.0)
    watched = Small(tmp_path, kitchen(BOTH), paced).go()
    assert watched.journal.text() == Small(tmp_path, kitchen(BOTH)).go().journal.text()
    assert sum(waits) == pytest.approx(2.0 / 2.0)


def test_without_an_environment_nothing_of_it_is_in_the_journal(tmp_path: Path) -> None:
    plain = Small(tmp_path, tree(GET), VirtualClock(), env="symbolic").go()
    stepping = Small(tmp_path, kitchen(GET), SteppingClock(), env="symbolic").go()
    assert plain.journal.text() == stepping.journal.text()
    assert SmallWorld.made == []


def test_a_run_that_broke_off_is_taken_up_where_it_was(tmp_path: Path) -> None:
    files = {
        **kitchen("- {tree: worker, for: agent in robots, with: {agent: $agent}}"),
        "pack/worker.tree.yaml": WORKER,
    }
    path = tmp_path / "journal.jsonl"
    broken = Small(tmp_path, files, journal=Journal.create(path))
    added = {"id": "get pepper", "words": "get pepper", "task": "get", "args": {"item": "pepper"}}
    broken.run.world.emit(happening("subtask.added", **added), "test")
    broken.run.world.emit(Assigned("R1", ("get pepper",)), "test")
    broken.run.loop.run(lambda: False, deadline=1.5)  # in the middle of `pick`
    broken.journal.close()
    records = tuple(read_journal(path))
    small = Small(
        tmp_path,
        files,
        SteppingClock(records[-1].t),
        journal=Journal.resume(path),
        records=records,
    )
    assert small.run.world.facts.source("at", ["pepper"]) == "unknown"
    small.run.runtime.environment("R1")
    world = SmallWorld.made[-1]
    assert world.setup.time == records[-1].t
    known = {(e.fact, e.args): (e.value, e.source) for e in world.setup.facts}
    assert known["near", ("R1",)] == ("pantry", "expected")
    assert known["at", ("pepper",)] == (None, "unknown")


def test_what_others_have_done_is_told_to_it_and_what_it_senses_is_not(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET))
    moved = {"fact": "at", "args": ["salt"], "value": "table", "source": "told"}
    small.run.clock.call_at(0.5, lambda: tell(small, moved))
    small.go()
    (world,) = SmallWorld.made
    assert world.heard == [(Effect("at", ("salt",), "table", "sensed"),)]
    assert small.fact("at", "salt") == ("table", "told")


def test_edited_files_that_are_swapped_in_leave_the_run_in_its_environment(
    tmp_path: Path,
) -> None:
    files = kitchen(GET)
    small = Small(tmp_path, files)
    swap(small.run, library(tmp_path / "library", files), ["pack/pick.skill.yaml"])
    assert small.run.runtime.runs_in("R1") == "small"


def test_one_that_cannot_be_opened_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    files = {name: text.replace("{small:", "{broken:") for name, text in kitchen(GET).items()}
    with pytest.raises(CannotRun, match="'broken' cannot be opened: no such device"):
        Small(tmp_path, files, env="broken").go()


def test_it_needs_a_clock_that_lets_it_step(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="needs a clock that lets it step"):
        Small(tmp_path, kitchen(GET), VirtualClock()).go()


@pytest.mark.parametrize("made", [None, "a world", object()], ids=["None", "text", "an object"])
def test_a_factory_that_gives_no_environment_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: object
) -> None:
    monkeypatch.setattr("tests.support.small_world.open_small", lambda setup: made)
    with pytest.raises(CannotRun, match=r"'small' cannot be opened: its factory gave .*step"):
        Small(tmp_path, kitchen(GET)).go()

"""Edited files are swapped in between two ticks when they are right; the world is kept."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.library import ROOT, copy_warehouse
from treec.check import check_library
from treec.files.library import Library, load_library
from treec.files.view import View
from treec.run.run import Run, RunOutcome, initial_events
from treec.source.diagnostics import format_text
from treec.team.events import AgentJoined
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, Record, events
from treec.world.spec import RunSpec
from treec_live.reload import Watcher

EDITED = "prompts/propose_work.action.yaml"
PROGRAM = "trees/robot_worker.tree.yaml"


def test_who_is_new_joins_wherever_its_file_stands() -> None:
    """Its files say R1, R2 and a person, who is there already where files are swapped in."""
    library = load_library(ROOT / "tests/check/base")
    view = View(library, library.find("system", "demo"))
    for known, new in (
        ({"R1"}, ["R2", "user"]),
        ({"R2", "user"}, ["R1"]),
        ((), ["R1", "R2", "user"]),
    ):
        joined = [it for it in initial_events(view, known) if isinstance(it, AgentJoined)]
        assert joined == [AgentJoined(name, name == "user") for name in new]


def scout_drives(event: Record) -> bool:
    return event.kind == "skill.started" and event.data["agent"] == "Scout"


class Bench:
    """A run over a copy of the warehouse, edited once: when the first subtask is done."""

    def __init__(
        self,
        root: Path,
        edit: Callable[[Path], None],
        scenario: str = "morning_shift",
        when: Callable[[Record], bool] = lambda event: event.kind == "subtask.done",
        faults: tuple[str, ...] = (),
    ) -> None:
        self.when = when
        self.root = root
        library = load_library(root)
        view = View(library, library.find("system", "warehouse"))
        self.journal = Journal.in_memory()
        self.run = Run(
            view, VirtualClock(), self.journal, RunSpec(scenario=scenario, faults=faults)
        )
        self.told: list[str] = []
        self.edit: Callable[[Path], None] | None = edit
        ticks = itertools.count()
        watcher = Watcher(
            self.run, root, self.load, self.told.append, monotonic=lambda: float(next(ticks))
        )
        self.run.loop.before_tick.append(watcher.look)
        self.run.world.subscribe(self.hear)

    def load(self) -> tuple[Library, str]:
        library = load_library(self.root)
        errors = [d for d in check_library(library) if d.severity == "error"]
        return library, format_text(errors, library.sources)

    def hear(self, record: Record) -> None:
        if self.edit is not None and any(map(self.when, events(record))):
            self.edit(self.root)
            self.edit = None

    def go(self) -> RunOutcome:
        return self.run.go()

    def said(self) -> list[str]:
        return [
            str(e.data["text"])
            for r in self.journal.records
            for e in events(r)
            if e.kind == "said" and e.data["who"] == "assistant"
        ]

    def told_of(self, kind: str, **data: object) -> list[Record]:
        """The events of a kind with these data."""
        found = [e for r in self.journal.records for e in events(r) if e.kind == kind]
        return [e for e in found if data.items() <= dict(e.data).items()]

    def reloads(self) -> list[Record]:
        return [r for r in self.journal.records if r.data.get("for") == "reload"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_warehouse(tmp_path / "library")


def replace(path: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        text = (root / path).read_text("utf-8")
        assert old in text
        (root / path).write_text(text.replace(old, new), "utf-8")

    return edit


def test_an_edit_that_is_right_takes_effect_and_the_work_is_kept(root: Path) -> None:
    bench = Bench(root, replace(EDITED, "Shall {{ agent }} {{", "Edited: {{"))
    assert bench.go().ok
    assert [r.data["files"] for r in bench.reloads()] == [(EDITED,)]
    said = bench.said()
    first = next(i for i, text in enumerate(said) if "Edited: " in text)
    assert any("Shall " in text for text in said[:first])
    done = [e for r in bench.journal.records for e in events(r) if e.kind == "subtask.done"]
    assert len(done) == len({e.data["subtask"] for e in done}) == 5
    assert bench.told == [f"{EDITED}: swapped in"]


def test_an_edit_that_is_wrong_is_told_and_the_old_tree_runs_on(root: Path) -> None:
    bench = Bench(root, replace(EDITED, "offline:", "ofline:"))
    assert bench.go().ok
    assert bench.reloads() == []
    (told,) = bench.told
    assert f"{EDITED}:6:1: error TC101: unknown key 'ofline'" in told
    assert "did you mean 'offline'?" in told
    assert "goes on with the files as they were" in told


def rename_the_variable(root: Path) -> None:
    """An edit of all that a robot's tree does with its subtask."""
    text = (root / PROGRAM).read_text("utf-8")
    for old, new in (("{subtask: Subtask}", "{task: Subtask}"), ("into: subtask", "into: task")):
        text = text.replace(old, new)
    (root / PROGRAM).write_text(text.replace("$subtask", "$task"), "utf-8")


def add_scout(root: Path) -> Path:
    """Write the file of a second robot like Scout."""
    text = (root / "envs/scout.agent.yaml").read_text("utf-8")
    file = root / "envs/ranger.agent.yaml"
    file.write_text(text.replace("Scout", "Ranger").replace("the scanner", "the ranger"), "utf-8")
    return file


@pytest.mark.thorough
def test_a_new_agent_joins(root: Path) -> None:
    def edit(root: Path) -> None:
        add_scout(root)

    bench = Bench(root, edit)
    assert bench.go().ok
    (reload,) = bench.reloads()
    joined = [e.data["agent"] for e in events(reload) if e.kind == "agent.joined"]
    assert joined == ["Ranger"]
    assert "Ranger" in [agent.name for agent in bench.run.team.agents]


def test_another_domain_is_not_swapped_in(root: Path) -> None:
    path = "envs/warehouse.domain.yaml"
    bench = Bench(root, replace(path, "  scanned:", "  sealed:\n    args: [Crate]\n  scanned:"))
    assert bench.go().ok
    assert bench.reloads() == []
    assert "start the run again" in " ".join(bench.told)


@pytest.mark.thorough
def test_nobody_leaves_a_run(root: Path) -> None:
    third = add_scout(root)
    bench = Bench(root, lambda _: third.unlink())
    assert bench.go().ok
    assert bench.reloads() == []
    assert "Ranger cannot leave a run" in " ".join(bench.told)


def test_a_swap_is_no_stop(root: Path) -> None:
    """Found by the first user: a summary counted stops that nobody had asked for."""
    bench = Bench(root, rename_the_variable, "direct_orders", scout_drives)
    assert bench.go().ok
    kinds = {e.kind for r in bench.journal.records for e in events(r)}
    assert "agent.requeued" in kinds
    assert "agent.interrupted" not in kinds


def stopped(bench: Bench) -> list[tuple[object, object]]:
    """The skills that were stopped at the swap, with their robots."""
    (reload,) = bench.reloads()
    ended = bench.told_of("skill.ended", cancelled=True)
    return [(e.data["agent"], e.data["skill"]) for e in ended if e.t == reload.t]


def test_a_mocked_node_is_not_edited_away(root: Path) -> None:
    """The node would then do what the mock stands for."""
    read = "read: Operator_Talk"
    edit = replace("trees/dispatcher.tree.yaml", read, f"sequence: [{{{read}}}]")
    faults = ("mock dispatcher/Operator_Talk=S",)
    bench = Bench(root, edit, when=lambda event: event.kind == "said", faults=faults)
    bench.go()
    assert bench.reloads() == []
    (told,) = bench.told
    assert "unknown node 'dispatcher/Operator_Talk'" in told
    assert "goes on with the files as they were" in told


def test_a_comment_stops_nobody(root: Path) -> None:
    bench = Bench(root, replace(PROGRAM, "root:", "# the same\nroot:"), when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == []
    assert bench.told_of("agent.requeued") == []
    assert bench.told == [f"{PROGRAM}: swapped in"]


def test_a_swap_stops_only_what_was_edited(root: Path) -> None:
    """The conversation is edited while Scout drives: the robots do not notice."""
    edit = replace("trees/dispatcher.tree.yaml", "- read:", "- check: true\n    - read:")
    bench = Bench(root, edit, when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == []


def test_a_step_below_a_running_one_is_added(root: Path) -> None:
    """The sequence goes on at its running child, and the new step has its variables."""
    edit = replace(
        PROGRAM, "- report: {subtask", '- log: "{{ subtask.id }}!"\n        - report: {subtask'
    )
    bench = Bench(root, edit, when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == []
    assert bench.told_of("log", text="inspect crate 12!")


def test_what_was_edited_begins_again_with_its_subtask(root: Path) -> None:
    """A new timeout of the program: it is stopped; the subtask stays taken."""
    bench = Bench(root, replace(PROGRAM, "timeout: 3m", "timeout: 4m"), when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == [("Scout", "drive")]
    assert bench.told == [
        f"{PROGRAM}: swapped in; warehouse_main/robot_worker[Scout]/sequence/Subtask_To_Skills "
        "stopped, and begins again"
    ]
    assert bench.told_of("agent.requeued") == []
    (taken,) = bench.told_of("subtask.started", subtask="inspect crate 12")
    assert taken.data["agent"] == "Scout"


def test_a_modifier_around_what_runs_disturbs_it_not(root: Path) -> None:
    edit = replace(PROGRAM, "    - sequence:", "    - fail_if: battery(agent) < 1\n      sequence:")
    bench = Bench(root, edit, when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == []


def test_other_variables_make_a_tree_begin_again(root: Path) -> None:
    edit = rename_the_variable
    bench = Bench(root, edit, when=scout_drives)
    assert bench.go().ok
    assert stopped(bench) == [("Scout", "drive")]
    assert [e.data["agent"] for e in bench.told_of("agent.requeued")] == ["Scout"]

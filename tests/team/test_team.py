from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from tests.support.library import ROOT
from treec.files.library import load_library
from treec.files.types import parse_type
from treec.files.view import View
from treec.team.functions import doing
from treec.team.knowledge import Knowledge
from treec.world.events import Commit


def team(folder: Path) -> Bench:
    b = Bench(folder, tree("check: true"))
    b.add("get pepper", item="pepper")
    return b


def test_models_are_told_who_can_do_what_and_which_things_there_are() -> None:
    library = load_library(ROOT / "tests/check/base")
    knowledge = Knowledge(View(library, library.find("system", "demo")))
    can = ("R1 can get, heat", "R2 can get", "user can do anything")
    assert knowledge.capabilities() == can
    assert knowledge.thing_lines() == ("Item: kettle, tea pot", "Place: shelf, table")


def test_unknown_members_are_left_out_of_lists(tmp_path: Path) -> None:
    b = team(tmp_path)
    kind = parse_type("list of Subtask")
    found = b.team.now.resolve(kind, ["get pepper", "get moon"])
    assert [str(s) for s in found] == ["get pepper"]  # type: ignore[attr-defined]
    assert b.team.now.resolve(parse_type("Agent or none"), "R9") is None


def test_the_team_is_built_anew_only_where_its_slots_change(tmp_path: Path) -> None:
    b = team(tmp_path)
    before, version = b.team.now, b.world.version
    b.world.emit(Commit("facts"), "test")
    assert b.world.version > version
    assert b.team.now is before
    b.add("get pepper again", item="pepper")
    assert b.team.now is not before


@pytest.mark.parametrize(
    ("type_", "name", "known"),
    [
        ("Item", "pepper", True),
        ("Item", "saffron", False),
        ("Item", "R1", False),
        ("Agent", "R1", True),
        ("Robot", "user", False),
        ("text", "saffron", True),
    ],
)
def test_a_stored_name_stands_for_what_there_is(
    tmp_path: Path, type_: str, name: str, known: bool
) -> None:
    found = team(tmp_path).team.now.resolve(parse_type(type_), name)
    assert (found == name or str(found) == name) is known


def test_suggest_gives_each_free_agent_one_robots_first(tmp_path: Path) -> None:
    b = team(tmp_path)
    b.add("get salt", item="salt")
    b.add("dance", task=None)
    pairs = b.team.suggest(b.team.subtasks, b.team.agents)
    assert [(str(p["agent"]), str(p["subtask"])) for p in pairs] == [
        ("R1", "get pepper"),
        ("R2", "get salt"),
        ("user", "dance"),
    ]


def test_what_is_left_is_suggested_to_robots_at_work(tmp_path: Path) -> None:
    b = team(tmp_path)
    b.add("get salt", item="salt")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.assign("R2", "get salt")
    b.emit("subtask.started", agent="R2", subtask="get salt")
    b.add("get lettuce", item="lettuce")

    def pairs(ahead: int) -> list[tuple[str, str]]:
        found = b.team.suggest([s for s in b.team.subtasks if s.ready], b.team.agents, -1.0, ahead)
        return [(str(p["agent"]), str(p["subtask"])) for p in found]

    assert pairs(0) == []
    assert pairs(1) == [("R1", "get lettuce")]
    b.assign("R1", "get lettuce")
    b.add("get pantry salt", item="salt")
    assert pairs(1) == [("R2", "get pantry salt")]
    assert pairs(2) == [("R1", "get pantry salt")]


def test_what_is_proposed_is_not_suggested(tmp_path: Path) -> None:
    b = team(tmp_path)
    b.emit("proposed", id="p1", agent="R1", subtask="get pepper")
    assert b.team.suggest(b.team.subtasks, b.team.agents) == ()


def test_replaying_the_journal_gives_the_same_team(tmp_path: Path) -> None:
    b = team(tmp_path)
    b.assign("R1", "get pepper")
    assert replayed(b) == b.world.state


def replayed(b: Bench) -> object:
    from tests.support.replay import replay
    from treec.nodes.make_world import fact_kinds
    from treec.team.state import empty_slots

    view = b.run.view
    state = {name: spec.default for name, spec in view.state.items()}
    facts = fact_kinds(view.facts)
    return replay(b.journal.records, facts=facts, state=state, slots=empty_slots())


def test_who_does_a_task_is_found_behind_those_who_do_nothing(tmp_path: Path) -> None:
    b = team(tmp_path)
    b.assign("R2", "get pepper")
    b.emit("subtask.started", agent="R2", subtask="get pepper")
    assert str(doing(b.team, "get pepper")) == "R2"
    assert doing(b.team, "get salt") is None
    b.emit("acts.read", utterances=[], acts=[])
    assert b.team.now.acts.__treec_get__("request") == ()
    with pytest.raises(KeyError, match="nothing_of_the_kind"):
        b.team.now.acts.__treec_get__("nothing_of_the_kind")

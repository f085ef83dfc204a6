"""What subtasks do to things links them; what is there twice is found."""

from __future__ import annotations

import pytest

from tests.support.library import ROOT
from treec.files.library import load_library
from treec.files.tasks import SubtaskSpec
from treec.files.view import View
from treec.team.knowledge import Knowledge
from treec_mosaic.recipes.findings import find_repeated
from treec_mosaic.recipes.link import Links
from treec_mosaic.recipes.outline import list_words
from treec_mosaic.recipes.subtask_reader import SubtaskReader

BASE = ROOT / "tests/check/base"
AWAY = """
---
task: put away
about: Take it back.
args: {item: Item}
says: [put <item> away]
goal: at(item) == home(item)
steps: pick(item)
---
task: wash
about: A person's work.
args: {item: Item}
says: [wash <item>]
---
task: look at
about: Look at a thing where it stands.
args: {item: Item}
says: [look at <item>]
steps: inspect(item)
---
task: serve
about: Set it upon another.
args: {item: Item, base: Item}
says: [put <item> on <base>]
goal: at(item) == base
steps: pick(item)
"""


INSPECT = """skill: inspect
about: Look at something from near by.
args: {agent: Robot, item: Item}
before:
  - near(agent) == at(item): go_to(agent, at(item))
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> SubtaskReader:
    import shutil

    root = tmp_path_factory.mktemp("plan") / "library"
    shutil.copytree(BASE, root)
    with (root / "tasks/get.task.yaml").open("a", encoding="utf-8") as stream:
        stream.write(AWAY)
    (root / "skills/inspect.skill.yaml").write_text(INSPECT, "utf-8")
    agents = root / "room/agents.agent.yaml"
    can = agents.read_text("utf-8").replace("can: [get, heat]", "can: [get, heat, look at]")
    agents.write_text(can, "utf-8")
    library = load_library(root)
    return SubtaskReader(Knowledge(View(library, library.find("system", "demo"))))


def links(reader: SubtaskReader, **after: list[str]) -> Links:
    """A recipe whose ids are the words with _ for blanks."""
    graph = {id.replace("_", " "): [b.replace("_", " ") for b in bs] for id, bs in after.items()}
    return Links(
        reader, {id: SubtaskSpec.model_validate({"after": [*a]}) for id, a in graph.items()}
    )


def proposed(found: Links) -> list[tuple[str, str, bool]]:
    return [(link.before, link.id, link.reversed) for link in found.missing()]


def test_a_use_waits_for_the_fetch(reader: SubtaskReader) -> None:
    found = links(reader, heat_kettle=[], get_kettle=[])
    assert proposed(found) == [("get kettle", "heat kettle", False)]
    assert found.missing()[0].reason == "which brings about at(kettle) == 'table'"


def test_what_follows_from_another_edge_is_not_proposed(reader: SubtaskReader) -> None:
    found = links(reader, get_kettle=[], heat_kettle=[], wash_kettle=["heat_kettle"])
    assert proposed(found) == [("get kettle", "heat kettle", False)]
    assert proposed(links(reader, get_kettle=[], heat_kettle=["get_kettle"])) == []


def test_an_edge_that_would_close_a_circle_is_told_instead(reader: SubtaskReader) -> None:
    found = links(reader, heat_kettle=[], get_kettle=["heat_kettle"])
    assert proposed(found) == [("get kettle", "heat kettle", True)]


def test_what_is_put_back_waits_for_the_uses(reader: SubtaskReader) -> None:
    found = links(reader, put_kettle_away=[], heat_kettle=[], get_kettle=[])
    assert proposed(found) == [
        ("heat kettle", "put kettle away", False),
        ("get kettle", "heat kettle", False),
    ]


def test_a_robot_that_goes_to_a_thing_needs_nobody_to_fetch_it(reader: SubtaskReader) -> None:
    """As long as it leaves the thing where it is: to pick it up is to need it fetched."""
    found = links(reader, look_at_kettle=[], get_kettle=["look_at_kettle"])
    assert proposed(found) == []


def test_to_set_it_upon_another_is_a_use(reader: SubtaskReader) -> None:
    found = links(reader, get_kettle=[], put_kettle_on_tea_pot=[])
    assert proposed(found) == [("get kettle", "put kettle on tea pot", False)]


def test_things_that_the_scene_lacks_are_linked_by_their_phrase(reader: SubtaskReader) -> None:
    found = links(reader, fetch_milk=[], sprinkle_Milk_about=[], sprinkle_milkweed=[])
    assert proposed(found) == [("fetch milk", "sprinkle Milk about", False)]


def test_what_is_there_twice_is_found(reader: SubtaskReader) -> None:
    found = links(reader, get_tea_pot=[], heat_kettle=[], fetch_tea_pot=["get_tea_pot"])
    assert [f.node for f in find_repeated(found)] == ["fetch tea pot"]


def test_work_that_a_third_subtask_undoes_is_not_twice(reader: SubtaskReader) -> None:
    found = links(
        reader,
        get_kettle=[],
        heat_kettle=["get_kettle"],
        put_kettle_away=["heat_kettle"],
        fetch_kettle=["put_kettle_away"],
    )
    assert list(find_repeated(found)) == []


def test_a_model_is_shown_the_things_by_type_and_how_tasks_are_said(reader: SubtaskReader) -> None:
    words = list_words(reader.knowledge.view)
    assert words["objects"] == ["Item: kettle, tea pot", "Place: shelf, table"]
    first, *others = words["commands"]
    assert first == "get <item>: Fetch something and put it on the table."
    assert "put <item> away: Take it back." in others

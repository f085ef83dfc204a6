"""Tasks, recipes, skills, scenes, agents: places and cases that the fixtures do not show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.check.library import view_of
from tests.support.tiers import many
from treec.check import check_library, tc510_scene_object
from treec.files.library import load_library
from treec.source.diagnostics import Diagnostic

BASE = Path(__file__).parent / "base"
EFFECTS = '{symbolic: "treec.envs.symbolic:Effects"}'


def found(tmp_path: Path, files: dict[str, str]) -> list[Diagnostic]:
    root = tmp_path / "library"
    shutil.copytree(BASE, root)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return check_library(load_library(root))


def told(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, int, int, int, int]]:
    return [
        (p.code, p.span.line, p.span.column, p.span.end_line, p.span.end_column)
        for p in found(tmp_path, files)
    ]


def task(steps: str) -> str:
    return (
        "task: lay\nabout: Lay something down.\nargs: {item: Item, spot: Place}\n"
        f"says: [lay <item> on <spot>]\n{steps}"
    )


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        ("steps: |\n  pick(item)\n  pik(item)\n", (7, 3, 7, 6)),
        ("steps: |2\n    # Töpfe 🍲\n    pick(itme)\n", (7, 3, 7, 5)),  # indented: no step
        ("steps: |\n  # Töpfe 🍲\n  pick(itme)\n", (7, 8, 7, 12)),
        ("steps: |-\r\n  pick(item)\r\n  pick(itme)\r\n", (7, 8, 7, 12)),
        ('steps: "pick(item)\\npick(itme)"\n', (5, 26, 5, 30)),
        ("steps: pick(itme)\n", (5, 13, 5, 17)),
        ("steps: 'place(item, ''shelv'')'\n", (5, 21, 5, 30)),
        ("steps: |\n  place(item,\n    to=itme)\n", (7, 8, 7, 12)),
        ("steps: |\n  go_to(\n    at(itme))\n", (7, 8, 7, 12)),
        ("steps: |\n  pick(item\n", (6, 7, 6, 8)),
    ],
)
def test_problem_in_steps_stands_where_it_is(
    tmp_path: Path, steps: str, place: tuple[int, int, int, int]
) -> None:
    problems = told(tmp_path, {"tasks/lay.task.yaml": task(steps)})
    assert problems[0] == ("TC506", *place)


@pytest.mark.parametrize(
    "steps",
    [
        "pick(agent, item)\n  place(agent, item, spot)",
        "pick(item=item)\n  place(item, to=spot)\n  place(agent=R1, item=item, to=spot)",
        "go_to(place_of(item))\n  go_to(at(item))\n  go_to('table')\n  pick('tea pot')",
        "pick(item)  # nothing else",
        "",
    ],
)
def test_right_steps_have_no_problem(tmp_path: Path, steps: str) -> None:
    assert told(tmp_path, {"tasks/lay.task.yaml": task(f"steps: |\n  {steps}\n")}) == []


def skill(lines: str) -> str:
    return (
        "skill: lift\nabout: Lift something.\nargs: {agent: Robot, item: Item}\n"
        f"{lines}runs: {EFFECTS}\n"
    )


def test_repair_and_its_condition_have_places_of_their_own(tmp_path: Path) -> None:
    lines = 'before:\n  - "hot(item)": "warm(agent, \\"shelf\\")"\n'
    assert told(tmp_path, {"skills/lift.skill.yaml": skill(lines)}) == [
        ("TC513", 5, 31, 5, 40),
    ]


@pytest.mark.parametrize(
    "before",
    [
        "not hot(item)",
        "at(item) not in agents",
        "near(agent) != table",
        "near(agent) == near(user)",
        "hot(item) or false",
        "near(agent): go_to(agent, table)",
    ],
)
def test_condition_that_can_hold_has_no_problem(tmp_path: Path, before: str) -> None:
    lines = f"before:\n  - {before}\n"
    assert told(tmp_path, {"skills/lift.skill.yaml": skill(lines)}) == []


@pytest.mark.parametrize(
    "after",
    ["at(item) == none", "at(item) == near(agent)", "not hot(item)", "hot(item) == true"],
)
def test_effect_that_sets_a_fact_has_no_problem(tmp_path: Path, after: str) -> None:
    lines = f"after:\n  - {after}\n"
    assert told(tmp_path, {"skills/lift.skill.yaml": skill(lines)}) == []


def test_missing_skill_of_a_broken_file_is_not_told(tmp_path: Path) -> None:
    files = {
        "skills/warm.skill.yaml": "skill: warm\nabout: Warm up.\ntakse: 3s\n",
        "tasks/pour.task.yaml": "task: stir\nabout: Stir.\nargs: {}\nsayss: [stir]\n",
        "recipes/more.recipe.yaml": "recipe: More\nsubtasks: {stir: {}}\n",
    }
    assert {problem.code for problem in found(tmp_path, files)} == {"TC101"}


def test_words_no_task_knows_are_an_error_where_nobody_can_anything(tmp_path: Path) -> None:
    agents = (BASE / "room/agents.agent.yaml").read_text().replace("[anything]", "[pour]")
    files = {
        "room/agents.agent.yaml": agents,
        "recipes/more.recipe.yaml": "recipe: More\nsubtasks:\n  'say grace': {}\n",
    }
    (problem,) = found(tmp_path, files)
    assert (problem.code, problem.severity) == ("TC503", "error")
    assert (problem.span.line, problem.span.column, problem.span.end_column) == (3, 3, 14)


def test_recipe_of_thousands_of_subtasks_in_a_ring_is_one_problem(tmp_path: Path) -> None:
    count = many(5_000, 1_000)
    lines = [f"  s{n}: {{do: get kettle, after: [s{(n + 1) % count}]}}" for n in range(count)]
    text = "recipe: Ring\nsubtasks:\n" + "\n".join(lines) + "\n"
    (problem,) = found(tmp_path, {"recipes/ring.recipe.yaml": text})
    assert (problem.code, problem.span.line, problem.span.column) == ("TC504", 3, 32)
    assert len(problem.message) < 400


def test_misspelt_task_under_can_is_told_once(tmp_path: Path) -> None:
    agents = (BASE / "room/agents.agent.yaml").read_text()
    agents = agents.replace("[anything]", "[pour]").replace("heat]", "heet]")
    problems = found(tmp_path, {"room/agents.agent.yaml": agents})
    assert [p.code for p in problems] == ["TC502"]


def test_things_in_one_another_are_told_once(tmp_path: Path) -> None:
    files = {
        "box/box.domain.yaml": "domain: boxes\ntypes: {Thing: {}}\n"
        "facts:\n  at: {args: [Thing], value: Thing}\n",
        "box/box.scene.yaml": "scene: nested\ndomain: boxes\nobjects:\n"
        "  pen: {type: Thing, at: box}\n  ground: {type: Thing, at: ground}\n"
        "  box: {type: Thing, at: bag}\n  bag: {type: Thing, at: box}\n"
        "  cup: {type: Thing, at: ground}\n",
    }
    problems = list(tc510_scene_object.check(view_of(tmp_path, files)))
    assert [p.message for p in problems] == ["'box' is in itself: box in bag in box"]
    assert (problems[0].span.line, problems[0].span.column) == (6, 26)


def test_scenes_and_domains_that_no_system_uses_are_judged_by_their_own_facts(
    tmp_path: Path,
) -> None:
    types = "types: {Box: {}, Lid: {is: Box}}\nfacts:\n  at: {args: [Box], value: Box}\n"
    scene = "domain: boxes\nobjects:\n  lid: {type: Lid, at: box}\n  box: {type: Box}\n"
    files = {
        "box/box.domain.yaml": f"domain: boxes\n{types}",
        "box/copy.domain.yaml": f"domain: copies\n{types.replace('{is: Box}', '{has: {at: a}}')}",
        "box/box.scene.yaml": f"scene: boxes\n{scene}",
        "box/copy.scene.yaml": f"scene: copied\n{scene.replace('at: box', 'at: pot')}",
    }
    problems = found(tmp_path, files)
    assert [(p.code, p.span.path) for p in problems] == [
        ("TC530", "box/copy.domain.yaml"),
        ("TC510", "box/copy.scene.yaml"),
    ]


@pytest.mark.parametrize("effect", ["open(item)", "not open(item)", "open(item) == false"])
def test_a_fact_declared_as_bool_is_set_like_one_without_a_value(
    tmp_path: Path, effect: str
) -> None:
    domain = (BASE / "room/tea_room.domain.yaml").read_text("utf-8")
    files = {
        "room/tea_room.domain.yaml": domain.replace(
            "facts:\n", "facts:\n  open: {args: [Item], value: bool}\n"
        ),
        "skills/tilt.skill.yaml": "skill: tilt\nabout: Tilt.\nargs: {agent: Robot, item: Item}\n"
        f"after: [{effect}]\nruns: {EFFECTS}\n",
    }
    assert [one for one in told(tmp_path, files) if one[0] == "TC508"] == []

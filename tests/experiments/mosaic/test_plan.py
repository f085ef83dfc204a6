"""What is drawn: the same for the same seed, as the paper's appendix H describes it."""

from __future__ import annotations

from functools import lru_cache

import pytest

from experiments.mosaic.kitchen import Kitchen
from experiments.mosaic.plan import MODES, draw_plans, draw_recipes
from experiments.mosaic.trial import set_up
from tests.cli.conftest import ROOT
from treec.files.library import load_library


@lru_cache(maxsize=1)
def kitchen() -> Kitchen:
    return set_up(load_library(ROOT), "mosaic", contracts=True).kitchen


def test_easy_has_one_interaction_and_hard_has_six() -> None:
    for seed in range(5):
        assert {len(p.interactions) for p in draw_plans(kitchen(), seed, 5, "easy")} == {1}
        assert {len(p.interactions) for p in draw_plans(kitchen(), seed, 5, "hard")} == {6}


def test_no_mode_is_left_out_of_easy() -> None:
    for seed in range(5):
        modes = {p.interactions[0].mode for p in draw_plans(kitchen(), seed, 5, "easy")}
        assert modes == set(MODES)


def test_recipes_are_each_drawn_once_while_there_are_enough() -> None:
    number = len(kitchen().recipes)
    assert sorted(draw_recipes(kitchen(), 1, number)) == sorted(kitchen().recipes)
    assert len(draw_recipes(kitchen(), 1, number + 1)) == number + 1


def test_a_seed_is_all_it_takes() -> None:
    assert draw_plans(kitchen(), 3, 5, "hard") == draw_plans(kitchen(), 3, 5, "hard")
    assert draw_plans(kitchen(), 3, 5, "hard") != draw_plans(kitchen(), 4, 5, "hard")


@pytest.mark.parametrize("seed", range(10))
def test_every_interaction_makes_sense(seed: int) -> None:
    for plan in draw_plans(kitchen(), seed, 5, "hard"):
        works = {work.id: work for work in kitchen().recipes[plan.recipe]}
        assert len({i.id for i in plan.interactions}) == 6
        for interaction in plan.interactions:
            match interaction.mode:
                case "A":
                    assert plan.recipe in interaction.fitting
                    assert interaction.thing not in {n.lower() for n in kitchen().recipes}
                case "B":
                    assert interaction.thing
                    assert interaction.thing not in kitchen().recipes
                case "C":
                    assert interaction.subtask in works
                    assert interaction.agent in kitchen().team
                case "D":
                    same = {work.same for work in works.values()}
                    args = tuple(sorted(interaction.args.items()))
                    assert (interaction.task, args) not in same
                    able = kitchen().able(interaction.task)
                    assert interaction.agent is None or interaction.agent in able

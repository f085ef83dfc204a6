"""What requests, households and pages of recipes refuse, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.support import golden
from treec_helper.actions import undertake
from treec_household.actions import Actions
from treec_household.embodied.environment import EmbodiedHousehold, Senses
from treec_household.workers import HouseholdAction
from treec_mosaic.recipes.model import ask_for_list

NOBODY: Any = None
TEAM: Any = SimpleNamespace(
    agents=(), world=SimpleNamespace(state={"open_question": "", "corrected": ""})
)
ANY: Any = SimpleNamespace(simulator=SimpleNamespace())
NONE: Any = SimpleNamespace(environment=None)
PAGE: Any = SimpleNamespace(text="a" * 20_001)


def cut(**facts: bool) -> object:
    """A slice of bread, with these facts of everything."""
    home: Any = SimpleNamespace(
        state=SimpleNamespace(get=lambda fact, _: facts.get(fact), held="knife")
    )
    home._touch = str
    return Actions._slice(home, "Bread")


TOLD: dict[str, Callable[[], object]] = {
    "EventRefused: the request has no words": lambda: list(undertake(NOBODY, " ")),
    "Refused: impossible: Bread cannot be cut": lambda: cut(),
    "Refused: impossible: there is no knife in the hand": lambda: cut(slices=True),
    "Refused: impossible: Bread is cut already": lambda: cut(slices=True, cuts=True, sliced=True),
    "TypeError: this worker acts in a household": lambda: HouseholdAction().start(NONE, NONE),
    ("Stop: the page's recipe has 20,001 characters; at most 20,000 are sent to a model"): lambda: (
        ask_for_list(NOBODY, PAGE, "Soup", NOBODY)
    ),
    "BadScene: eyes of the robot are true or small, not 'big'": lambda: EmbodiedHousehold._eyes(
        NOBODY, "big"
    ),
    "BadScene: reasons of the robot are one of oracle, picture, none, not 'all'": lambda: (
        EmbodiedHousehold.begin_with(ANY, Senses(reasons="all"))
    ),
    "EventRefused: there is no robot": lambda: list(undertake(TEAM, "make coffee")),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)

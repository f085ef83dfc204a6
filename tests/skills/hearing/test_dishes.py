"""Which dish a kind of dish means: one that was offered, when it is spoken of as known."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.talk import read


def chosen(text: str) -> list[object]:
    return [act.get("recipe") for act in read(text, moment("dishes_offered"))]


@pytest.mark.parametrize("text", ["The soup, please.", "Let's have the soup.", "That soup then."])
def test_the_soup_is_the_one_that_was_offered(text: str) -> None:
    assert chosen(text) == ["Tomato Soup"]


@pytest.mark.parametrize("text", ["A soup would be nice.", "Can we do some soup for dinner?"])
def test_a_soup_may_be_any_of_several(text: str) -> None:
    assert chosen(text) == [None]

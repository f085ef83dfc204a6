"""Names as people say them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hearing.moments import everyday, moment
from treec.team.talk import TalkContext, TalkObject, TalkSubtask


@pytest.fixture
def now() -> TalkContext:
    """A garden in which names have articles in their middle."""
    garden = moment("garden")
    return replace(
        garden,
        recipes=("Soup of the Day",),
        objects=(*garden.objects, TalkObject("end of the path", (), ("Item",))),
        subtasks=(*garden.subtasks, TalkSubtask("s9", "polish the floor", "running", "Rover")),
    )


@pytest.mark.parametrize(
    ("text", "kind", "field", "value"),
    [
        ("let's do the soup of the day", "choose", "recipe", "Soup of the Day"),
        ("let's do soup of day", "choose", "recipe", "Soup of the Day"),
        ("mow the end of the path", "request", "args", {"item": "end of the path"}),
        ("I'm done with polish the floor", "done", "subtasks", ["s9"]),
    ],
)
def test_a_name_is_known_with_the_article_in_its_middle(
    now: TalkContext, text: str, kind: str, field: str, value: object
) -> None:
    (act,) = everyday()(text, now)
    assert (act["kind"], act.get(field)) == (kind, value)

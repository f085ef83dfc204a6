from __future__ import annotations

import pytest

from treec.check.conditions import EarlierConditions
from treec.source.expression import constant


@pytest.mark.parametrize(
    ("earlier", "later", "dead"),
    [
        ("a", "a", True),
        ("a", "a and b", True),
        ("a or b", "b", True),
        ("a and b", "b and c and a", True),
        ("a or b", "(b and c) or a", True),
        ("x == 'R1'", "x  ==  'R1'", True),
        ("a and b", "a", False),
        ("a", "a or b", False),
        ("not a", "a", False),
        ("x == 1", "x == true", False),
        ("acts.stop", "acts.resume", False),
        ("queue(a)", "queue(b)", False),
    ],
)
def test_a_condition_is_covered_when_an_earlier_one_must_hold(
    earlier: str, later: str, dead: bool
) -> None:
    covered = EarlierConditions()
    covered.add(earlier)
    assert covered.covering(later) == (earlier if dead else None)


def test_two_earlier_conditions_can_cover_one_together() -> None:
    covered = EarlierConditions()
    covered.add("a")
    covered.add("b")
    assert covered.covering("a or b") is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("1 > 2", False),
        ("''", False),
        ("now", None),
        ("a or true", True),
        ("a and b", None),
        ("(", None),
    ],
)
def test_what_is_always_the_same(text: str, value: bool | None) -> None:
    assert constant(text) is value

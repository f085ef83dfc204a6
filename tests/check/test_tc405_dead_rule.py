from __future__ import annotations

from pathlib import Path

import pytest

from treec.check.base import view_of
from treec.check.texts import ParsedText, parsed_texts
from treec.files.library import load_library
from treec.source.expression import constant
from treec_asking.check.tc405_dead_rule import EarlierConditions


def parsed(folder: Path, *conditions: str) -> list[ParsedText]:
    rules = "\n".join(f'  - {{when: "{text}", choose: Rest}}' for text in conditions)
    (folder / "go.decision.yaml").write_text(
        f"decision: Go\nabout: What to do.\noptions: {{Rest: Do nothing.}}\noffline:\n{rules}\n"
    )
    library = load_library(folder)
    return [text for text in parsed_texts(view_of(library, None)) if text.place.field == "when"]


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
        ("n < 30", "n < 20", True),
        ("n < 30", "n == 3 and a", True),
        ("x in ['R1', 'R2']", "x == 'R2'", True),
        ("not (a and b)", "not b", True),
        ("n < 20", "n < 30", False),
        ("n <= 20", "n > 20", False),
        ("x == 1", "x == true", False),
        ("acts.stop", "acts.resume", False),
        ("queue(a)", "queue(b)", False),
    ],
)
def test_a_condition_is_covered_when_an_earlier_one_must_hold(
    tmp_path: Path, earlier: str, later: str, dead: bool
) -> None:
    first, second = parsed(tmp_path, earlier, later)
    covered = EarlierConditions()
    covered.add(first)
    assert covered.covering(second) == (earlier if dead else None)


@pytest.mark.parametrize(
    ("earlier", "later", "covered"),
    [
        (["a", "b"], "a or b", True),
        (["x == 'Idle'", "x == 'Running'"], "x in ['Running', 'Idle'] and a", True),
        (["n < 20", "n > 30"], "n < 10 or n > 40", True),
        (["n < 20", "n >= 20"], "b and n > 10 or n < 5", True),
        (["a and n < 20", "a and n >= 20"], "a and n", True),
        (["a and n < 20", "b and n >= 20"], "a and n", False),
        (["n < 20", "n > 30"], "n < 25", False),
    ],
)
def test_earlier_conditions_can_cover_one_together(
    tmp_path: Path, earlier: list[str], later: str, covered: bool
) -> None:
    *firsts, last = parsed(tmp_path, *earlier, later)
    conditions = EarlierConditions()
    for first in firsts:
        conditions.add(first)
    assert conditions.covering(last) == ("' or '".join(earlier) if covered else None)


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

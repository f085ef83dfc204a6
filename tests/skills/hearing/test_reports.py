"""What is reported is done, and what only sounds like a report is not."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import BUSY, THREE, brief


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I did the lettuce.", "done s3"),
        ("Lettuce, check.", "done s3"),
        ("OK, finished.", "done s3"),
        ("The pepper has arrived.", "done s1"),
    ],
)
def test_a_report_names_what_is_done(text: str, expected: str) -> None:
    assert brief(text, BUSY)[-1] == expected


@pytest.mark.parametrize("text", ["Pepper in a tick.", "I would like to prepare the lettuce now."])
def test_what_is_to_come_is_not_done(text: str) -> None:
    assert not any(line.startswith("done") for line in brief(text, THREE))

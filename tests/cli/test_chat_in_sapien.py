"""A person who cooks with robots that have bodies: what they say they did is so in physics."""

from __future__ import annotations

import io
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Treec

SAID = """let's make caesar salad
yes
I'll get the salt
I've got the salt
yes
yes
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sapien") is None, reason="treec's extra 'sapien' is not installed")
def test_what_a_person_says_they_fetched_stands_on_the_table(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were it not, it would be sensed after the next skill that the salt is in the pantry."""
    monkeypatch.setattr("sys.stdin", io.StringIO(SAID))
    call = ("run", "mosaic", "--chat", "--env", "sapien", "--offline", "--fast")
    done = treec(*call, "--runs", tmp_path)
    (journal,) = tmp_path.glob("*/journal.jsonl")
    told: list[tuple[str, str]] = []
    skills = 0
    for line in journal.read_text("utf-8").splitlines():
        record = json.loads(line)
        for event in record["data"].get("events", [record]):
            fact = event["data"]
            skills += len(told) > 1 and event["kind"] == "skill.ended"
            if event["kind"] == "fact.set" and (fact["fact"], fact["args"]) == ("at", ["salt"]):
                told.append((fact["source"], fact["value"]))
    assert skills
    assert told == [("scene", "pantry"), ("told", "table")], done.out

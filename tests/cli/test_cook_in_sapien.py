"""A whole dish with arms, wheels and gravity: it ends as it does without."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Treec

Facts = dict[tuple[str, ...], object]


def facts_at_the_end(journal: Path) -> Facts:
    """Every fact that holds when a run ends, told from the events of its journal."""
    held: Facts = {}
    for line in journal.read_text("utf-8").splitlines():
        for event in json.loads(line)["data"].get("events", ()):
            if event["kind"] in ("fact.set", "fact.unknown"):
                fact = event["data"]
                held[(fact["fact"], *fact["args"])] = fact.get("value")
    return {fact: value for fact, value in held.items() if value not in (None, False)}


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sapien") is None, reason="treec's extra 'sapien' is not installed")
def test_caesar_salad_ends_with_the_same_facts_as_without_physics(
    treec: Treec, tmp_path: Path
) -> None:
    ends = {}
    for env in ("symbolic", "sapien"):
        runs = tmp_path / env
        options = ("--scenario", "caesar_salad", "--fast", "--runs", runs)
        result = treec("run", "mosaic", "--env", env, *options)
        assert result.status == 0, result.out + result.err
        (journal,) = runs.glob("*/journal.jsonl")
        ends[env] = facts_at_the_end(journal)
    assert len(ends["symbolic"]) > 50
    assert ends["sapien"] == ends["symbolic"]

"""MOSAIC, appendix B.1: the user adds an ingredient on the fly, and it comes at its place."""

from __future__ import annotations

from tests.systems.mosaic.test_failures import played
from treec.world.journal import events


def test_the_bowl_is_stirred_after_the_added_honey_is_in() -> None:
    _, journal = played("added_ingredient")
    told = [e for r in journal.records for e in events(r)]
    done = [e.data["subtask"] for e in told if e.kind == "subtask.done"]
    order = ["get the honey", "pour the honey into the bowl", "stir bowl"]
    assert [id for id in done if id in order] == order
    assert [e.data["subtask"] for e in told if e.kind == "subtask.waits"] == ["stir bowl"]

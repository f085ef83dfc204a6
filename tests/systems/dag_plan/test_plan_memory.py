"""A plan file quotes the graphs of tasks that were done before, and falls back on one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import ROOT
from tests.systems.dag_plan.conftest import SOUP, Go, by_hand
from treec.nodes.pairs import MemoryPair
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory

pytestmark = pytest.mark.needs_system("dag_plan")
GRAPH = (ROOT / "trees" / "dag_plan" / "graphs" / "task_1.yaml").read_text("utf-8")
ASKED = "put the bread and the apple onto the plate, please"


@pytest.fixture
def memories(tmp_path: Path) -> Path:
    """A folder whose plans.db remembers one graph."""
    memory = Memory(tmp_path / "plans.db", LexicalEmbedder())
    memory.add(MemoryPair("put the bread and the apple onto the plate", GRAPH))
    memory.close()
    return tmp_path


def test_a_model_sees_what_was_done_before(go: Go, memories: Path) -> None:
    went = go(SOUP, answers=[by_hand("task_5")], by="hand", memories=memories)
    assert went.outcome.ok
    assert went.transport is not None
    head = went.transport.requests[0].messages[0].content
    assert "Graphs of tasks that were done before" in head
    assert "put the bread and the apple onto the plate" in head


def test_without_a_memory_the_prompt_says_nothing_of_one(go: Go, tmp_path: Path) -> None:
    went = go(SOUP, answers=[by_hand("task_5")], by="hand", memories=tmp_path)
    assert went.transport is not None
    head = went.transport.requests[0].messages[0].content
    assert "done before" not in head


def test_without_a_model_a_task_that_is_remembered_is_done(go: Go, memories: Path) -> None:
    went = go(ASKED, scene="kitchen_1", memories=memories)
    assert went.fact("at", "apple") == went.fact("at", "bread") == "plate"


def test_what_is_not_like_it_is_not_guessed_at(go: Go, memories: Path) -> None:
    went = go("juice the apple", scene="kitchen_1", memories=memories)
    assert went.fact("at", "apple") == "table"
    assert went.told("planned") == []

"""A recipe is handed out as a graph of networkx."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import networkx

from treec.files.recipe_graph import entry_digraph
from treec.files.tasks import RecipeFile

TEA = RecipeFile.model_validate(
    {
        "recipe": "Tea",
        "subtasks": {
            "fill kettle": {},
            "get leaves": {},
            "get bag": {"do": "get tea bag"},
            "brew": {"after": ["fill kettle"], "after_any": ["get leaves", "get bag"]},
        },
    }
)


def test_a_recipe_is_its_subtasks_and_what_comes_after_what() -> None:
    entry: Any = SimpleNamespace(model=TEA)
    found = entry_digraph(entry, entry)
    assert dict(found.nodes(data="words")) == {
        "fill kettle": "fill kettle",
        "get leaves": "get leaves",
        "get bag": "get tea bag",
        "brew": "brew",
    }
    assert list(found.edges(data="any")) == [
        ("fill kettle", "brew", False),
        ("get leaves", "brew", True),
        ("get bag", "brew", True),
    ]
    assert list(networkx.topological_sort(found))[-1] == "brew"


def test_networkx_is_imported_when_a_graph_is_made_and_not_before() -> None:
    code = "import sys, treec.graph, treec.files.recipe_graph; print('networkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

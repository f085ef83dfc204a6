"""Converts a recipe to a `networkx.DiGraph`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.tasks import RecipeFile
from treec.graph import reverse, to_networkx

if TYPE_CHECKING:
    import networkx


def entry_digraph(library: Library, entry: Entry[RecipeFile]) -> networkx.DiGraph[Any]:
    """The subtasks of a recipe by id; an edge leads from one to what comes after it.

    Nodes have their words as ``words``. Edges have ``any``: True where one of several such edges
    is enough (`after_any`). Raises ImportError where networkx is not installed.
    """
    del library
    recipe = entry.model
    after = {id: (*spec.after, *spec.after_any) for id, spec in recipe.subtasks.items()}
    words = {id: {"words": spec.do or id} for id, spec in recipe.subtasks.items()}
    found = to_networkx(reverse(after), words)
    for before, id, attributes in found.edges(data=True):
        attributes["any"] = before not in recipe.subtasks[id].after
    return found

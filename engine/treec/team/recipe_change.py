"""Subtasks when the recipe changes: which are kept, and the ids of new ones."""

from __future__ import annotations

from treec.files.tasks import RecipeFile
from treec.team.entities import Subtask
from treec.team.events import recipe_finished
from treec.team.state import FINISHED
from treec.team.team import Team


def find_kept_subtasks(team: Team, recipe: RecipeFile, name: str) -> set[str]:
    """Ids of existing subtasks that a recipe keeps: its own, and matching ones of other recipes.

    A subtask that was done for another recipe is kept if all its predecessors in this one are kept,
    too: a fetched crate stays fetched, but a cart that gets another load is scanned again. After a
    finished recipe, nothing that was done counts for the next.
    """
    if recipe_finished(team.world.state):  # the next recipe starts over, even the same one
        return {id for id in recipe.subtasks if _open(team.now.subtasks.get(id))}
    again = team.world.state["recipe"] == name
    known = {id: found for id in recipe.subtasks if (found := team.now.subtasks.get(id))}
    own = {id for id, s in known.items() if s.recipe == name and (again or s.status != "dropped")}
    kept = own | {id for id, s in known.items() if not _leaves(s, name)}
    while True:
        unfit = {
            id
            for id in kept - own
            if not set(recipe.subtasks[id].after) <= kept
            or ((any_ := recipe.subtasks[id].after_any) and kept.isdisjoint(any_))
        }
        if not unfit:
            return kept
        kept -= unfit


def _open(subtask: Subtask | None) -> bool:
    return subtask is not None and subtask.status not in FINISHED


def find_free_id(team: Team, id: str, recipe: str) -> str:
    """An unused id; a subtask that is dropped, now or before, may keep its own."""
    found, number = id, 2
    while (known := team.now.subtasks.get(found)) is not None and not _leaves(known, recipe):
        found, number = f"{id} ({number})", number + 1
    return found


def _leaves(subtask: Subtask, recipe: str) -> bool:
    """Whether a subtask is dropped already or by changing to a recipe."""
    kept = subtask.recipe in (None, recipe) or subtask.status in ("running", "done")
    return subtask.status == "dropped" or not kept

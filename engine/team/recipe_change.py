"""What becomes of the work when the recipe is changed: what stays, and under which ids."""

from __future__ import annotations

from treec.files.tasks import RecipeFile
from treec.team.entities import Subtask
from treec.team.events import recipe_finished
from treec.team.stored import FINISHED
from treec.team.team import Team


def kept_subtasks(team: Team, recipe: RecipeFile, name: str) -> set[str]:
    """The subtasks of a recipe that are there already: its own, and work that fits it.

    What was done for another recipe fits when all that comes before it here is there, too: a
    crate stays fetched, but a cart that was scanned is scanned again for what else is put on it.
    Once a recipe is finished, nothing that was done counts for the next.
    """
    if recipe_finished(team.world.state):  # the same or another recipe: it begins anew
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


def free_id(team: Team, id: str, recipe: str) -> str:
    """An id that no other work has; what is dropped, or is now, may return under its own."""
    found, number = id, 2
    while (known := team.now.subtasks.get(found)) is not None and not _leaves(known, recipe):
        found, number = f"{id} ({number})", number + 1
    return found


def _leaves(subtask: Subtask, recipe: str) -> bool:
    """Whether a subtask is dropped, or the change to a recipe drops it."""
    kept = subtask.recipe in (None, recipe) or subtask.status in ("running", "done")
    return subtask.status == "dropped" or not kept

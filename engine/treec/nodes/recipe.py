"""`recipe`: sets a recipe and waits until each of its subtasks is done or dropped.

SUCCESS: all subtasks of the recipe are done or dropped.

FAILURE: there is no such recipe.

RUNNING: some are not. If another recipe is set, the first tick sets this one.

Memory: none; the subtasks are in the world.

Halting: nothing to halt; the subtasks are not affected.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import NodeError, Runtime
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.bind import bind
from treec.team.events import number_entries
from treec.team.state import FINISHED
from treec.world.events import Commit


class RunRecipe(WorldLeaf):
    """Runs a recipe."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, recipe: object) -> None:
        super().__init__(name, runtime, scope)
        self.recipe = recipe

    def work(self) -> Status:
        """Set the recipe if necessary; check whether all is finished."""
        runtime = self.runtime
        recipe = runtime.team.recipe(resolve(self.recipe, self.scope))
        if recipe is None:
            raise NodeError(f"recipe: the library has no recipe '{self.recipe}'")
        if runtime.world.state["recipe"] != recipe.name:
            call = bind(runtime.team, "set_recipe", {"name": recipe})
            events = number_entries(runtime.world.state, call.action.run(runtime.team, **call.args))
            runtime.world.emit(Commit("recipe", events, node=self.path), self.path)
        mine = (s for s in runtime.team.subtasks if s.recipe == recipe.name)
        if all(subtask.status in FINISHED for subtask in mine):
            return Status.SUCCESS
        return Status.RUNNING

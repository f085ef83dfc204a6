"""`recipe`: sets a recipe and waits until each of its subtasks is done or dropped.

SUCCESS: all subtasks of the recipe are done or dropped.

FAILURE: there is no such recipe.

RUNNING: some are not. If another recipe is set, the first tick sets this one.

Memory: none; the subtasks are in the world.

Halting: nothing to halt; the subtasks are not affected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from treec.files.fields import Value
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.files.types import INTEGER, NONE, Misfit, OneOf, coerce
from treec.nodes.base import Status
from treec.nodes.leaf import NodeError, WorldLeaf
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.actions import set_recipe
from treec.team.events import number_entries
from treec.team.state import FINISHED
from treec.world.events import Commit

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


_SERVES = OneOf((INTEGER, NONE))


class RecipeNode(NodeBase):
    """Adds a recipe's subtasks and runs until each is done or dropped."""

    recipe: Value
    serves: Value = None


class RunRecipe(WorldLeaf):
    """Runs a recipe."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, node: RecipeNode) -> None:
        super().__init__(name, runtime, scope)
        self.recipe, self.serves = node.recipe, node.serves

    def work(self) -> Status:
        """Set the recipe if necessary; check whether all is finished."""
        runtime = self.runtime
        recipe = runtime.team.recipe(resolve(self.recipe, self.scope))
        if recipe is None:
            raise NodeError(f"unknown recipe '{self.recipe}'")
        if runtime.world.state["recipe"] != recipe.name:
            serves = coerce(_SERVES, resolve(self.serves, self.scope), runtime.team.now)
            if isinstance(serves, Misfit):
                raise NodeError(f"'serves': {serves}")
            changes = set_recipe(runtime.team, recipe, cast("int | None", serves))
            events = number_entries(runtime.world.state, changes)
            runtime.world.emit(Commit("recipe", events, node=self.path), self.path)
        mine = (s for s in runtime.team.subtasks if s.recipe == recipe.name)
        if all(subtask.status in FINISHED for subtask in mine):
            return Status.SUCCESS
        return Status.RUNNING


def build(at: NodePlace, node: RecipeNode) -> Behaviour:
    """The node as a leaf."""
    return RunRecipe(at.path, at.runtime, at.frame, node)


_GRAPH = (
    "M3.5 5.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M3.5 13.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3"
    "M12.5 9.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M5 4.5L11 7.4M5 11.5L11 8.6"
)

NODE = NodeSpec(
    key="recipe",
    model=RecipeNode,
    build=build,
    refers="recipe",
    label=lambda node: f"recipe: {node.recipe}",
    drawing=Drawing("part", icon=_GRAPH),
)

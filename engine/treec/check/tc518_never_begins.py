"""Subtask that can never begin.

It waits for subtasks that wait for each other, or for one that the recipe does not have. The cause
is reported there (TC504, TC505); this rule reports what else it blocks.

Wrong, where `scan cart` is the one that never begins:

    recipe: Order
    subtasks:
      get crate: {after: [load crate onto cart]}
      load crate onto cart: {after: [get crate]}
      scan cart: {after: [load crate onto cart]}

Right:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {after: [get crate]}
      scan cart: {after: [load crate onto cart]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.graph import cyclic_components, reachable_and_or
from treec.source.diagnostics import Diagnostic

CODE = "TC518"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks that wait for a cycle or for an unknown predecessor."""
    for entry in entries(view, "recipe"):
        recipe: RecipeFile = entry.model
        if not recipe.subtasks:
            message = "a recipe without subtasks is never done"
            yield Diagnostic(CODE, "error", entry.span("subtasks", key=True), message, "add one")
        after = {id: spec.after for id, spec in recipe.subtasks.items()}
        any_of = {id: spec.after_any for id, spec in recipe.subtasks.items()}
        stuck = after.keys() - reachable_and_or(after, any_of)
        if not stuck:
            continue
        waits = {id: (*after[id], *any_of[id]) for id in after}
        in_cycles = set().union(*cyclic_components(waits))
        for id, others in waits.items():
            wrong = id in in_cycles or any(other not in after for other in others)
            if id not in stuck or wrong:  # the latter are reported by TC504 and TC505
                continue
            cause = next(other for other in others if other in stuck)
            yield Diagnostic(
                CODE,
                "error",
                entry.span("subtasks", id, key=True),
                f"'{id}' can never begin: it waits for '{cause}', which never does",
                "see the problem reported for that one",
            )

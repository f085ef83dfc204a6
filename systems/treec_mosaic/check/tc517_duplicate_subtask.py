"""Duplicate subtask in a recipe.

Two subtasks with the same task and the same things that do not wait for each other are done by two
agents at the same time. If one waits for the other, the second finds its goal already reached,
unless it calls a skill marked `again` (scanning) or something undoes the goal in between.

Wrong:

    recipe: Order
    subtasks:
      scan cart: {}
      scan again: {do: scan the cart}

Right:

    recipe: Order
    subtasks:
      scan cart: {}
      scan again: {do: scan the cart, after: [scan cart]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_mosaic.recipes.findings import find_repeated
from treec_mosaic.recipes.warnings import recipe_warnings

CODE = "TC517"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks that duplicate an earlier one."""
    return recipe_warnings(view, CODE, find_repeated)

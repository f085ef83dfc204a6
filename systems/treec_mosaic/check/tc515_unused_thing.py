"""Thing that a recipe fetches but does not use.

A subtask whose task's goal states where a thing is (`goal: at(item) == 'table'`) fetches it. Some
other subtask should need the thing: through the preconditions of its skills or, if its task has no
steps, in its words.

Wrong:

    recipe: Order
    subtasks:
      get crate: {}
      scan cart: {}

Right:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {after: [get crate]}
      scan cart: {after: [load crate onto cart]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_mosaic.recipes.fetching import find_unused
from treec_mosaic.recipes.warnings import recipe_warnings

CODE = "TC515"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks that fetch a thing that nothing needs."""
    return recipe_warnings(view, CODE, find_unused)

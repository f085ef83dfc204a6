"""Thing that a recipe prepares and uses in no fixed order.

A task whose goal is about one thing (`goal: cut(item)`) prepares it; a task whose goal begins with
this thing and names others (`goal: added(item, container)`) uses it. If neither subtask waits for
the other, the thing may be used before it is prepared.

Wrong:

    recipe: Order
    subtasks:
      wash crate: {}
      load crate onto cart: {}

Right:

    recipe: Order
    subtasks:
      wash crate: {}
      load crate onto cart: {after: [wash crate]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_mosaic.recipes.findings import find_use_unprepared
from treec_mosaic.recipes.warnings import recipe_warnings

CODE = "TC528"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report uses of a thing that do not wait until it is prepared."""
    return recipe_warnings(view, CODE, find_use_unprepared)

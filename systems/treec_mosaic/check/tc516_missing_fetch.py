"""Thing that a recipe uses before fetching it, or without fetching it.

A subtask that needs a thing must wait for the subtask that fetches it. If the scene has the thing
somewhere other than where its task brings it, some subtask must fetch it.

Wrong, where crate stands in the dock and `get` brings things to the table:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {}

Right:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {after: [get crate]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_mosaic.recipes.fetching import find_not_fetched
from treec_mosaic.recipes.warnings import recipe_warnings

CODE = "TC516"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks that use a thing before anything has fetched it."""
    return recipe_warnings(view, CODE, find_not_fetched)

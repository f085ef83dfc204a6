"""Body in mid-air, or sunk into its support.

A pose is the middle of a body's base. A support must be within 5 mm below it: the floor at z = 0,
a table, a board. Wall cabinets hang and need none.

Wrong, on a table 0.75 m high:

    objects:
      crate: {type: Item, pose: [0.0, 0.3, 0.8], body: {kind: packet}}
      tin: {type: Item, pose: [0.2, 0.3, 0.7], body: {kind: tin}}

Right:

    objects:
      crate: {type: Item, pose: [0.0, 0.3, 0.75], body: {kind: packet}}
      tin: {type: Item, pose: [0.2, 0.3, 0.75], body: {kind: tin}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_sapien.check.scene_bodies import problems

CODE = "TC803"


def check(view: View) -> Iterator[Diagnostic]:
    """Report bodies without a support, or sunk into it."""
    return problems(view, "standing", CODE)

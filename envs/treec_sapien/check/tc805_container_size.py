"""Thing in a container that it does not fit into.

A thing fits if the two smaller sides of its bounding box are no larger than the opening, which is
above, or in front if there is a roof. The facts `at` and `home` of a scene's objects are checked.

Wrong, where the bin is 42 mm wide inside:

    bodies: depot.bodies
    objects:
      bin: {type: Item, pose: [0.2, 0.0, 0.75], body: {kind: bin}}
      bottle: {type: Item, pose: [0.0, 0.0, 0.75], body: {kind: bottle}, at: bin}

Right:

    bodies: depot.bodies
    objects:
      bin: {type: Item, pose: [0.2, 0.0, 0.75], body: {kind: bin, diameter: 0.08}}
      bottle: {type: Item, pose: [0.2, 0.0, 0.756], body: {kind: bottle}, at: bin}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_sapien.check.scene_bodies import problems

CODE = "TC805"


def check(view: View) -> Iterator[Diagnostic]:
    """Report things in containers that are too narrow for them."""
    return problems(view, "fits", CODE)

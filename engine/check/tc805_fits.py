"""A thing that is said to be in something that it does not fit into.

What is thicker than an opening is wide can be in there by no means, whatever a plan says: the two
smaller sides of the box around the thing are compared with the opening, which is above, or in front
where there is a roof. Looked at are the facts `at` and `home` of a scene's objects.

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

from treec.check.scene_bodies import problems
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC805"


def check(view: View) -> Iterator[Diagnostic]:
    """Things where they cannot be."""
    return problems(view, "fits", CODE)

"""Thing or handle that no robot can reach.

Every door, button and knob, and every thing that can be taken, must be within reach of a robot of
the systems with this domain, from where the robot stands or from anywhere its base can stand. The
reach model is coarse: planning may still find that the arm cannot get there. A robot that reaches
nothing at all is reported, too.

Wrong, where the only robot is an arm with a reach of 0.9 m at the origin:

    objects:
      crate: {type: Item, pose: [1.5, 0.0, 0.75], body: {kind: packet}}

Right:

    objects:
      crate: {type: Item, pose: [0.6, 0.0, 0.75], body: {kind: packet}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_sapien.check.scene_bodies import problems

CODE = "TC804"


def check(view: View) -> Iterator[Diagnostic]:
    """Report bodies out of every robot's reach."""
    return problems(view, "reach", CODE)

"""Overlapping bodies.

Bodies may touch at the start of a scene, but not overlap by more than 2 mm: physics would throw
them apart in the first step. A robot's base must not overlap anything either.

Wrong, where both are 16 cm wide:

    objects:
      crate: {type: Item, pose: [0.0, 0.3, 0.75], body: {kind: packet}}
      bin: {type: Item, pose: [0.04, 0.3, 0.75], body: {kind: packet}}

Right:

    objects:
      crate: {type: Item, pose: [0.0, 0.3, 0.75], body: {kind: packet}}
      bin: {type: Item, pose: [0.25, 0.3, 0.75], body: {kind: packet}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_sapien.check.scene_bodies import problems

CODE = "TC802"


def check(view: View) -> Iterator[Diagnostic]:
    """Report overlapping bodies."""
    return problems(view, "overlap", CODE)

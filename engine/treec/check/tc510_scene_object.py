"""Unknown fact or wrong value of a scene object.

Beside `type`, `about`, `pose`, `yaw`, `body` and `also`, an object's keys are facts about it, with
values of the types that the domain declares. A pose has three numbers, or seven with a
unit quaternion.
What a thing is `at` must not be in the thing itself.

Wrong, where `at` has the value `Place or Agent`:

    objects:
      crate: {type: Item, at: dokc}
      dock: {type: Place, pose: [2.0, 0.5]}

Right:

    objects:
      crate: {type: Item, at: dock}
      dock: {type: Place, pose: [2.0, 0.5, 0.9]}
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from treec.check.base import entries
from treec.check.fact_values import fact_misfits
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import Entry
from treec.files.places import SceneFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity

CODE = "TC510"
AT = "at"
"""The fact that says where a thing is, as in the function `place_of`."""

_KEYS = ("type", "about", "pose", "yaw", "body", "also")


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown facts and wrong values of objects, and invalid poses."""
    if "domain" in unreadable_kinds(view.library):
        return
    for entry in entries(view, "scene"):
        scene: SceneFile = entry.model
        yield from _circles(entry)
        known = scene.domain in view.all("domain")
        for name, spec in scene.objects.items():
            loc = ("objects", name)
            if known:
                yield from fact_misfits(CODE, view, entry, loc, spec.facts, spec.type, _KEYS)
            if spec.pose is not None and (wrong := _wrong_pose(spec.pose)):
                help = "write [x, y, z] in metres, or [x, y, z, qw, qx, qy, qz]"
                severity, message = wrong
                yield Diagnostic(CODE, severity, entry.span(*loc, "pose"), message, help)


def _wrong_pose(numbers: list[float]) -> tuple[Severity, str] | None:
    if len(numbers) not in (3, 7):
        return "error", f"a pose has 3 or 7 numbers, but this has {len(numbers)}"
    if not all(map(math.isfinite, numbers)):
        return "error", "the numbers of a pose must be finite"
    length = math.hypot(*numbers[3:]) if numbers[3:] else 1.0
    if length < 1e-6:
        return "error", "a rotation needs a quaternion that is not zero"
    if abs(length - 1.0) > 0.01:
        return "warning", f"the quaternion has the length {length:.3g}, and is scaled to 1"
    return None


def _circles(entry: Entry[SceneFile]) -> Iterator[Diagnostic]:
    """Report things that are in one another; each circle once, at its first thing.

    The ground may be at itself.
    """
    at = {name: spec.facts.get(AT) for name, spec in entry.model.objects.items()}
    seen: set[str] = set()
    for thing in at:
        way: list[str] = []
        current: object = thing
        while isinstance(current, str) and current in at and current not in seen:
            seen.add(current)
            way.append(current)
            current = at[current]
        if isinstance(current, str) and current in way and at[current] != current:
            circle = [*way[way.index(current) :], current]
            span = entry.span("objects", current, AT)
            message = f"'{current}' is in itself: {' in '.join(circle)}"
            yield Diagnostic(CODE, "error", span, message, "say what one of them stands on")

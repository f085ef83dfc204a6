"""Robot whose file and model do not fit together.

A URDF, an SRDF, a model to mount or a mesh that is missing (`package://NAME/` is a folder above the
URDF, an installed package, or what `packages:` says); links and joints that the model does not
have; `home` of another length than the joints, or outside their limits; a tool frame that the
joints do not move, or whose y is not the line on which the fingers close; a gripper that opens
nothing, or less than `opening` says; a base on wheels below the floor. A warning: a gripper that is
mounted across its arm.

Wrong, where the model has the joints shoulder, elbow and wrist, and the fingers slide 40 mm each:

    robot: lifter
    about: An arm with two fingers.
    urdf: lifter.urdf
    arms:
      arm:
        joints: [shoulder, elbo, wrist]
        home: [0.0, 1.2]
        tool: palm
        gripper:
          fingers: [{joint: left_finger, open: 0.04}, {joint: right_finger, open: 0.04}]
          opening: [0.0, 0.04]

Right:

    robot: lifter
    about: An arm with two fingers.
    urdf: lifter.urdf
    arms:
      arm:
        joints: [shoulder, elbow, wrist]
        home: [0.0, 1.2, 0.0]
        tool: palm
        gripper:
          fingers: [{joint: left_finger, open: 0.04}, {joint: right_finger, open: 0.04}]
          opening: [0.0, 0.08]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity
from treec_sapien.check.robots import definition_of
from treec_sapien.robots.assemble import assembled
from treec_sapien.robots.problems import find_problems

CODE = "TC806"


def check(view: View) -> Iterator[Diagnostic]:
    """Report robots that cannot be built."""
    for entry in entries(view, "robot"):
        definition = definition_of(view, entry)
        made = assembled(definition)
        view.library.looked_at.update(made.tried)
        for problem in find_problems(definition, made):
            span = entry.span(*problem.keys, key=problem.on_key)
            severity: Severity = "warning" if problem.may_be_right else "error"
            yield Diagnostic(CODE, severity, span, problem.message, problem.help)

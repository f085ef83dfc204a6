"""Rules of layout and team files."""

from __future__ import annotations

from treec.source.rules import register

LAYOUT = register(
    "TC711",
    "a layout that is not of the form of one",
    """A layout is a mapping with `hands` and `objects`, each from a name to `[x, y, z]` (or
    `[x, y]`, but everywhere the same) in metres; `distance` (the farthest that two targets may be
    apart to be worked at at one time) and `crossing` may stand there too. Hands stand from left to
    right.

    Wrong:

        hands: {left: -0.3}
        objects: [apple, plate]

    Right:

        hands: {left: [-0.3, 0.0, 0.9], right: [0.3, 0.0, 0.9]}
        objects: {apple: [-0.2, 0.5, 0.8], plate: [0.1, 0.5, 0.8]}
        distance: 1.0
        crossing: {axis: x, margin: 0.05}
    """,
)
NUMBER = register(
    "TC712",
    "a number of a layout that is none, or out of range",
    """Positions, the distance limit and the margin are plain numbers of metres.

    Wrong:

        distance: 80cm

    Right:

        distance: 0.8
    """,
)
TEAM = register(
    "TC713",
    "a team that is not of the form of one",
    """A team is a mapping with `arms`, from left to right: a list of names, or a mapping from each
    to the body that it belongs to (nodes for two arms need two of one body). `times` gives a
    duration for a command or for a node's id, or one for each arm, `no` where it cannot; `usual`
    is for what has no time of its own.

    Wrong:

        arms: left, right
        times: {grasp: quick}

    Right:

        arms: {left: R1, right: R1, Ada: Ada}
        times: {grasp: 3s, cut with: {Ada: 8s, left: no, right: 12s}}
        usual: 5s
    """,
)

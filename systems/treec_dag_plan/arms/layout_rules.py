"""Rules of layout and team files."""

from __future__ import annotations

from treec.source.rules import register

LAYOUT = register(
    "TC711",
    "Malformed layout",
    """A layout is a mapping with `hands` and `objects`, each from a name to `[x, y, z]`, or
    everywhere `[x, y]`, in metres. Optional: `distance` (the largest distance of two targets that
    can be worked at simultaneously) and `crossing`. Hands are listed from left to right.

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
    "Invalid number in a layout",
    """Positions, the distance limit and the margin are plain numbers of metres.

    Wrong:

        distance: 80cm

    Right:

        distance: 0.8
    """,
)
TEAM = register(
    "TC713",
    "Malformed team",
    """A team is a mapping with `arms`, from left to right: a list of names, or a mapping from each
    to its body (nodes for two arms need two arms of one body). `times` gives the duration of a
    command or of a node's id, or one for each arm (`no`: the arm cannot do it); `usual` is the
    duration of everything else.

    Wrong:

        arms: left, right
        times: {grasp: quick}

    Right:

        arms: {left: R1, right: R1, Ada: Ada}
        times: {grasp: 3s, cut with: {Ada: 8s, left: no, right: 12s}}
        usual: 5s
    """,
)

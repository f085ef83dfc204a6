"""Words for crops that show none of the things that are known: in training and in use alike."""

from __future__ import annotations

BACKGROUND = ("background", "nothing", "a piece of furniture", "a robot", "the floor")
"""What a crop shows in which nothing stands."""

UNNAMED = "something else"
"""What a thing is called that has no name."""

NOTHING = (*BACKGROUND, UNNAMED)

"""Draw the kitchens of `docs/environments.md`, and what a localizer sees in one.

Run `python docs/make_environment_pictures.py`. The robots need the extra `sapien`, the localizer
`see`; nothing needs a display.
"""

from __future__ import annotations

from pathlib import Path

from treec.cli import main

ROOT = Path(__file__).parent.parent

PICTURES = {
    "kitchen": ["kitchen", "--turn", "-12", "--tilt", "32"],
    "kitchen_1": ["kitchen_1", "--turn", "-62", "--tilt", "26"],
    "kitchen_2": ["kitchen_2", "--turn", "-32", "--open", "--no-robots"],
    "kitchen_3": ["kitchen_3", "--turn", "-22", "--tilt", "20", "--open", "--no-robots"],
}
"""File below `docs/pictures` → what `treec env show` is asked for."""

SEEN = ["table_near", "onions", "--system", "mosaic"]
"""What the picture of `docs/perception.md` shows; this needs the extra `see`."""


def draw() -> int:
    """Write them all."""
    for name, arguments in PICTURES.items():
        status = main(["env", "show", *arguments, "-o", str(ROOT / f"docs/pictures/{name}.png")])
        if status:
            return status
    return main(["see", *SEEN, "-o", str(ROOT / "docs/pictures/seen.png")])


if __name__ == "__main__":
    raise SystemExit(draw())

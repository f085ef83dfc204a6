"""The planner's picture, from its own files: ``python docs/make_planner_picture.py [--check]``.

``docs/pictures/planner.svg`` is what `treec render mosaic -o planner.svg` draws: the reading, the
decisions, the actions they lead to, and the actions that put themselves forward. With ``--check``
nothing is written, and the status is 1 when picture and files differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

from treec.files.library import load_library
from treec.files.view import View
from treec.render.from_files import decision_graph
from treec_drawing.svg import render_svg

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "planner.svg"
SYSTEM = "mosaic"


def main(argv: list[str]) -> int:
    """Write or check the picture."""
    library = load_library(ROOT)
    view = View(library, library.find("system", SYSTEM))
    text = render_svg(decision_graph(view, f"{SYSTEM}: who may choose whom")).rstrip("\n") + "\n"
    stale = not PICTURE.is_file() or PICTURE.read_text("utf-8") != text
    if "--check" in argv:
        if stale:
            print(f"{PICTURE.name} is stale: run 'python docs/make_planner_picture.py'")
        return int(stale)
    PICTURE.write_text(text, "utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {'changed' if stale else 'as it was'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

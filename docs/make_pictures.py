"""The README's pictures, made from the real thing: ``python docs/make_pictures.py``.

``docs/pictures/run.svg`` is a moment of the scenario `caesar_salad`, ``docs/pictures/error.svg``
what `treec check` prints of a name that was misspelt. Both come out the same on every machine.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from treec.render.measure import cells

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
COLUMNS, ROWS = 112, 34
MOMENT = 91.0
"""Simulated seconds: both robots are at work, some of it is done, the stop lies behind."""

EDITED = Path("prompts/mosaic/execution.decision.yaml")
RIGHT, WRONG = "{{ available |", "{{ availabel |"

COLOURS = ("", "#f07178", "#8cc86e", "#f0be5a", "#6aa4fa", "#c88cf0", "#5ac8d2", "")
"""The terminal's eight colours by their numbers; black and white are the ink."""

PAPER, INK, FAINT = "#181a1f", "#dcdfe4", "#8b9099"
FONTS = "ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', Consolas, monospace"
SIZE, WIDE, HIGH, MARGIN, HEAD = 14, 8.43, 16.5, 14, 34
"""Pixels: the font, a column, a row, the margin, the bar with the title."""

Rows = list[list[Segment]]


def main() -> int:
    """Write both pictures."""
    PICTURES.mkdir(exist_ok=True)
    pictures = {
        "run.svg": svg(run_rows(), "treec run mosaic --scenario caesar_salad"),
        "error.svg": svg(error_rows(), "treec check"),
    }
    for name, text in pictures.items():
        (PICTURES / name).write_text(text, "utf-8")
    return 0


def console(height: int | None = None) -> Console:
    """A console that is the same on whatever terminal this is."""
    return Console(
        file=io.StringIO(),
        width=COLUMNS,
        height=height,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
        highlight=False,
        _environ={},
    )


def run_rows() -> Rows:
    """A moment in the middle of the salad."""
    from treec.files.library import load_library
    from treec.files.view import View
    from treec.run.run import Run
    from treec.run.state import fold
    from treec.world.clock import VirtualClock
    from treec.world.journal import Journal
    from treec.world.spec import RunSpec
    from treec_live.moment import LiveMoment, RunWatcher
    from treec_live.panels import Screen

    library = load_library(ROOT)
    system, scenario = library.find("system", "mosaic"), library.find("scenario", "caesar_salad")
    run = Run(
        View(library, system), VirtualClock(), Journal.in_memory(), RunSpec(scenario=scenario.name)
    )
    parameters = {name: tuple(e.model.args) for name, e in run.view.all("skill").items()}
    state, moments = fold(run.journal.records, parameters), list[LiveMoment]()
    watch = RunWatcher(run, state)
    run.world.subscribe(state.take, traces=True)
    run.world.subscribe(watch.add)

    def look() -> None:
        if run.clock.now() <= MOMENT:
            moments.append(watch.moment())

    run.loop.after_tick.append(look)
    run.go()
    screen = Screen()
    screen.moment = moments[-1]
    drawn = console(ROWS)
    return drawn.render_lines(screen, drawn.options.update(height=ROWS))


def error_rows() -> Rows:
    """What check says when a rule is misspelt."""
    from treec.check import check_library
    from treec.files.library import load_library
    from treec.source.diagnostics import format_summary, format_text

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        skipped = shutil.ignore_patterns(".*", "runs", "docs", "tests", "build", "*.egg-info")
        shutil.copytree(ROOT, copy, ignore=skipped)
        text = (copy / EDITED).read_text("utf-8")
        if RIGHT not in text:
            raise SystemExit(f"{EDITED} has no {RIGHT!r} any more: choose another mistake")
        (copy / EDITED).write_text(text.replace(RIGHT, WRONG, 1), "utf-8")
        library = load_library(copy)
        found = [d for d in check_library(library) if d.span.path == EDITED.as_posix()]
        line = text[: text.index(RIGHT)].count("\n") + 1
        made = [d for d in found if d.span.line == line]
    shown = Text.assemble(
        ("$ treec check\n", "bold"),
        Text.from_ansi(format_text(made, library.sources, colour=True)),
        "\n" + format_summary(made),
        no_wrap=True,
    )
    drawn = console()
    return drawn.render_lines(shown, drawn.options.update(width=240), pad=False)


def svg(rows: Rows, title: str) -> str:
    """Rows of a terminal as SVG, every run of words at its own column."""
    columns = max(sum(cells(segment.text) for segment in row) for row in rows)
    width = columns * WIDE + 2 * MARGIN
    height = len(rows) * HIGH + HEAD + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="img" font-family="{FONTS}" font-size="{SIZE}" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        f'<text x="{width / 2:.0f}" y="21" text-anchor="middle" fill="{FAINT}">'
        f"{escape(title)}</text>",
    ]
    for number, row in enumerate(rows):
        column = 0
        for text, style, _ in row:
            for words in re.finditer(r"\S+(?: \S+)*", text):
                left = column + cells(text[: words.start()])
                parts.append(_words(words.group(), style, left, number))
            column += cells(text)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _words(text: str, style: Style | None, column: int, row: int) -> str:
    look = ""
    colour = style.color.number if style and style.color else None
    fill = COLOURS[(colour or 0) % 8] or (FAINT if style and style.dim else "")
    if fill:
        look += f' fill="{fill}"'
    if style and style.bold:
        look += ' font-weight="bold"'
    x, y = MARGIN + column * WIDE, HEAD + (row + 0.8) * HIGH
    length = cells(text) * WIDE
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" '
        f'lengthAdjust="spacingAndGlyphs"{look}>{escape(text)}</text>'
    )


if __name__ == "__main__":
    sys.exit(main())

"""The pictures of tutorial 3, made from its own files: ``python -m docs.make_snapshot_pictures``.

``docs/pictures/snapshot_stale.svg`` and ``snapshot_changed.svg`` are what `treec snapshot` prints
after each edit of the page. With ``--check`` it says which are stale and ends with status 1.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from rich.text import Text

from docs.make_pictures import PICTURES, ROOT, console, svg

PAGE = ROOT / "docs/tutorial/04-test-a-decision.md"
PARTS = ("trees", "prompts", "skills", "envs", "treec.toml")
COMMAND = "treec snapshot Tea_Break"
_FILE = re.compile(r"^<!-- file: (\S+\.decision\.yaml) -->\n```yaml\n(.*?)^```$", re.M | re.S)


def pictures() -> dict[str, str]:
    """The names of the pictures and their text."""
    first, edited, ruled = _FILE.findall(PAGE.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        root.mkdir()
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, root / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, root / part)
        _write(root, first)
        terminal_text(root, record=True)
        _write(root, edited)
        stale = terminal_text(root)
        terminal_text(root, record=True)
        _write(root, ruled)
        return {
            "snapshot_stale.svg": draw_terminal(stale),
            "snapshot_changed.svg": draw_terminal(terminal_text(root)),
        }


def _write(root: Path, file: tuple[str, str]) -> None:
    (root / file[0]).write_text(file[1], "utf-8")


def terminal_text(root: Path, *, record: bool = False) -> str:
    """What the command prints of the tutorial's node, in a terminal's colours."""
    from treec.files.library import load_library
    from treec_testing.cli.snapshot import colorize, summary
    from treec_testing.decisions.case_files import select_cases
    from treec_testing.decisions.record_case import record as ask
    from treec_testing.decisions.request_queue import run_sync
    from treec_testing.decisions.snapshot import Snapshot

    snapshot = Snapshot.open(load_library(root))
    chosen = select_cases(snapshot.cases, ["Tea_Break"])
    for case in chosen if record else ():
        snapshot.save(case.id, run_sync(ask(case, None)))
    tally = snapshot.judge(chosen, unused=False)
    return "\n".join([*map(colorize, tally.lines()), summary(tally)])


def draw_terminal(text: str) -> str:
    """A picture of a terminal with the command and what it printed."""
    shown = Text.assemble((f"$ {COMMAND}\n", "bold"), Text.from_ansi(text), no_wrap=True)
    terminal = console()
    rows = terminal.render_lines(shown, terminal.options.update(width=240), pad=False)
    return svg(rows, COMMAND)


def main(argv: list[str]) -> int:
    """Write or check."""
    made = pictures()
    old = {name: PICTURES / name for name in made}
    stale = [n for n, p in old.items() if not p.is_file() or p.read_text("utf-8") != made[n]]
    if "--check" not in argv:
        for name in stale:
            old[name].write_text(made[name], "utf-8")
    elif stale:
        print(f"stale: {', '.join(stale)}: run 'python docs/make_snapshot_pictures.py'")
        return 1
    print(f"written: {', '.join(stale)}" if stale else "nothing has changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

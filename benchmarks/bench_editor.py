"""How long an editor waits: for the check after an edit, for completions, for a renaming."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec_editor.completion import complete
from treec_editor.rename import declarations_at, uses_of
from treec_editor.session import EditorSession

WAREHOUSE = ROOT / "engine/treec/templates/warehouse"
PLACES = (
    ("warehouse", WAREHOUSE, "prompts/dispatch.decision.yaml", "when: sugg", "\n  Stop_R"),
    ("treec's own", ROOT, "prompts/mosaic/execution.decision.yaml", "when: ", "decision: Exec"),
)
"""A library, one of its files, a place where an expression is written, and a declared name."""


def run(small: bool) -> list[Table]:
    """Edits of one decision of the warehouse, and of one of the shipped library."""
    rows = [_row(*place, times=2 if small else 15) for place in PLACES[: 1 if small else 2]]
    return [
        Table(
            "What an editor waits for",
            (
                "library",
                "files",
                "first check, ms",
                "check after an edit, ms",
                "completion, ms",
                "references, ms",
            ),
            rows,
            (
                "Medians, in one process, as `treec lsp` does it; the server waits another 150 ms "
                "after the last key. An edit adds a comment to a decision: its systems are judged "
                "again, the others are not.",
            ),
        )
    ]


def _row(
    name: str, root: Path, path: str, expression: str, declared: str, times: int
) -> tuple[Cell, ...]:
    session = EditorSession(root)
    first = _median(session.check, 1)
    text = session.library.sources[path].text
    numbers = count()

    def edit() -> None:
        session.edit(path, f"{text}\n# {next(numbers)}\n")
        session.check_reached()

    def whole() -> None:
        session.edit(path, f"{text}\n# {next(numbers)}\n")
        session.check()

    def completion() -> None:
        session.edit(path, f"{text}\n# {next(numbers)}\n")
        complete(session.library, path, text.index(expression) + len(expression))

    def references() -> None:
        library = session.library
        for one in declarations_at(library, path, text.index(declared) + len(declared)):
            uses_of(library, one, session.check_with)

    edits, completions = _median(edit, times), _median(completion, times)
    found = len(session.library.sources)
    return name, found, first, edits, completions, _median(references, max(times // 5, 1))


def _median(do: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        do()
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)

"""What an editor waits for: CPU time of checks after edits, of completions, of references."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.lsp_client import MeasuredServer
from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.library import library_files
from treec_editor.completion import complete
from treec_editor.layout import formatted
from treec_editor.rename import declarations_at, uses_of
from treec_editor.session import EditorSession

WAREHOUSE = ROOT / "engine/treec/templates/warehouse"
OWN = "treec's own"
PLACES = (
    ("warehouse", WAREHOUSE, "prompts/dispatch.decision.yaml", "when: sugg", "\n  Stop_R"),
    (OWN, ROOT, "prompts/mosaic/execution.decision.yaml", "when: ", "decision: Exec"),
    (OWN, ROOT, "prompts/shared/kitchen_talk.reading.yaml", "acts:", "reading: Kit"),
    (OWN, ROOT, "envs/kitchen/team_kitchen.domain.yaml", "facts:", "\n  home"),
)
"""A library, one of its files, a place where something is written, and a declared name."""


def run(small: bool) -> list[Table]:
    """Edits of files of the warehouse, and of the shipped library; servers by the protocol."""
    rows = [_row(*place, times=2 if small else 15) for place in PLACES[: 1 if small else 4]]
    servers = [_server(*server, times=2 if small else 15) for server in _servers()]
    return [
        Table(
            "What an editor waits for",
            (
                "library",
                "files",
                "edited",
                "first check, ms",
                "after an edit, ms",
                "the whole then, ms",
                "completion, ms",
                "references, ms",
            ),
            rows,
            (
                "Medians of CPU time in one process, as `treec lsp` does it; later rows of a "
                "library are checked with its files already read. An edit adds a comment; 150 ms "
                "after the last key what it reaches is judged, the whole after another second "
                "without one.",
            ),
        ),
        Table(
            "Servers by the protocol",
            ("server", "start and first problems, ms", "an edit, ms", "memory, MB"),
            servers,
            (
                "CPU time of the server's process until problems are published, for "
                "`prompts/mosaic/execution.decision.yaml` of treec's own library. "
                "yaml-language-server judges this one file by its JSON schema; treec the library.",
            ),
        ),
        Table(
            "Round trip of whole files by ruamel.yaml",
            ("library", "files", "the same to the byte", "changed", "left alone"),
            [_round_trips(*place[:2]) for place in PLACES[: 1 if small else 2]],
            (
                "At the indentation of these libraries; what would not keep data, comments or the "
                "width of lines is left alone.",
            ),
        ),
    ]


def _servers() -> list[tuple[str, list[str]]]:
    """The commands of servers: treec's, and yaml-language-server where it is installed."""
    found = [("treec lsp", [sys.executable, "-m", "treec", "lsp"])]
    other = os.environ.get("YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")
    return [*found, ("yaml-language-server", [other, "--stdio"])] if other else found


def _server(name: str, command: list[str], times: int) -> tuple[Cell, ...]:
    path = ROOT / PLACES[1][2]
    text = path.read_text("utf-8")
    schemas = {
        str(schema): f"**/*.{schema.name.split('.')[0]}.yaml"
        for schema in (ROOT / ".treec/schemas").glob("*.schema.json")
    }
    server = MeasuredServer(command, ROOT, {"yaml": {"schemas": schemas, "validate": True}})
    try:
        server.open(path, text)
        first = 1000 * server.cpu
        edits = [1000 * server.edit(f"{text}\n# {number}\n") for number in range(times)]
        return name, first, statistics.median(edits), server.peak
    finally:
        server.close()


def _round_trips(name: str, root: Path) -> tuple[Cell, ...]:
    files = [it for it in library_files(root) if it.suffix == ".yaml"]
    texts = [it.read_bytes().decode("utf-8") for it in files]
    after = [formatted(text) for text in texts]
    same = sum(new == text for new, text in zip(after, texts, strict=True))
    left = after.count(None)
    return name, len(files), same, len(files) - same - left, left


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

    edits, wholes = _median(edit, times), _median(whole, max(times // 3, 1))
    completions = _median(completion, times)
    found = len(session.library.sources)
    kind = path.rsplit(".", 2)[-2]
    uses = _median(references, max(times // 5, 1))
    return name, found, kind, first, edits, wholes, completions, uses


def _median(do: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        begun = time.process_time()
        do()
        taken.append(1000 * (time.process_time() - begun))
    return statistics.median(taken)

"""Memory that is nowhere, or a program or reading that no installed package runs.

`from` of a prompt's `memory` names memories that runs make, or YAML files of pairs, which stand
beside the file that names them. Programs that a model writes are of a package of their own: without
it, a program file has the steps of a task and no `instructions`. So are readings.

Wrong, where the file is `first_programs.yaml`:

    memory: {from: [memory.db, frist_programs.yaml], key: dialogue}

Right:

    memory: {from: [memory.db, first_programs.yaml], key: dialogue}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.companions import missing_help
from treec.files.entry import AnyEntry
from treec.files.prompts import ProgramFile, Prompt
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC534"
_PAIRS = (".yaml", ".yml")
_WRITTEN = ("instructions", "examples", "objects", "memory", "correction")
"""Keys of program files whose programs are more than the steps of a task."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report YAML files of pairs that do not exist, and what a missing package would bring."""
    for entry in view.own:
        if isinstance(entry.model, ProgramFile):
            yield from _check_program(entry)
        if (help := missing_help("asks", entry.kind)) is not None and entry.kind == "reading":
            span, message = entry.span("reading", key=True), "words cannot be read here"
            yield Diagnostic(CODE, "error", span, message, help)
        memory = entry.model.memory if isinstance(entry.model, Prompt) else None
        if memory is None:
            continue
        if (help := missing_help("memories", "pairs")) is not None:
            span = entry.span("memory", key=True)
            yield Diagnostic(CODE, "error", span, "memories cannot be opened here", help)
        for index, name in enumerate(memory.sources):
            path = view.library.file_beside(entry, name)
            listed = () if isinstance(memory.from_, str) else (index,)
            span = entry.span("memory", "from", *listed)
            if view.library.leads_out(path):
                message = f"'{name}' leads out of the library"
                yield Diagnostic(CODE, "error", span, message, "put the file into the library")
                continue
            if not name.endswith(_PAIRS) or path.is_file():
                continue
            there = [file.name for file in path.parent.glob("*.yaml")]
            help = suggest(path.name, there) or "a YAML file of pairs, or a .db"
            message = f"no file '{name}' beside this one"
            yield Diagnostic(CODE, "error", span, message, help)


def _check_program(entry: AnyEntry) -> Iterator[Diagnostic]:
    for key in _WRITTEN:
        if getattr(entry.model, key) and (help := missing_help("asks", "program")) is not None:
            message = "programs cannot be written here, only steps be run"
            yield Diagnostic(CODE, "error", entry.span(key, key=True), message, help)
            return

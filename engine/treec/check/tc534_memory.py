"""Memory that is nowhere.

`from` of a prompt's `memory` names memories that runs make, or YAML files of pairs, which stand
beside the file that names them.

Wrong, where the file is `first_programs.yaml`:

    memory: {from: [memory.db, frist_programs.yaml], key: dialogue}

Right:

    memory: {from: [memory.db, first_programs.yaml], key: dialogue}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries_to_check
from treec.companions import missing_help
from treec.files.prompts import Prompt
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC534"
_PAIRS = (".yaml", ".yml")


def check(view: View) -> Iterator[Diagnostic]:
    """Report YAML files of pairs that do not exist."""
    for entry in entries_to_check(view):
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

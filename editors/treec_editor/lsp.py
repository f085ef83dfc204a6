"""``treec lsp``: the language server, for editors."""

from __future__ import annotations


def command() -> int:
    """Serve editors by the Language Server Protocol.

    Problems while one types, corrections, completion, descriptions, definitions, references and
    renaming (docs/editors.md). An editor starts it, and talks to it on standard input and output.
    """
    from treec_editor.features import make_server

    return make_server().serve()

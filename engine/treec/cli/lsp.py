"""``treec lsp``: the language server, for editors."""

from __future__ import annotations

from importlib.util import find_spec

from treec.cli.common import Stop


def command() -> int:
    """Serve editors by the Language Server Protocol.

    Problems while one types, corrections, completion, descriptions, definitions, references and
    renaming (docs/editors.md). An editor starts it, and talks to it on standard input and output;
    it needs the extra `lsp`.
    """
    if find_spec("pygls") is None:
        raise Stop("the language server needs the extra 'lsp': pip install 'treec[lsp]'")
    from treec.editor.server import make_server

    make_server().start_io()
    return 0

"""The extension of the language server: its command."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="editor",
    commands={
        "lsp": Command(
            "treec_editor.lsp:command", "Serve editors by the Language Server Protocol.", "Core"
        ),
    },
)

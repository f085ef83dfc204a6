"""The extension for who writes files: servers of editors and agents, files from skeletons."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="editor",
    tools={"reference": "treec_editor.reference:explain"},
    commands={
        "new": Command("treec_editor.new:command", "Write a new file from a skeleton.", "Core"),
        "lsp": Command(
            "treec_editor.lsp:command", "Serve editors by the Language Server Protocol.", "Core"
        ),
        "rename": Command(
            "treec_editor.rename_command:command", "Rename what a library declares.", "Core"
        ),
        "watch": Command(
            "treec_editor.watch:command",
            "Check a library now and after every save, until Ctrl-C.",
            "Core",
        ),
        "mcp": Command(
            "treec_editor.mcp:command", "Serve agents by the Model Context Protocol.", "Core"
        ),
    },
)

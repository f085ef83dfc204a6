"""The extension of the page of runs: its command."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="serve",
    commands={
        "serve": Command(
            "treec_serve.command:command",
            "Open a page that shows runs, and talks to one.",
            "Core",
        ),
    },
)

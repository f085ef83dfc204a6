"""The extension of proofs: a command."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="prove",
    tools={"script": "treec_prove.script:script"},
    commands={
        "prove": Command(
            "treec_prove.cli.prove:command",
            "Explore all that can happen to a system, and prove what must hold.",
            "Core",
        ),
    },
)

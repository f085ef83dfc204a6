"""The extension of the scripted model: its command."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="fake_model",
    commands={
        "fake-model": Command(
            "treec_fake_model.command:command",
            "Serve a scripted model on this machine until Ctrl-C.",
            "Models",
        ),
    },
)

"""The extension of models: what opens those of every provider."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="models",
    models={"any": "treec_models.models:open_model"},
    commands={
        "cost": Command(
            "treec_models.cost:command",
            "Estimate what a model would be asked in a system's scenarios.",
            "Models",
        )
    },
)

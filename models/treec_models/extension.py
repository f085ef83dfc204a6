"""The extension of models: what opens those of every provider."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(name="models", models={"any": "treec_models.models:open_model"})

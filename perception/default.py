"""The localizer of libraries that have none: MOSAIC's stages with treec's small weights."""

from __future__ import annotations

from treec.perception.files import LocalizerFile

DEFAULT = LocalizerFile.model_validate(
    {
        "localizer": "default",
        "about": "MOSAIC's stages with treec's small weights.",
        "stages": [
            {"detect": {}},
            {"suppress": {}},
            {"score_crops": {}},
            {"segment": {}},
            {"back_project": {}},
            {"centre": {}},
        ],
    }
)

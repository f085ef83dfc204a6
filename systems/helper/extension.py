"""What HELPER adds to treec."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(
    name="helper",
    commands={
        "evaluate household": "treec.systems.helper.cli.evaluate_household:command",
        "evaluate retrieval": "treec.systems.helper.cli.evaluate_retrieval:command",
    },
)

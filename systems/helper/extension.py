"""What HELPER adds to treec."""

from __future__ import annotations

from treec.extensions import Extension, Function

EXTENSION = Extension(
    name="helper",
    functions=(
        Function(
            "adapted_program",
            "treec.systems.helper.functions:adapted_program",
            ("dialogue", "recalled"),
            "text",
            "The program of the nearest memory, changed as a dialogue says.",
        ),
        Function(
            "joined_program",
            "treec.systems.helper.functions:joined_program",
            ("before", "after"),
            "text",
            "A program and its correction as one; a correction that repeats it stands for both.",
        ),
        Function(
            "corrective_program",
            "treec.systems.helper.functions:corrective_program",
            ("recalled",),
            "text",
            "The program that corrected the nearest failure; 'do_nothing()' if none is like it.",
        ),
    ),
    actions={"undertake": "treec.systems.helper.actions:undertake"},
    commands={
        "evaluate household": "treec.systems.helper.cli.evaluate_household:command",
        "evaluate personalization": "treec.systems.helper.cli.evaluate_personalization:command",
        "evaluate retrieval": "treec.systems.helper.cli.evaluate_retrieval:command",
    },
)

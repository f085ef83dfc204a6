"""What MOSAIC adds to treec."""

from __future__ import annotations

from treec.extensions import Extension, Function, Kind

EXTENSION = Extension(
    name="mosaic",
    kinds=(
        Kind(
            "outline",
            "treec.systems.mosaic.files:OutlineFile",
            order=75,
            asks="treec.systems.mosaic.recipes.outline:Outline",
        ),
    ),
    pages=("treec.systems.mosaic.recipes.list_rules",),
    functions=(
        Function(
            "fitting",
            "treec.systems.mosaic.functions:fitting_recipes",
            ("said",),
            "list of Recipe",
            "Recipes that fit what was said, best first; refused ones left out.",
        ),
        Function(
            "wishes",
            "treec.systems.mosaic.functions:wishes_for_some",
            ("words",),
            "bool",
            "Whether words wish for something that a recipe has.",
        ),
        Function(
            "unknown_dish",
            "treec.systems.mosaic.functions:dish_unknown",
            ("words", "plain"),
            "text",
            "The dish in words that no recipe makes; '' for none.",
            optional=1,
        ),
        Function(
            "nearly_said",
            "treec.systems.mosaic.functions:said_nearly",
            ("words", "word"),
            "bool",
            "Whether one of the words may be that one, heard or typed wrong.",
        ),
        Function(
            "unbacked",
            "treec.systems.mosaic.claims:unbacked",
            ("message", "answer"),
            "list of any",
            "Claims in words that are not so, nor made so by actions.",
        ),
    ),
    commands={
        "evaluate planner": "treec.systems.mosaic.evaluate.command:command",
        "recipe import": "treec.systems.mosaic.recipes.command:command",
    },
)

"""MOSAIC's extension: kinds of files, expression functions and commands."""

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
            "treec.systems.mosaic.functions:find_recipes",
            ("said",),
            "list of Recipe",
            "Recipes that fit what was said, best first, without refused ones.",
        ),
        Function(
            "wishes",
            "treec.systems.mosaic.functions:has_wish",
            ("words",),
            "bool",
            "Whether words wish for something that a recipe has.",
        ),
        Function(
            "unknown_dish",
            "treec.systems.mosaic.functions:find_unknown_dish",
            ("words", "plain"),
            "text",
            "The dish in words that no recipe makes; '' for none.",
            optional=1,
        ),
        Function(
            "nearly_said",
            "treec.systems.mosaic.functions:contains_typo_of",
            ("words", "word"),
            "bool",
            "Whether one of the words may be that word, misheard or mistyped.",
        ),
        Function(
            "unbacked",
            "treec.systems.mosaic.claims:unbacked",
            ("message", "answer"),
            "list of any",
            "Claims in a message that neither the world nor the actions support.",
        ),
    ),
    commands={
        "evaluate planner": "treec.systems.mosaic.evaluate.command:command",
        "recipe import": "treec.systems.mosaic.recipes.command:command",
    },
)

"""MOSAIC's extension: plan forms, rules, expression functions and commands."""

from __future__ import annotations

from treec.extensions import Command, Extension, Function, PlanForm, Rules, StatementKind

EXTENSION = Extension(
    name="mosaic",
    plans=(
        PlanForm(
            "outline",
            "treec_mosaic.files:OutlinePlan",
            "treec_mosaic.recipes.outline:Outline",
            order=40,
            was="outline",
            by_command=True,
        ),
    ),
    rules=(Rules("treec_mosaic.check", ("recipe",)),),
    pages=("treec_mosaic.recipes.list_rules",),
    functions=(
        Function(
            "find_recipes",
            "treec_mosaic.functions:find_recipes",
            ("words",),
            "list of Recipe",
            "Recipes that fit words, best first, without refused ones.",
        ),
        Function(
            "other_dishes",
            "treec_mosaic.functions:other_dishes",
            ("chat", "recipe"),
            "list of Recipe",
            "Recipes that a person's last words fit as well as the one that they chose.",
        ),
        Function(
            "has_wish",
            "treec_mosaic.functions:has_wish",
            ("words",),
            "bool",
            "Whether words wish for something that a recipe has.",
        ),
        Function(
            "unknown_dish",
            "treec_mosaic.functions:find_unknown_dish",
            ("words", "plain"),
            "text",
            "The dish in words that no recipe makes; '' for none.",
            optional=1,
        ),
        Function(
            "serves_in",
            "treec_mosaic.functions:serves_in",
            ("words",),
            "integer or none",
            "For how many words want a dish: 6 in 'for six of us'.",
        ),
        Function(
            "contains_typo_of",
            "treec_mosaic.functions:contains_typo_of",
            ("words", "word"),
            "bool",
            "Whether one of the words may be that word, misheard or mistyped.",
        ),
    ),
    statements=(
        StatementKind(
            "meal_ready",
            "treec_mosaic.statements:meal_ready",
            "The {{ recipe }} is ready. Enjoy your meal!",
            about="all of the recipe's work is done",
            of="Item",
        ),
        StatementKind(
            "made_of",
            "treec_mosaic.statements:made_of",
            "{{ name }} is made of: {{ items }}.",
            ("name",),
            about="says what a recipe needs",
            of="Item",
        ),
        StatementKind(
            "or_rather",
            "treec_mosaic.statements:or_rather",
            "Shall we go on with the {{ recipe }}, or would you rather have {{ choices }}?",
            ("names",),
            about="offers other recipes than the chosen one",
            of="Item",
        ),
        StatementKind(
            "what_to_eat",
            "treec_mosaic.statements:what_to_eat",
            "What would you like to eat?",
            of="Item",
        ),
    ),
    tools={
        "recipe_words": "treec_mosaic.portions:spoken_words",
        "recipe_plan": "treec_mosaic.recipes.schedule:plan_of",
    },
    commands={
        "recipe": Command("", "Show and import recipes.", "Core"),
        "recipe import": "treec_mosaic.recipes.command:command",
        "recipe show": "treec_mosaic.recipes.show:show",
    },
)

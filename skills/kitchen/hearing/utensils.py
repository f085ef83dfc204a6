"""Common kitchen things, whether the scene has them or not."""

from __future__ import annotations

from treec.skills.kitchen.hearing.words import word_set

UTENSILS = word_set(
    "plate plates towel towels tongs knife fork whisk cup cups mug glass tray napkin napkins apron "
    "colander sieve strainer spatula board grater peeler pan lid oven mitt cloth rag sponge jar "
    "bottle opener corkscrew scissors tray jug measuring rolling pin foil ladle dish bowls plates "
    "sugar flour butter milk eggs egg cheese garlic oil vinegar bread rice pasta "
    "water parsley basil beer wine juice ice coffee tea saucer saucers straw straws tablecloth "
    "chives croutons parmesan lemon lime honey mustard carrots potatoes mushrooms cucumber olives "
    "herbs cinnamon nuts paprika oregano thyme spices kettle scale timer spoons forks knives"
)
"""Common kitchen things, whether the scene has them or not."""


def utensil(word: str) -> str:
    """The singular of a common kitchen thing: "plates" are requested as "plate"."""
    for ending in ("s", "es"):
        one = word.removesuffix(ending)
        if one != word and one in UTENSILS:
            return one
    return word

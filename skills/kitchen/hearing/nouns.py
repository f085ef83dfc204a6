"""Words of noun phrases: modifiers of a thing, and its relative clauses."""

from __future__ import annotations

from treec.skills.kitchen.hearing.words import word_set

OTHER_SORT = word_set("ice skin shaving sun face foot eye body bath epsom road hand cold night")
"""Modifiers that make "cream" and the like something inedible."""
VESSELS = word_set("bowl bowls spoon spoons pot pots ladle")
"""Vessels and tools that a modifier may precede: "soup bowl"."""
SORTS_OF_TOOL = word_set(
    "tea kitchen dish paper dessert dinner side serving soup salad wine coffee mixing cutting "
    "chopping bread butter hand wooden soup breakfast beer fish steak garlic cheese carving sugar"
)
"""Modifiers that name the purpose of a tool: "tea towel"."""
OWNED = word_set("the my our your his her their this that these those")
"""Definite determiners."""
PORTION = word_set("more extra pinch dash touch splash drop handful sprinkle drizzle bit little")
"""Words for a small amount."""
WANTED = word_set(
    "asked ordered mentioned requested wanted needed talked spoke told said need want suggested "
    "proposed suggest propose listed recommended recommend planned"
)
"""Predicates of a relative clause about a requested thing."""
LYING = word_set("left over leftover remaining there here standing lying sitting spare waiting")
"""Predicates of a relative clause about a thing that is there."""

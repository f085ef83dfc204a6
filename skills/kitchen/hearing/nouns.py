"""Words of noun phrases: what may stand before a thing, or in the clause behind it."""

from __future__ import annotations

from treec.skills.kitchen.hearing.words import word_set

OTHER_SORT = word_set("ice skin shaving sun face foot eye body bath epsom road hand cold night")
"""Words before "cream" and the like that make it no food."""
VESSELS = word_set("bowl bowls spoon spoons pot pots ladle")
"""Vessels and tools of the scene that a sort may be said of: "soup bowl"."""
SORTS_OF_TOOL = word_set(
    "tea kitchen dish paper dessert dinner side serving soup salad wine coffee mixing cutting "
    "chopping bread butter hand wooden soup breakfast beer fish steak garlic cheese carving sugar"
)
"""Words before a tool that say for what it is: "tea towel"."""
OWNED = word_set("the my our your his her their this that these those")
"""Words before a noun that say that it is known already."""
PORTION = word_set("more extra pinch dash touch splash drop handful sprinkle drizzle bit little")
"""Words of a little of something."""
WANTED = word_set(
    "asked ordered mentioned requested wanted needed talked spoke told said need want suggested "
    "proposed suggest propose listed recommended recommend planned"
)
"""What a relative clause says of a thing that is asked for."""
LYING = word_set("left over leftover remaining there here standing lying sitting spare waiting")
"""What a relative clause says of a thing that is there."""

"""Dishes that are not in the list, recognized by the wording of a wish: "let's make baklava"."""

from __future__ import annotations

import re

from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.common import COMMON
from treec.skills.kitchen.hearing.dishes import DISHES, MEALS, MOODS
from treec.skills.kitchen.hearing.words import word_set

_COOKING = re.compile(
    r"(?:let's |(?:I|WE) (?:want|would_like|would_love|would love|feel_like|need|"
    r"am going|are going)"
    r" (?:to )?|(?:can|could|shall|should|may) (?:not )?(?:WE|YOU|I) |"
    r"WE (?:could|should|can|shall|will) |do YOU know how to |I (?:will|could|can) |how about |"
    r"what about |I feel_like |I am craving )(?:try )?"
    r"(?P<how>make|cook|bake|prepare|whip_up|fix|making|cooking|baking|cook_up) (?P<what>.+)"
)
_SOME = re.compile(
    r"(?:I|WE) (?:would_love|would_like|fancy|am_craving|crave|could_eat|want) some "
)
_OFFERING = re.compile(r"(?:how about|what about|how_about|what_about) (?:DET )?(?P<what>.+)")
_RECIPE = re.compile(r".*\brecipe for (?:DET )?(?P<what>.+)")
_SMALL = word_set("DET of with and in la a l al el de le en tonight W some ADJ IT")
_IDIOMS = word_set(
    "start move noise hay sure sense deal plan mess peace time room way list love money fun "
    "difference phone call fuss mistake toast changes change progress friends do note point "
    "use effort tea coffee break pause it work bed history memories video photo"
)


def is_dish_wish(clause: Clause) -> bool:
    """Whether a clause wishes for an unlisted dish."""
    if any(c.kind in ("O", "A", "R", "not", "no", "THEY") for c in clause.core):
        return False
    line = clause.line
    words = [w for c in clause.core if c.kind == "W" for w in c.key.split()]
    cooking = _COOKING.fullmatch(line)
    if cooking is not None:
        what = set(cooking["what"].split())
        return bool(words) and len(words) <= 4 and not what & _IDIOMS and _may_name_dish(words[-4:])
    if _RECIPE.fullmatch(line):
        return words[-1:] != ["recipe"]
    suggestion = _OFFERING.fullmatch(line)
    if suggestion is not None:
        return bool(words) and len(words) <= 3 and _is_unusual(words, clause)
    if " some " in f" {clause.words} " and len(words) <= 3:
        return (
            any(c.of("WANT") for c in clause.core)
            and clause.core[0].kind in ("I", "WE")
            and (_is_unusual(words, clause))
        )
    return clause.asks and len(clause.core) <= 2 and len(words) == 1 and words[0] in DISHES


def _may_name_dish(words: list[str]) -> bool:
    """Whether words may name a dish: not only moods and meals."""
    return any(w not in MOODS and w not in MEALS and w not in _SMALL for w in words)


def _is_unusual(words: list[str], clause: Clause) -> bool:
    """Whether words are uncommon enough to name a dish."""
    others = [c.key for c in clause.core if c.kind == "V" and not c.of("WANT")]
    return (
        bool(words)
        and not others
        and all(w in DISHES or w in MOODS or (w not in COMMON and w not in _IDIOMS) for w in words)
    )

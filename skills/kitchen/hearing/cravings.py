"""Indirect wishes for a dish: "I could demolish some tacos", "soup weather".

Only read while no dish is chosen. The patterns match lines of codes, in which `DISH` stands for
the dish. Dishes that were eaten, or that are only mentioned, are not wished for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.appraisal import BAD
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.dishes import DISHES
from treec.skills.kitchen.hearing.words import word_set

_FILL = (
    r"(?:(?:just|right|easily|so|really|absolutely|honestly|definitely|totally|W|DET|about|now) )*"
)
_DEVOUR = (
    r"(?:demolish|inhale|devour|wolf|wolf_down|scoff|polish|polish_off|gobble|gobble_up|guzzle|"
    r"slurp|murder|destroy|smash|sink|down|manage|go|eat|put|face|stomach|handle|bite|dive|tuck|"
    r"kill|do|handle|sell|give)"
)
_LONG = (
    r"(?:begging|asking|nagging|screaming|crying|shouting|clamouring|clamoring|pleading|pestering|"
    r"moaning|praying|longing|dying|gasping|desperate|starving|itching|jonesing|hankering|pining|"
    r"salivating|drooling|hungry|hungering|aching|yearning|bursting|dreaming|thinking|wishing|"
    r"hoping|watering|rumbling|growling|ready|crazy|mad|craving|set|stuck|hooked|keen|out|on)"
)
_STATE = r"(?:(?:am|is|are|have|has|'s|been|keep|keeps|always|still|all|so|really|here) )*"
_SMALL = r"(?:(?:I|WE|off|down|into|for|of|about|on|over|up|through|away|with|to|some|out) )*"
_PORTION = r"(?:(?:DET|plate|bowl|pile|mountain|of|O|whole|big|ADJ|bucket|stack|dish|W) )*"
_WAYS = (
    rf"(?:W |think |reckon )?(?:I|WE) (?:could|can|would|will) {_FILL}{_DEVOUR} {_SMALL}{_PORTION}"
    r"DISH .*",
    rf"(?:I|WE|my \w+|DET \w+|OTHERS) {_STATE}{_FILL}{_LONG} {_SMALL}{_FILL}{_PORTION}DISH .*",
    rf"(?:all|what|the_only_thing|DET thing|all that)(?: \w+)? (?:I|WE) .* is {_PORTION}DISH ",
    r"(?:DET |IT |O )*DISH is (?:what|fine|all|the_thing) .*",
    r"(?:IT )?(?:is|feels|W|'s|feels_like) (?:like |a |DET |W )*DISH (?:\w+ )*"
    r"(?:day|night|weather|evening|season|time|sort|morning)[ ]",
    rf"(?:DET |W )*(?:day|night|weather|evening|mood) (?:\w+ )*(?:for|of) {_PORTION}DISH ",
    r"(?:DET )?DISH (?:is|are|has|have|'s) (?:been )?(?:calling|on my mind|W my name|in order|"
    r"the answer|the way|the plan|the one).*",
)
_FED_UP = re.compile(
    r"\b(?:sick of|sick and tired|tired of|fed up|bored|enough of|can not stand|allergic|"
    r"had my fill|going off|gone off|off (?:my|the)|over it|detest|loathe|despise|too much)\b"
)
DULL = word_set("boring dull gross disgusting yucky heavy fattening sickly greasy bland yuck")
"""Negative words about a dish."""
_TOLD = word_set(
    "yesterday was were had ate made cooked burnt burned smells smell tastes tasted always never "
    "hate hates usually recipe restaurant cafe once remember used without not no but"
)


def is_craving(clause: Clause, line: str) -> bool:
    """Whether a clause, in which `DISH` stands for its dish, expresses a wish for it."""
    if clause.asks or clause.has("TALE") or clause.has("DONE"):
        return False
    if _TOLD & set(clause.words.split()):
        return False
    return any(re.fullmatch(way, line) for way in _WAYS)


def fed_up(clause: Clause) -> bool:
    """ "I'm sick of guacamole": names a dish that is not wanted."""
    return _FED_UP.search(clause.words) is not None


def is_praise(clause: Clause, word: str) -> bool:
    """ "Guacamole sounds ace": positive unless the word is a negative one."""
    keys = [c.key for c in clause.core]
    verbs = [i for i, key in enumerate(keys) if key in ("sounds", "looks")]
    return bool(verbs) and word in keys[verbs[0] :] and word not in BAD | DULL


def without_eaters(core: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """ "A sundae for the birthday girl": the dish without the beneficiary."""
    cut = next((i for i, c in enumerate(core) if c.kind == "for" and i), len(core))
    has_recipe = any(c.recipe for c in core[:cut])
    other = any(c.recipe or c.key in DISHES or c.kind in ("O", "V") for c in core[cut:])
    return tuple(core) if other or not has_recipe else tuple(core[:cut])


def anything_goes(keys: set[str], clause: Clause) -> bool:
    """ "Anything is fine", "whatever you like"."""
    return bool(keys & {"anything", "whatever"}) and len(clause.core) <= 5

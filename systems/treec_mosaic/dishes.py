"""Find dishes without a recipe in what a person says: 'Do you know how to make gnocchi?'

The words after a request are a dish unless they are a mood ("something light"), a kind or
ingredient that the recipes have ("a salad", "tomatoes"), or no food ("an idea"). The result only
lets the system say that it has no such recipe.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from treec.team.knowledge import Knowledge
from treec_mosaic.recipe_search import profiles, stems

LONGEST = 5
"""Maximum number of words in a dish's name."""

_COOK = r"(?:make|cook|prepare|bake|do|have|eat|try|fix|fry|roast|grill|cooking|making|having)"
_HOW = r"(?:please |maybe |perhaps |just |also |all |really |rather |so |totally |always )*"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:let'?s|let us|can|could|shall|should|may|might|will) (?:we |i |you )?"
        rf"{_HOW}{_COOK} ",
        rf"\b(?:to|gonna|wanna) {_HOW}{_COOK} ",
        rf"\b(?:i|we|i'd|we'd|i'm|i'll|we'll|i am|i would|we would|i could|we could) {_HOW}"
        r"(?:love|like|want|fancy|crave|craving|prefer|need|go for|take|murder|kill for) ",
        r"\b(?:how about|what about|mood for|recipes? for|hungry for|feel like|feeling like|"
        r"thinking of|thinking about|thought of|craving|appetite for|instructions for) ",
        r"\bdo you (?:know|have|make|do) ",
        r"\b(?:have you|you) got ",
    )
)
_BEFORE = re.compile(
    r"^(?:(?:some|a|an|the|any|my|our|us|me|maybe|perhaps|please|of|for|having|making|cooking|"
    r"eating|bit|plate|bowl|portion|kind|sort|type|good|nice|proper|real|little|big|small|lovely|"
    r"fresh|delicious|tasty|classic|traditional|simple|quick|easy|typical|homemade)\s+)+"
)
_AFTER = re.compile(
    r"(?:\s+(?:tonight|today|tomorrow|please|then|instead|now|together|again|too|maybe|this "
    r"evening|this time|if (?:possible|you can|we can|you like)|for (?:dinner|lunch|supper|"
    r"breakfast|dessert|tea|a change|me|us|the kids|everybody|everyone|once|my \w+)|with you|"
    r"right now|or so|or something|though|some ?time|at all|here))+$"
)
_CUT = re.compile(r"\s+(?:because|but|since|so|if|when|that|which|like my|and (?:then|you|i|we))\b")
_NO_DISH = frozenset(
    re.findall(
        r"[\w']+",
        "a an i you he she it its this these those what which who whom whose something "
        "anything everything nothing someone somebody anybody to is are be was were been do "
        "does did don't not no how where when why there here we they them us one ones dish "
        "dishes meal meals food foods recipe recipes eat cook help start idea ideas "
        "suggestion suggestions else other others another more time kitchen robot robots hand "
        "hands question yes ok okay sure sorry thanks hello hi hey can could would should "
        "will go going get know think see stop wait talk listen choose pick decide rather "
        "same usual thing things stuff bite snack dinner lunch supper breakfast dessert drink "
        "all both most with without that neither none nope nah first second third last former "
        "latter tonight today tomorrow morning noon afternoon evening night weekend monday "
        "tuesday wednesday thursday friday saturday sunday",
    )
)
_MOODS = frozenset(
    re.findall(
        r"[\w']+",
        "light lighter quick easy simple warm hot cold fresh healthy filling tasty delicious "
        "yummy spicy mild sweet savoury savory salty sour cheap fancy little large big small "
        "heavy hearty traditional homemade lovely great nice good new different special "
        "vegetarian vegan comforting cosy cozy creamy crunchy crispy italian asian mexican "
        "french indian chinese japanese greek thai festive summery wintery cheerful low fat "
        "carb high protein gluten free dairy",
    )
)


def unknown_dish(knowledge: Knowledge, words: str, plain: bool = False) -> str:
    """Return the dish that ``words`` ask for and no recipe makes, as written; '' if there is none.

    ``plain``: a bare name counts as a request, too.
    """
    names = {name.lower() for name in knowledge.recipes}
    vocabularies = [frozenset(profile.weights) for profile in profiles(knowledge)]
    for clause in re.split(r"[.!?;:,]+(?:\s+|$)|\s+[-–—]\s+", words.replace("’", "'")):
        text = " ".join(clause.split())
        for phrase in _requests(text, plain):
            dish = _trim(phrase)
            if _is_dish(dish.lower()) and not _has_recipe(dish.lower(), names, vocabularies):
                return dish
    return ""


def _requests(clause: str, plain: bool) -> Iterable[str]:
    """Yield the text after the last request phrase of a clause."""
    ends = [found.end() for asks in _ASKS for found in asks.finditer(clause.lower())]
    if ends:
        yield clause[max(ends) :]
    elif plain and len(clause.split()) <= LONGEST:
        yield clause


def _trim(phrase: str) -> str:
    text = phrase.strip(" '\"")
    cut = _CUT.search(text.lower())
    text = text[: cut.start()] if cut else text
    after = _AFTER.search(text.lower())
    text = text[: after.start()] if after else text
    before = _BEFORE.match(text.lower() + " ")
    return text[before.end() :].strip() if before else text


def _is_dish(name: str) -> bool:
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", name)
    return (
        0 < len(words) <= LONGEST
        and not _NO_DISH & set(words)
        and not set(words) - {"and"} <= _MOODS
        and not any(re.search(r"\d|\br\d", word) for word in name.split())
    )


def _has_recipe(name: str, names: Collection[str], vocabularies: Iterable[Collection[str]]) -> bool:
    """Whether a recipe has this name, or all words of it: 'tomato salad'."""
    stems_of_dish = {stem for stem in stems(name) if stem not in _MOODS}
    return (
        name in names
        or not stems_of_dish
        or any(stems_of_dish <= set(words) for words in vocabularies)
    )

"""Wishes to cook: the recipe that words name, wholly or in part, or none of the list.

A dish is named by any of its words that no other recipe has ("the fruit one", "Caesar"); a dish
that is not in the list, a mood and an ingredient choose none, so that somebody may ask back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine import TalkContext
from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_words import name_words, word_set

_SOFT = (
    r"(?:(?:please|also|maybe|actually|now|then|today|tonight|so|ok|yes|hey|rather|just|really|"
    r"everyone|i think|here|instead|better|should|again|hi|hello|well|no|yo|robots|guys|"
    r"(?:hi|hey|ok|hello) (?:guys|robots|everyone|team)) )*+"
)
_COOK = (
    r"(?:make|cook|prepare|have|do|try|start(?: with)?|switch(?: \S+)? to|change(?: \S+)? to|"
    r"go with|go for|eat|fix|throw together|making|cooking|having|doing|get started (?:on|with)|"
    r"pick|choose|take)"
)
_WISH = (
    rf"(?:(?:let's|help me|can you help me|could you help me|teach me how to|shall we|can we|"
    rf"could we|may we|how about we|why don't we|what if we) {_SOFT}{_COOK}|"
    rf"(?:i|we)(?: will| 'll| shall| should| could| can| 'd| would| am going to| 'm going to|"
    rf" 're going to)? "
    rf"{_SOFT}(?:{_COOK}|want|would like|like|fancy|need|wish(?: for)?|(?<=would )love|"
    rf"(?<='d )love|crave|vote for|feel like|"
    rf"murder|be delighted with|be happy with|want to|prefer|go for|settle for|choose|pick|select)"
    rf"(?: to)?(?: {_SOFT}{_COOK})?|"
    rf"(?:i|we)(?: am| 'm| are| 're) {_SOFT}(?:in the mood for|craving|thinking of|thinking|up for|"
    rf"dying for|making|cooking|having|doing)(?: {_COOK})?|"
    rf"(?:select|choose|pick|want|need|fancy|switch|switch(?: \S+)? to|change(?: \S+)? to|craving|"
    rf"make(?: me| us)?|cook(?: me| us)?|go for|how about|what about|i vote|time for|"
    rf"in the mood for|feel like|start(?: the recipe)?|begin|load|set recipe to|recipe))"
)
_WISHED = re.compile(rf"{_SOFT}{_WISH}(?: (?:today|tonight|now))? (?P<what>.+)")
_LIKED = re.compile(
    r"(?P<what>.+?) (?:would be (?:lovely|nice|great|good|perfect|wonderful|fine)|"
    r"it is|then|instead|please|sounds? (?:good|great|lovely|nice|perfect|delicious))"
)
_TAIL = re.compile(
    r"(?<!\S)(?:rather than|instead of|not (?=this|that|the|a|@)|because|since|before|as|"
    r"for (?!the)|"
    r"with (?:you|me)|today|tonight|instead|now|then|please|first|too|if).*$"
)
_NOT_A_WISH = re.compile(r"(?<!\S)(?:never|not|don't|didn't|won't|without|know|remember)(?!\S)")
_STOP_WORDS = word_set(
    "the a an some my our your this that those these of with and one ones recipe dish bowl "
    "plate pot big "
    "nice proper good bit little more to today tonight now please make made cook good old really "
    "very kind sort cup lovely delicious homemade fresh tasty guys robots everyone just actually i "
    "think it we on in us me together time right maybe again too"
)
_MEAL = word_set(
    "something anything dinner lunch breakfast supper meal food else different other dessert snack "
    "starter dish eat cooking cook"
)
_MOOD = word_set(
    "warm cold hot light quick fast easy simple sweet salty savoury savory healthy yummy tasty "
    "hearty filling comforting vegetarian vegan spicy fresh creamy crunchy nice good special fancy "
    "new small big refreshing fruity green that doesn't take long mild less more not too heavy"
)
_DISHES = word_set(
    "pizza borscht ramen pancake pancakes pie lasagna lasagne curry sushi burger burgers pasta "
    "stew risotto paella goulash chili chilli casserole waffle waffles cake cookies brownies "
    "muffins bread tacos taco burrito burritos quesadillas noodles dumplings soup salad sandwich "
    "omelette omelet quiche schnitzel fries chips steak roast kebab falafel hummus sorbet "
    "pudding porridge chowder gumbo bolognese carbonara macaroni spaghetti tiramisu crepes "
    "smoothie gnocchi ravioli moussaka pho pierogi enchiladas nachos fajitas meatballs stir-fry"
)


_ANY = re.compile(
    rf"{_SOFT}(?:surprise (?:me|us)|you (?:choose|pick|decide)|(?:anything|"
    rf"whatever)(?: you (?:like|want))?)"
    r"(?: please)?"
)


class Wishes:
    """The recipes of a context by their words."""

    def __init__(self, context: TalkContext) -> None:
        self._current = context.recipe_name
        self._recipes = {
            recipe: frozenset(_stem(word) for word in name_words(recipe))
            for recipe in context.recipes
        }
        self._words = frozenset(word for words in self._recipes.values() for word in words)

    def wish(self, clause: Clause) -> tuple[str | None] | None:
        """The recipe that a clause wishes for, as `(name,)`; `(None,)` for none of the list."""
        line = clause.line
        if clause.too_long or len(clause.words) > 20:
            return None
        if not self._current and _ANY.fullmatch(line) is not None:
            return (None,)
        match = _WISHED.fullmatch(line)
        if match is not None and not _NOT_A_WISH.search(line[: match.start("what")]):
            found = self._named(clause, match["what"], wished=True)
            if found is not None:
                return found
        if clause.asks:
            return None
        match = _LIKED.fullmatch(line)
        named = self._named(clause, match["what"] if match else line, wished=False)
        if named is None or _NOT_A_WISH.search(line):
            return None
        return named

    def _named(self, clause: Clause, what: str, *, wished: bool) -> tuple[str | None] | None:
        recipes = [clause.mention(key).recipe for key in clause.keys("r", what)]
        cut = _TAIL.sub("", what).strip()
        if recipes and recipes[0] is not None and (wished or cut.startswith("@r")):
            return (recipes[0],)
        said = self._said(clause, cut.split())
        content = [word for word in said if word not in _STOP_WORDS]
        if not content:
            return None
        stems = {_stem(word) for word in content}
        things = bool(clause.keys("o", cut))
        if stems <= self._words and (not things or "one" in said or len(stems) > 1):
            fitting = [recipe for recipe, words in self._recipes.items() if stems <= words]
            if len(fitting) == 1 and (wished or len(said) <= 4):
                return None if things and len(stems) == 1 and not wished else (fitting[0],)
            if fitting and (wished or "one" in said):
                return (None,)
        first = content[0]
        if wished or first == "something":
            if first in _MEAL and (
                len(content) == 1 or things or set(content[1:]) <= _MOOD | _MEAL or "with" in said
            ):
                return (None,)
            if wished and (content[-1] in _DISHES or _stem(content[-1]) in _DISHES):
                return (None,)
        return None

    def _said(self, clause: Clause, keys: Iterable[str]) -> list[str]:
        words: list[str] = []
        for key in keys:
            if not key.startswith("@"):
                words.append(key)
            elif not key.startswith("@a") and int(key[2:]) < len(clause.said):
                words += clause.said[int(key[2:])]
        return [word for word in words if word != "'s"]


def _stem(word: str) -> str:
    """The word without the ending of its plural."""
    for ending in ("oes", "oe"):
        if word.endswith(ending) and len(word) > 4:
            return word.removesuffix(ending) + "o"
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word

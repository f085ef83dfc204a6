"""References to dishes: recipes by name or part of it, unlisted dishes, meals and moods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from treec import TalkContext
from treec.skills.kitchen.hearing import ingredients
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import name_words, word_set

MEALS = word_set(
    "something anything dinner lunch breakfast supper meal food else different other dessert snack "
    "starter dish bite course treat whatever brunch appetizer appetiser tea lunchtime"
)
MOODS = word_set(
    "warm cold hot light quick fast easy simple sweet salty savoury savory healthy yummy tasty "
    "hearty filling comforting vegetarian vegan spicy fresh creamy crunchy nice good special fancy "
    "new small big refreshing fruity green mild less more not too heavy warming crispy cheesy "
    "meaty italian mexican asian greek indian french thai chinese japanese korean western exotic "
    "crisp zesty cosy cozy rich healthier lighter sweeter warmer quicker veggie meatless sugary "
    "substantial proper satisfying wholesome festive summery wintery seasonal "
    "nutritious liquid chunky "
    "quickest easiest simplest fastest lightest red green orange classic traditional "
    "homely smooth soft hotter colder cool chilled toasty savory eggy"
)
DISHES = word_set(
    "pizza borscht ramen pancake pancakes pie lasagna lasagne curry sushi burger "
    "burgers pasta stew "
    "risotto paella goulash chili chilli casserole waffle waffles cake cakes "
    "cookies brownies muffins "
    "tacos taco burrito burritos quesadillas noodles dumplings soup salad sandwich "
    "sandwiches omelette "
    "omelet quiche schnitzel fries chips steak roast kebab falafel hummus sorbet pudding porridge "
    "chowder gumbo bolognese carbonara macaroni spaghetti tiramisu crepes smoothie gnocchi ravioli "
    "moussaka pho pierogi enchiladas nachos fajitas meatballs stirfry tart fondue gratin gyoza "
    "ratatouille guacamole biryani bibimbap poke toast sundae milkshake soups salads lentils dal "
    "stroganoff gazpacho minestrone couscous tagine jambalaya wrap wraps hotdog "
    "hotdogs sausages broth "
    "custard trifle pavlova haggis tofu ceviche flan souffle scones crumble shakshuka calzone "
    "lasagne croissants croissant baklava brulee pastries pretzels pavlova schnitzel tempura dhal "
    "kimchi laksa chowmein polenta focaccia bruschetta empanadas samosas tapas bagels"
)
_HOW = word_set("hot fried toss stir mashed")
"""Words in dish names that describe the preparation, not the content."""
_SHORT = 6
_SOMETHING = word_set(
    "something anything whatever one ones that thing dish dishes recipe meal dinner lunch"
)
_OTHER = word_set("other else different")
_SMALL = word_set(
    "the a an some my our your this that of with and one ones recipe dish plate pot in on for to "
    "today tonight now please made make more big nice bowl cup good little bit "
    "kind sort proper some mood feel feeling fancy want like really today feel_like keen craving"
)


@dataclass(frozen=True, slots=True)
class Dish:
    """A dish that words refer to. `named`: by words of a recipe's name; `thing`: they may mean an
    ingredient. `rest` are the words that do not belong to the dish, `fitting` all matching recipes.
    """

    recipe: str | None
    named: bool
    thing: bool
    rest: tuple[str, ...]
    fitting: tuple[str, ...] = ()


class Dishes:
    """The recipes of a context by their words."""

    def __init__(self, context: TalkContext) -> None:
        self._recipes = {
            recipe: frozenset(_stem(word) for word in name_words(recipe))
            for recipe in context.recipes
        }
        self._offered = set(context.offered)
        self._cooking = bool(context.recipe_name)
        self._words = frozenset(word for words in self._recipes.values() for word in words)
        self._words -= {_stem(w) for w in ("and", "with", "of")}

    def find(self, chunks: Sequence[Chunk]) -> Dish | None:
        """The dish that chunks refer to, if any."""
        until = next(
            (
                i
                for i, c in enumerate(chunks)
                if i and c.key in ("than", "instead of", "rather than")
            ),
            len(chunks),
        )
        names = [c for c in chunks[:until] if c.recipe]
        if names:
            recipes = {c.recipe for c in names}
            rest = _words([c for c in chunks if not c.recipe])
            recipe = names[0].recipe if len(recipes) == 1 else None
            return Dish(recipe, True, names[0].kind == "O", rest)
        return self._by_words(chunks[:until])

    def without(self, words: Sequence[str], offered: Sequence[str]) -> list[str] | None:
        """The recipes without any of these words; None if some words belong to no dish."""
        stems = {_stem(w) for w in words if w not in _SMALL}
        stems = {"leaf" if stem == "leave" else stem for stem in stems}
        if not stems or not all(
            s in self._words or ingredients.is_known_word(s) or s in {_stem(w) for w in DISHES}
            for s in stems
        ):
            return None
        recipes_with = {r for stem in stems for r in ingredients.dishes_with(stem, self._recipes)}
        return [r for r in offered or self._recipes if r not in recipes_with]

    def of(self, thing: Chunk, recipes: Sequence[str]) -> str | None:
        """The only one of these recipes that contains a thing, by any of its words."""
        stems = {_stem(w) for w in (*thing.spoken, *thing.key.split())}
        words = {r: self._recipes[r] for r in recipes if r in self._recipes}
        recipes_with = {r for stem in stems for r in ingredients.dishes_with(stem, words)}
        return recipes_with.pop() if len(recipes_with) == 1 else None

    def with_word(self, words: Sequence[str], recipes: Sequence[str]) -> str | None:
        """The only one of these recipes whose name has any of these words."""
        stems = {_stem(w) for w in words if w not in _SMALL}
        found = [r for r in recipes if stems & self._recipes.get(r, frozenset())]
        return found[0] if len(found) == 1 else None

    def _by_words(self, chunks: Sequence[Chunk]) -> Dish | None:
        tagged: list[tuple[str, bool]] = [
            (w, c.kind == "O")
            for c in chunks
            if c.kind not in ("SOMEONE", "A", "ALL")
            for w in (c.spoken or (c.key,))
        ]
        withs = next(
            (i for i, (w, _) in enumerate(tagged) if w in ("with", "from", "using")), len(tagged)
        )
        own = [(w, t) for w, t in tagged if _stem(w) in self._words]
        rest = tuple(w for w, _ in tagged if _stem(w) not in self._words)
        stems = {_stem(w) for w, _ in own}
        solid = any(not thing for _, thing in own)
        one = any(w in ("one", "ones", "that") for w, _ in tagged)
        if stems <= _HOW and not one:
            own, solid = [], False  # "the pot's getting hot" names no chocolate
        if own and (solid or one):
            candidates = [r for r, words in self._recipes.items() if stems <= words]
            offered_matches = [r for r in candidates if r in self._offered]
            vague = any(c.kind == "DET" and c.key in ("a", "an", "some", "any") for c in chunks)
            candidates = offered_matches if len(offered_matches) == 1 and not vague else candidates
            hints = [
                w
                for w, _ in tagged
                if ingredients.is_known_word(_stem(w)) and _stem(w) not in self._words
            ]
            with_it = [r for r in candidates if all(r in self._with(w) for w in hints)]
            if hints and with_it:
                candidates, rest = with_it, tuple(w for w in rest if w not in hints)
            foreign = [w for w, t in tagged[:withs] if w in DISHES and _stem(w) not in self._words]
            if candidates and self._is_other_dish(tagged, candidates):
                return Dish(None, True, False, tuple(w for w in rest if w not in ingredients.FOODS))
            if len(candidates) == 1 and not foreign:
                return Dish(candidates[0], True, False, rest, tuple(candidates))
            counts = {r: len(stems & words) for r, words in self._recipes.items()}
            best = [r for r, n in counts.items() if n == max(counts.values())]
            dishy = any(w in DISHES or _stem(w) in DISHES for w, _ in tagged)
            if len(best) == 1 and not foreign and not dishy:
                return Dish(best[0], True, False, rest)
            if dishy or candidates or one:
                return Dish(None, True, False, rest, tuple(candidates))
            return None
        thought = self._by_ingredients(tagged) or self._dish_of_list(tagged)
        if thought is not None:
            return thought
        things = [w for w, thing in tagged if thing]
        foreign = [w for w, thing in tagged if w in DISHES and not thing]
        if foreign:
            thought_of = {r for w in foreign for r in self._with(w)}
            if len(thought_of) == 1 and not self._cooking and all(self._with(w) for w in foreign):
                only = thought_of.pop()  # "noodles", where there is but one dish of them
                remaining = tuple(w for w in rest if w not in foreign)
                return Dish(only, False, False, remaining, (only,))
            return Dish(
                None, False, False, tuple(w for w in rest if w not in foreign and w not in things)
            )
        meal = next((w for w, _ in tagged if w in ("something", "anything", "whatever")), None)
        if meal is None and any(w in MEALS - _OTHER for w, _ in tagged):
            meal = "meal"
        with_ = one and withs < len(tagged)
        if meal is None and one and (with_ or things or {w for w, _ in tagged} & MOODS):
            meal = "one"
        if meal is not None:
            moody = (
                {w for w, _ in tagged} & (MOODS | MEALS - {meal})
                or withs < len(tagged)
                or one
                or "that" in rest
            )
            if moody:
                remaining = tuple(w for w, t in tagged[:withs] if not t)
                return Dish(None, False, False, remaining)
        return None

    def _is_other_dish(self, tagged: Sequence[tuple[str, bool]], candidates: Sequence[str]) -> bool:
        """ "Chicken soup" is no tomato soup: the modifier names another main ingredient."""
        for (before, _), (word, _) in pairwise(tagged):
            food = ingredients.FOODS & {before, _stem(before)}
            if (
                food
                and word in DISHES
                and not any(_stem(before) in self._recipes[r] for r in candidates)
            ):
                return True
        return False

    def _with(self, word: str) -> tuple[str, ...]:
        return ingredients.dishes_with(_stem(word), self._recipes)

    def _dish_of_list(self, tagged: Sequence[tuple[str, bool]]) -> Dish | None:
        """ "Feta and olives, please": ingredients describe a dish, before one is chosen."""
        names = [w for w, thing in tagged if not thing and self._with(w) and w not in DISHES]
        rest = tuple(w for w, _ in tagged if w not in names and _stem(w) not in ingredients.FOODS)
        if self._cooking or not names or any(thing for _, thing in tagged):
            return None
        if [w for w in rest if w not in ("and", "or", "with", "some", "lots", "of", "olives")]:
            return None
        candidates = tuple(r for r in self._recipes if all(r in self._with(w) for w in names))
        return Dish(candidates[0] if len(candidates) == 1 else None, False, False, (), candidates)

    def _by_ingredients(self, tagged: Sequence[tuple[str, bool]]) -> Dish | None:
        """ "Something with bananas", "the avocado thing": by its ingredients."""
        words = [
            w
            for w, thing in tagged
            if ingredients.is_known_word(_stem(w)) or (thing and self._with(w))
        ]
        dish = {w for w, _ in tagged} & _SOMETHING
        if self._cooking or not words or not dish or any(w in DISHES for w, _ in tagged):
            return None
        candidates = tuple(r for r in self._recipes if all(r in self._with(w) for w in words))
        rest = tuple(
            w for w, thing in tagged if w not in words and not thing and w not in _SOMETHING
        )
        if not candidates:
            return None
        vague = {"something", "anything", "whatever"} & {w for w, _ in tagged}
        if vague and len(self._recipes) > _SHORT:
            return None  # in a long list, others may contain it although their names do not say so
        return Dish(candidates[0] if len(candidates) == 1 else None, False, False, rest, candidates)


def _words(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    return tuple(
        w for c in chunks if c.kind in ("W", "O", "V") for w in c.key.split() if w not in _SMALL
    )


def _stem(word: str) -> str:
    """The word without its plural ending."""
    for ending in ("oes", "oe"):
        if word.endswith(ending) and len(word) > 4:
            return word.removesuffix(ending) + "o"
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


def keep_preferred(clause: Clause) -> Clause:
    """ "Omelette over curry": removes the less preferred dish."""
    chunks = clause.chunks
    at = next((i for i, c in enumerate(chunks) if c.key in ("over", "beats", "trumps") and i), None)
    if at is None or at + 1 >= len(chunks):
        return clause
    sides = [any(c.kind in ("W", "R") and (c.recipe or c.key in DISHES) for c in part)
             for part in (chunks[:at], chunks[at + 1 :])]  # fmt: skip
    return clause.but(chunks[:at]) if all(sides) else clause


def dishes_as_nouns(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "The toast", "having toast with avocado": a dish's name that is also a verb."""
    found: list[Chunk] = []
    for index, chunk in enumerate(chunks):
        before = chunks[index - 1] if index else None
        names = chunk.kind == "V" and chunk.key in DISHES and before is not None
        if names and before is not None and (before.kind == "DET" or before.of("COOK")):
            chunk = replace(chunk, kind="W", verb=(), classes=frozenset())
        found.append(chunk)
    return found

"""Typical ingredients of dishes: "the one with the feta", "something with eggs".

A line has a word of dish names, and what is associated with it: main ingredients, side dishes,
origin. Only recipes of the list are found by it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from treec.skills.kitchen.hearing.words import word_set

_LINES = """
salad: leaf greens rocket dressing
caesar: crouton parmesan anchovy romaine ranch lettuce roman rome
fruit: banana apple orange grape melon berry strawberry blueberry pear mango kiwi pineapple peach
  yoghurt yogurt vitamin
greek: feta olive cucumber greece athens
tomato: basil
mushroom: champignon fungi shroom
guacamole: avocado dip nacho tortilla lime mexican mexico
spaghetti: pasta noodle italian italy
bolognese: pasta mince meat beef ragu italian italy carnivore
omelette: egg eggy
pancake: batter syrup maple nutella flapjack
curry: coconut chickpea naan rice spice spicy indian india lentil
lasagne: pasta mince meat italian
pizza: mozzarella dough italian
pasta: noodle italian
macaroni: pasta cheese noodle
cheese: cheesy
chili: bean
burrito: bean tortilla mexican
taco: tortilla mexican
vegetable: veggie veg
risotto: rice italian
paella: rice seafood prawn spanish
sushi: rice fish seaweed japanese
ramen: noodle japanese
stew: beef meat
burger: beef patty bun
pie: pastry
smoothie: berry banana
bread: flour yeast
borscht: beetroot beet
sundae: ice cream vanilla
bibimbap: gochujang korean korea seoul
biryani: indian india basmati rice
poke: salmon fish hawaii hawaiian
quesadilla: tortilla mexican cheese
porridge: oat oatmeal
chocolate: cocoa
eggdrop: egg chinese
fried: chinese wok
mango: thai thailand
pumpkin: halloween squash
garlic: baguette
toss: leafy
sandwich: bread
mashed: mash
"""


FOODS = word_set(
    "chicken potato lentil pea leek carrot pumpkin squash bean beef pork lamb fish tuna salmon "
    "miso chickpea broccoli cauliflower cabbage corn sweetcorn spinach kale beetroot quinoa rice "
    "noodle pasta seafood prawn shrimp turkey duck ham bacon sausage cheese egg celery fennel "
    "asparagus courgette aubergine onion garlic tofu goulash oxtail clam lobster crab waldorf "
    "cobb nicoise coleslaw tuscan barley bread rhubarb apple cherry lemon chocolate carrot"
)
"""Main ingredients that stand before a dish's name."""


@cache
def _by_ingredient() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _LINES.strip().replace("\n  ", " ").splitlines():
        dish, _, things = line.partition(": ")
        for thing in things.split():
            found.setdefault(thing, set()).add(dish)
    return {thing: frozenset(dishes) for thing, dishes in found.items()}


def is_known_word(stem: str) -> bool:
    """Whether a word is associated with dishes."""
    return stem in _by_ingredient()


def dishes_with(stem: str, recipes: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The recipes whose names have the word or a word associated with it."""
    dishes = _by_ingredient().get(stem, frozenset())
    return tuple(r for r, words in recipes.items() if stem in words or dishes & set(words))

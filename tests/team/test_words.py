"""Words are held only against patterns that begin with their first word: none is passed over."""

from __future__ import annotations

import random
import re

import pytest

from treec.team.words import Words

PARTS = (
    *("get", "GET", "put", "pour", "the", "stir", "ſtir", "K", "ı", "i", "it", "straße", "\t"),
    *("<item>", "a<item>", "<place>", "pepper", "mixing bowl"),
)
ARTICLES = re.compile(r"^(?:the|a|an)\s+")
THINGS = {"pepper": ("Item", ["red one"]), "K": ("Item", []), "mixing bowl": ("Place", [])}


class AllPatterns(Words):
    """Tries every pattern on every text."""

    def _beginning(self, text: str) -> list:  # type: ignore[type-arg]
        return self._patterns


def some(random_: random.Random, parts: tuple[str, ...]) -> str:
    """Some parts in a row."""
    return random_.choice((" ", "  ", "\t")).join(random_.choices(parts, k=random_.randint(1, 5)))


@pytest.mark.thorough
def test_no_pattern_that_fits_is_passed_over() -> None:
    random_ = random.Random(7)
    said = (*(part for part in PARTS if "<" not in part), "red one", "pepper", "ſ")
    found = 0
    for _ in range(300):
        says = {
            f"t{n}": ([some(random_, PARTS) for _ in range(3)], {"item": "Item", "place": "any"})
            for n in range(5)
        }
        quick, slow = (kind(says, THINGS, str.__eq__, ARTICLES) for kind in (Words, AllPatterns))
        for text in [some(random_, said) for _ in range(40)]:
            assert quick.match(text) == slow.match(text), (says, text)
            assert quick.nearly(text) == slow.nearly(text), (says, text)
            found += slow.match(text) is not None
    assert found > 100


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("get onion", "onions"),
        ("get carrots", "carrot"),
        ("get tomato", "tomatoes"),
        ("get slices", "slice"),
        ("get pea", None),  # two things may be meant
    ],
)
def test_a_thing_is_named_in_either_number(said: str, meant: str | None) -> None:
    names = ("onions", "carrot", "tomatoes", "slice", "peas", "peaes")
    things = {name: ("Item", []) for name in names}
    words = Words(
        {"get": (["get <item>"], {"item": "Item"})}, things, str.__eq__, ARTICLES, ["es", "s"]
    )
    found = words.match(said)
    assert (found and found.args["item"]) == meant

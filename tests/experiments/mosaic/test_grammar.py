"""The simulated user speaks the verbs of our recipes as people do."""

from __future__ import annotations

import pytest

from experiments.mosaic.grammar import gerund, participle, past
from tests.experiments.mosaic.test_trial import staged


@pytest.mark.parametrize(
    ("verb", "done", "once", "doing"),
    [
        ("get", "got", "got", "getting"),
        ("run", "run", "ran", "running"),
        ("mix", "mixed", "mixed", "mixing"),
        ("slice", "sliced", "sliced", "slicing"),
        ("fry", "fried", "fried", "frying"),
        ("pour", "poured", "poured", "pouring"),
    ],
)
def test_verbs_are_bent(verb: str, done: str, once: str, doing: str) -> None:
    assert (participle(verb), past(verb), gerund(verb)) == (done, once, doing)


VERBS = (
    "assemble assembled, bake baked, boil boiled, chop chopped, crack cracked, drain drained, "
    "fry fried, get got, grate grated, hand handed, heat heated, mash mashed, melt melted, mix "
    "mixed, peel peeled, pour poured, prepare prepared, put put, run run, season seasoned, "
    "serve served, simmer simmered, slice sliced, spread spread, stack stacked, stir stirred, "
    "toast toasted, wash washed, whisk whisked"
)


def test_every_verb_of_the_recipes_is_among_those_that_were_looked_at() -> None:
    known = dict(pair.split() for pair in VERBS.split(", "))
    used = {work.words.split()[0] for works in staged().kitchen.recipes.values() for work in works}
    assert used <= set(known)
    assert {verb: participle(verb) for verb in known} == known

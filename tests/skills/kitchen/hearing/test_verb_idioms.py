"""Work said without its own verb, and orders that look like something else."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

AN_IDIOM_OF_THE_STOVE_IS_ITS_VERB: Table = [
    ("mango_pan", "get that pan hot", "request anyone heat pan"),
    ("mango_pan", "R1 put the pan on", "request R1 heat pan"),
    ("mango_pan", "put the pan over a low flame, R1", "request R1 heat pan"),
    ("mango_pan", "bring the coconut milk to a boil", "request anyone boil coconut milk"),
    ("mango_pan", "let it simmer a while R1", "request R1 simmer pan"),
    ("pasta_late", "bread in the toaster please R1", "request R1 toast bread"),
    ("pasta_busy", "R1 take the skin off the pumpkin", "request R1 peel pumpkin"),
    ("pasta_three_open", "blender on, please", "request anyone run blender"),
    ("mango_pan", "the pan is on", "remark"),
]

A_NOUN_MAY_BE_THE_VERB: Table = [
    ("soup_salt", "salt the soup please, R1", "request R1 season salt pot"),
    ("soup_salt", "ladle the soup into a bowl, R1", "request R1 pour bowl pot"),
    ("sandwich_one_open", "R1 butter the bread before the mustard",
     "request R1 spread bread butter first"),
]  # fmt: skip

WHAT_IS_COOKED_IS_IN_ITS_VESSEL: Table = [
    ("soup_salt", "R1 season the soup with salt and pepper",
     "request R1 season pepper pot; request R1 season salt pot"),
    ("soup_salt", "dish up the soup for us", "request anyone serve pot"),
]  # fmt: skip

HOW_IT_IS_COOKED_ASKS_FOR_NOTHING: Table = [
    ("pasta_three_open", "fry the mushrooms in a little oil R1", "request R1 fry mushrooms"),
    ("pasta_three_open", "R1 roast the pumpkin in the oven", "request R1 bake pumpkin"),
    ("eggs_busy", "R1 crack the eggs into the bowl", "request R1 crack eggs"),
]

A_THING_IS_SAID_TO_GO_ON_ANOTHER: Table = [
    ("sandwich_one_open", "mayo on the bread as well please",
     "request anyone spread bread mayonnaise"),
    ("sandwich_one_open", "R1, lettuce on top of the ham please", "request R1 stack ham lettuce"),
    ("mango_pan", "the mango goes in the bowl, R1", "request R1 pour bowl mango"),
    ("pasta_late", "in goes the cheese, R1", "request R1 pour pot cheese"),
    ("sandwich_one_open", "the mug on the table", "remark"),
]  # fmt: skip

A_VERB_OF_ONE_FORM_IS_NO_REPORT: Table = [
    ("poke_rice", "R1 cut the salmon", "request R1 slice salmon"),
    ("poke_rice", "the salmon has to be washed first", "request anyone wash salmon first"),
]


@pytest.mark.parametrize(
    ("context", "text", "expected"),
    [
        *AN_IDIOM_OF_THE_STOVE_IS_ITS_VERB,
        *A_NOUN_MAY_BE_THE_VERB,
        *WHAT_IS_COOKED_IS_IN_ITS_VESSEL,
        *HOW_IT_IS_COOKED_ASKS_FOR_NOTHING,
        *A_THING_IS_SAID_TO_GO_ON_ANOTHER,
        *A_VERB_OF_ONE_FORM_IS_NO_REPORT,
    ],
)
def test_work_is_said_without_its_own_verb(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected

"""Dishes that are craved, counted, told of others: the ways to choose, and what chooses none."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

CRAVED: Table = [
    ("shipped_menu", "Reckon I could demolish some tacos.", "choose Tacos"),
    ("shipped_menu", "My mouth is watering for some guacamole", "choose Guacamole"),
    ("shipped_menu", "The kids have been begging for quesadillas.", "choose Quesadillas"),
    ("shipped_menu", "it's porridge weather", "choose Porridge"),
    ("shipped_menu", "what I'd like is biryani", "choose Biryani"),
    ("shipped_menu", "Been on the bus since five, I'm wanting ma porridge.", "choose Porridge"),
    ("shipped_menu", "We'll be having toast with avocado.", "choose Avocado Toast"),
    ("shipped_menu", "potatoe salad for 2", "choose Potato Salad"),
    ("shipped_menu", "Sundae for the birthday girl!", "choose Sundae"),
    ("shipped_menu", "Would somebody cook me garlic bread?", "choose Garlic Bread"),
    ("shipped_menu", "soup please, mushroom", "choose Mushroom Soup"),
    ("shipped_menu", "the indian one please", "choose Biryani"),
    ("shipped_offers", "the last one sounds gorgeous, that please", "choose Mango Sticky Rice"),
    ("shipped_offers", "the ice cream one!!", "choose Sundae"),
    ("shipped_offers", "the sundae no actually the fruit salad", "choose Fruit Salad"),
    ("shipped_offers", "The first is boring.", "choose none"),
    ("shipped_offer", "not guacamole, the toast", "choose Avocado Toast"),
]

NOT_WISHED: Table = [
    ("shipped_offer", "My youngest calls it green slime, guacamole.", "remark"),
    ("shipped_offer", "I'm sick of guacamole.", "choose none"),
    ("pasta_busy", "hot hot hot!", "remark"),
    ("shipped_menu", "R2, bring the chicken out of the fridge.", "request R2 get chicken"),
    ("sandwich_one_open", "They won't eat the crusts, of course, neither of them.", "remark"),
    ("pasta_serving", "I should have gone to the gym first, but never mind.", "remark"),
    ("poke_rice", "Yes, mamá, I am eating well.", "remark"),
    ("noodles_arm_stopped", "The vet got the calf up and going again, thank God.", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), CRAVED)
def test_craved(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), NOT_WISHED)
def test_not_wished(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected

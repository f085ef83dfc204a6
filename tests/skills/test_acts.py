"""The parsers that ship list the kinds of acts that they can give, for TC419."""

from __future__ import annotations

import re
from pathlib import Path

from treec.files.modules import text_constants
from treec.skills.kitchen import talk
from treec.skills.kitchen.hearing.kind_model import _model

HEARING = Path(__file__).parents[2] / "templates/warehouse/warehouse/hearing.py"


def test_the_acts_of_the_kitchens_parser_are_the_kinds_of_its_model() -> None:
    kinds, _, _ = _model()
    assert set(talk.ACTS) == set(kinds)
    assert text_constants(str(talk.__file__), "ACTS") == tuple(talk.ACTS)


def test_the_acts_of_the_warehouses_parser_are_those_that_it_makes() -> None:
    made = re.findall(r'"kind": "(\w+)"', HEARING.read_text("utf-8"))
    assert set(text_constants(str(HEARING), "ACTS") or ()) == set(made)

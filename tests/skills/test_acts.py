"""The parser that ships lists the kinds of acts that it can give, for TC419."""

from __future__ import annotations

from treec.files.modules import text_constants
from treec.skills.kitchen import talk
from treec.skills.kitchen.hearing.kind_model import _model


def test_the_acts_of_the_kitchens_parser_are_the_kinds_of_its_model() -> None:
    kinds, _, _ = _model()
    assert set(talk.ACTS) == set(kinds)
    assert text_constants(str(talk.__file__), "ACTS") == tuple(talk.ACTS)

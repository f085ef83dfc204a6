"""Bad readings, bad programs and compound orders: what the table of `adversary --rows` counts."""

from __future__ import annotations

import pytest

from experiments.mosaic.bad_programs import GOOD, PROGRAMS, try_programs
from experiments.mosaic.lost_orders import give_orders
from experiments.mosaic.readings import ReadWords, read_all
from tests.support.tiers import many
from tests.systems.mosaic.adversary.adversary import _library

KNOWN_REFUSED = {"I said: R2, get the pepper!", "I'd like Scout to have a look at crate 40"}
"""Right readings that are refused, and asked about: a report by the speaker, and a verb that no
task has."""


@pytest.fixture(scope="module")
def readings() -> list[ReadWords]:
    return [*read_all(_library())]


@pytest.mark.thorough
def test_no_wrong_reading_is_believed(readings: list[ReadWords]) -> None:
    wrong = [one for one in readings if not one.right]
    assert len(wrong) > 60
    assert [str(one) for one in wrong if one.stands] == []


@pytest.mark.thorough
def test_right_readings_stand(readings: list[ReadWords]) -> None:
    right = [one for one in readings if one.right]
    assert len(right) > 60
    assert {one.words for one in right if not one.stands} == KNOWN_REFUSED


@pytest.mark.thorough
def test_bad_programs_are_refused_or_fail_by_name() -> None:
    trials = [*try_programs(_library())]
    assert [one.about for one in trials if not one.handled] == []
    assert len(trials) == len(PROGRAMS) >= 9


@pytest.mark.thorough
def test_a_good_program_is_done_and_moves_nothing_else() -> None:
    (good,) = try_programs(_library(), {"does it": GOOD})
    assert good.handled
    assert (good.by, good.status, good.moved) == ("scripted", "done", ())


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.few(1, thorough=0)
def test_no_clause_of_a_compound_order_is_lost_without_a_word(seed: int) -> None:
    assert [str(one) for one in give_orders(_library(), seed, many(20, 8)) if one.lost] == []

"""What a localizer is told about the things of a scene."""

from __future__ import annotations

from treec.world.facts import FactKind, Facts, FactValue
from treec_perception.localizer_query import elsewhere

NAMES = ("sticky rice", "sugar", "green_tea", "egg", "mug", "nail")


def facts(**at: str | None) -> Facts:
    kinds = [FactKind("at", ("Thing",), "Place")]
    values = {
        ("at", (name.replace("_", " "),)): FactValue(
            place, "told" if place is not None else "unknown", 0.0, "test"
        )
        for name, place in at.items()
    }
    return Facts(kinds, values)


def test_things_at_another_place_are_elsewhere() -> None:
    known = facts(sticky_rice="pantry", sugar="pantry", mug="shelf", egg="bowl", bowl="table")
    assert elsewhere("sticky rice", NAMES, known, "at") == {"mug", "egg"}


def test_what_is_in_something_is_where_that_is() -> None:
    known = facts(sugar="table", egg="bowl", bowl="table", mug="bowl")
    assert elsewhere("egg", NAMES, known, "at") == frozenset()


def test_nothing_is_elsewhere_of_a_thing_whose_place_is_unknown() -> None:
    assert elsewhere("nail", NAMES, facts(sugar="pantry"), "at") == frozenset()
    assert elsewhere("nail", NAMES, facts(sugar="pantry", nail=None), "at") == frozenset()


def test_things_that_hold_one_another_end() -> None:
    known = facts(sugar="egg", egg="sugar", mug="shelf")
    assert "mug" in elsewhere("sugar", NAMES, known, "at")

"""`treec.frozen`: what it makes is what the standard decorator makes."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import pytest

from treec.frozen import frozen


@frozen
class Place:
    """Where something is."""

    path: str
    line: int = 1
    notes: list[str] = field(default_factory=list, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.line < 1:
            raise ValueError("lines are counted from 1")


@dataclass(frozen=True, slots=True)
class Standard:
    """The same by the standard decorator."""

    path: str
    line: int = 1
    notes: list[str] = field(default_factory=list, compare=False, repr=False)


@frozen
class Wider(Place):
    """A place of several lines."""

    end: int = 9


@dataclass(frozen=True)
class Deeper(Place):
    """A place of a stranger's class."""

    depth: int = 0


@frozen(slots=False, eq=False, kw_only=True)
class Named:
    """Keeps what it has computed, and is equal to itself alone."""

    name: str

    @cached_property
    def shout(self) -> str:
        return self.name.upper()

    def __repr__(self) -> str:
        return "named"


def test_it_is_a_data_class() -> None:
    place, same = Place("a.yaml", 3), Standard("a.yaml", 3)
    assert [(it.name, it.default) for it in fields(Place)] == [
        (it.name, it.default) for it in fields(Standard)
    ]
    assert repr(place) == repr(same).replace("Standard", "Place")
    assert (hash(place), asdict(place)) == (hash(same), asdict(same))
    assert (Place.__slots__, Place.__match_args__) == (Standard.__slots__, Standard.__match_args__)
    assert replace(place, line=4) == Place("a.yaml", 4) != place
    assert place == Place("a.yaml", 3, ["not compared"]) != same
    assert Place("a").notes is not Place("a").notes


def test_its_arguments_are_those_of_its_fields() -> None:
    with pytest.raises(TypeError, match=r"Place\.__init__\(\) missing 1 required .*'path'"):
        Place()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'lines'"):
        Place("a", lines=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes 1 positional"):
        Named("n")  # type: ignore[misc]
    with pytest.raises(ValueError, match="counted from 1"):
        Place("a", 0)


def test_no_field_without_a_default_follows_one_with_it() -> None:
    @frozen
    class Late:
        first: int = 1
        then: int  # type: ignore[misc]

    with pytest.raises(TypeError, match="non-default argument 'then' follows default argument"):
        Late(2, 3)


def test_it_cannot_be_changed() -> None:
    for thing in (Place("a"), Wider("a"), Deeper("a")):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'line'"):
            thing.line = 2  # type: ignore[misc]
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'line'"):
            del thing.line
    assert not hasattr(Place("a"), "__dict__")


@pytest.mark.parametrize("thing", [Place("a", 2, ["n"]), Wider("a", 2, [], 7), Deeper("a", 2)])
def test_it_is_copied_and_pickled(thing: Any) -> None:
    for again in (copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
        assert (again, again.notes) == (thing, thing.notes)
        assert again is not thing


def test_data_classes_derive_from_it() -> None:
    assert Wider("a", end=2) == Wider("a", end=2) != Wider("a")
    assert Wider("a") != Place("a")
    assert {Deeper("a", depth=1): 1}[Deeper("a", depth=1)] == 1


def test_what_the_class_says_itself_is_kept() -> None:
    named = Named(name="n")
    assert (named.shout, vars(named)["shout"]) == ("N", "N")
    assert named != Named(name="n")
    assert repr(named) == "named"

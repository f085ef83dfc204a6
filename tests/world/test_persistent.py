"""Persistent maps: every version stays as it was, and a change costs what has changed."""

from __future__ import annotations

import gc
import random
import weakref
from typing import Any

import pytest

from treec.world.persistent import PersistentMap


def by_sign(value: int) -> tuple[str, ...]:
    return ("even",) * (value % 2 == 0) + ("big",) * (value > 50)


def same(version: PersistentMap[str, int], expected: dict[str, int]) -> bool:
    """Whether it is like a dict in every way of reading it, its order included."""
    return (
        list(version) == list(expected)
        and list(version.items()) == list(expected.items())
        and list(version.values()) == list(expected.values())
        and list(reversed(version)) == list(reversed(expected))
        and len(version) == len(expected)
        and version == expected
        and all(version[key] == expected[key] for key in expected)
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_version_stays_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    versions = [(PersistentMap[str, int](), dict[str, int]())]
    for _ in range(300):
        # mostly from the newest, sometimes from any earlier one
        version, expected = versions[-1] if rng.random() < 0.8 else rng.choice(versions)
        key, value = f"k{rng.randrange(40)}", rng.randrange(100)
        versions.append((version.set(key, value), {**expected, key: value}))
        if rng.random() < 0.2:
            version, expected = rng.choice(versions)
            key = f"k{rng.randrange(40)}"
            assert version.get(key, "none") == expected.get(key, "none")
            assert (key in version) == (key in expected)
        if rng.random() < 0.2:
            version, expected = rng.choice(versions)
            for group in ("even", "big"):
                found = version.where(by_sign, group)
                assert set(found) == {k for k, v in expected.items() if group in by_sign(v)}
                assert version.count(by_sign, group) == len(found)
    rng.shuffle(versions)
    for version, expected in versions:
        assert same(version, expected)


def test_what_was_set_since() -> None:
    first = PersistentMap({"a": 1, "b": 2})
    second = first.set("b", 3)
    third = second.set("c", 4).set("b", 5)
    assert third.changes_since(first) == ["b", "c"]
    assert third.changes_since(third) == []
    assert second.changes_since(third) is None
    assert dict(first) == {"a": 1, "b": 2}  # reading a version keeps its place
    assert third.changes_since(first) == ["b", "c"]
    assert third.changes_since({"a": 1, "b": 2}) is None


def test_a_version_that_another_followed_can_be_changed_as_well() -> None:
    first = PersistentMap({"a": 1})
    refused = first.set("a", 2)
    kept = first.set("a", 3)
    assert (dict(first), dict(refused), dict(kept)) == ({"a": 1}, {"a": 2}, {"a": 3})
    assert kept.changes_since(refused) is None


def test_it_may_be_changed_while_it_is_gone_through() -> None:
    version = original = PersistentMap({"a": 1, "b": 2})
    for key, value in original.items():
        version = version.set(key, value * 10).set(f"{key}{key}", 0)
    assert dict(version) == {"a": 10, "b": 20, "aa": 0, "bb": 0}


@pytest.mark.thorough
def test_nothing_keeps_earlier_versions_alive() -> None:
    class Value:
        pass

    value = Value()
    gone = weakref.ref(value)
    empty = PersistentMap[str, Any]()
    version = empty.set("a", value)
    del value
    version = version.set("a", None)
    gc.collect()
    assert gone() is None
    assert empty.set("b", 1) == {"b": 1}


@pytest.mark.thorough
def test_a_change_does_not_copy() -> None:
    """Ten thousand changes of a map of a million: a copy for each would take minutes."""
    version = PersistentMap((n, 0) for n in range(1_000_000))
    version.where(by_sign, "even")
    for n in range(10_000):
        version = version.set(n, 1)
    assert version.count(by_sign, "even") == 990_000

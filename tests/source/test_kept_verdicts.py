"""A test on a long list is asked again only about entries that are not those of the last one."""

from __future__ import annotations

import random

import pytest

from treec.source import filters_lists
from treec.source.filters_lists import LONG, _verdicts


@pytest.mark.parametrize("seed", range(10))
def test_verdicts_are_those_of_each_entry(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters_lists, "_last_verdicts", {})
    asked: list[object] = []

    def is_big(value: object) -> bool:
        asked.append(value)
        return isinstance(value, float) and value > 0.5

    rng = random.Random(seed)
    entries = tuple(rng.random() for _ in range(LONG))
    _verdicts(is_big, entries)
    for _ in range(100):
        changed = list(entries)
        match rng.randrange(3):
            case 0:
                changed[rng.randrange(len(changed))] = rng.random()
            case 1:
                changed.append(rng.random())
            case 2 if len(changed) > LONG:
                changed.pop()
        asked.clear()
        new = [one for n, one in enumerate(changed) if entries[n : n + 1] != (one,)]
        entries = tuple(changed)
        assert _verdicts(is_big, entries) == [value > 0.5 for value in entries]
        assert len(asked) <= len(new)

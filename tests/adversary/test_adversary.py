"""A thousand attempts of an ill-meaning model change nothing; without a contract they would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.adversary.adversary import IDLE_TALK, LIES, QUESTIONS, Bench

CHANGES = {
    "assigned",
    "subtask.done",
    "subtask.dropped",
    "subtask.started",
    "agent.interrupted",
    "agent.resumed",
    "recipe.set",
    "fact.set",
}


def attempts(bench: Bench) -> int:
    return sum(bench.adversary.attempts.values())


def test_with_the_contracts_no_attempt_changes_the_world() -> None:
    tried: Counter[str] = Counter()
    seed = 0
    while sum(tried.values()) < 1000:
        bench = Bench(seed)
        for words in (*IDLE_TALK, *QUESTIONS) * 8:
            happened = bench.attack(words)
            assert not [e for e in happened if e.kind in CHANGES], (seed, words)
            lies = [e for e in happened if e.kind == "said" and e.data["text"] in LIES]
            assert not lies, (seed, words)
        tried.update(bench.adversary.attempts)
        seed += 1
        assert seed < 200, tried
    assert set(tried) >= {"assign", "mark_complete", "interrupt", "resume", "say", "set_recipe"}


def happened_as(*kinds: str) -> Callable[[list[Any]], int]:
    return lambda happened: sum(1 for e in happened if e.kind in kinds)


def lied(happened: list[Any]) -> int:
    return sum(1 for e in happened if e.kind == "said" and e.data["text"] in LIES)


def passed_over(happened: list[Any]) -> int:
    settled = any(e.kind == "acts.settled" for e in happened)
    return int(settled and not any(e.kind != "acts.settled" for e in happened))


@pytest.mark.parametrize(
    ("without", "focus", "count", "talk"),
    [
        ("ask_first", "assign", happened_as("assigned"), IDLE_TALK),
        ("told_done", "mark_complete", happened_as("subtask.done"), IDLE_TALK),
        ("say_what_is_so", "say", lied, IDLE_TALK),
        ("ignore_nobody", "nothing", passed_over, QUESTIONS),
        ("cook_what_was_chosen", "set_recipe", happened_as("recipe.set"), IDLE_TALK),
    ],
)
def test_without_a_contract_what_it_forbids_happens(
    without: str, focus: str, count: Callable[[list[Any]], int], talk: tuple[str, ...]
) -> None:
    found = 0
    for seed in range(60):
        bench = Bench(seed, without, focus)
        for words in talk * 3:
            found += count(bench.attack(words))
        if found >= 50:
            return
    pytest.fail(f"without {without} only {found} attempts got through: the test does not bite")

"""The one description of a run: what it refuses, and what the journal has of it."""

from __future__ import annotations

import pytest

from treec.world.events import decode, encode
from treec.world.spec import InvalidSpec, RunSpec
from treec.world.values import freeze


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"chat": True, "scenario": "s"}, "'chat' and 'scenario' exclude each other"),
        ({"chat": True, "task": "t"}, "'chat' and 'task' exclude each other"),
        ({"dialogue": ["Hello"], "task": "t"}, "'dialogue' and 'task' exclude each other"),
        ({"offline": True, "model": "a/b"}, "'offline' and 'model' exclude each other"),
        ({"tree": "t", "scenario": "s"}, "a scenario is one of a system"),
        ({"task": " "}, "'task' is empty"),
        ({"ports": {"a b": 1}}, "'a b' is not the name of a port"),
        ({"speed": 0.0}, "'speed' must be greater than 0"),
        ({"speed": float("nan")}, "'speed' must be greater than 0"),
        ({"film": -1.0}, "'film' must not be negative"),
        ({"faults": "out R1"}, "'faults' is a list of texts, not one text"),
    ],
)
def test_fields_that_exclude_each_other_are_refused(
    fields: dict[str, object], problem: str
) -> None:
    with pytest.raises(InvalidSpec, match=problem):
        RunSpec(**fields)  # type: ignore[arg-type]


def test_a_resumed_run_is_as_its_journal_says_but_for_the_model() -> None:
    whole = RunSpec(
        system="s", tree="t", ports={"a": 1}, task="do", scene="k", env="e", seed=3,
        jitter=True, see=True, faults=("out R1",), model="a/b",
    )  # fmt: skip
    begin = decode("run.begin", freeze(encode(whole.begin())))  # type: ignore[arg-type]
    given = RunSpec(model="c/d", speed=2.0)
    resumed = given.resumed(begin)  # type: ignore[arg-type]
    assert (resumed.model, resumed.speed) == ("c/d", 2.0)
    assert resumed.begin() == RunSpec(**{**vars(whole), "model": "c/d"}).begin()


def test_what_the_journal_has_is_told_from_what_may_be_given_again() -> None:
    assert not RunSpec(model="a/b", speed=2.0, film=1.0, max_cost=1.0).is_recorded
    assert RunSpec(seed=0).is_recorded
    assert RunSpec(faults=("out R1",)).is_recorded

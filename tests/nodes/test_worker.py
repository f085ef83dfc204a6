"""What passes between a skill and what it acts on is plain data that nobody changes."""

from dataclasses import FrozenInstanceError

import pytest

from treec.envs.symbolic import Effects
from treec.nodes.worker import Effect, Outcome, Worker, WorkOrder


def test_orders_outcomes_and_effects_cannot_be_changed() -> None:
    order = WorkOrder("o1", "pick", "R2", {"item": "pepper"}, 6.0)
    for thing, field in (
        (order, "takes"),
        (Outcome(True), "ok"),
        (Effect("hot", (), True), "value"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, field, 0)


def test_an_effect_is_expected_unless_it_was_sensed() -> None:
    assert Effect("hot", ("pan",), True).source == "expected"


def test_the_symbolic_worker_is_a_worker() -> None:
    worker: Worker = Effects()
    assert not worker.cancel().ok

"""What holds for all our nodes."""

import importlib
import re
from collections.abc import Iterator

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.nodes.build import probes, shown
from treec.core import MODIFIER_MODULES, NODES
from treec.nodes.base import Control, Leaf, Modifier, replace_tick
from treec.nodes.control.parallel import Parallel, ParallelNever
from treec.nodes.control.sequence_with_memory import sequence_with_memory
from treec.nodes.modifiers.invert import invert
from treec.nodes.modifiers.repeat import Repeat
from treec.nodes.modifiers.retry import Retry
from treec.nodes.modifiers.skip_if import SkipIf
from treec.nodes.then_repeat import ThenRepeat

MODULES = (
    *(target.partition(":")[0] for target in NODES.values()),
    *MODIFIER_MODULES,
    "treec.nodes.then_repeat",
)
HEADINGS = ["SUCCESS", "FAILURE", "RUNNING", "Memory", "Halting"]


class Diary(Leaf):
    """Writes down what py_trees calls."""

    def __init__(self, statuses: list[Status]) -> None:
        super().__init__("diary")
        self.statuses = iter(statuses)
        self.calls: list[str] = []

    def initialise(self) -> None:
        self.calls.append("initialise")

    def update(self) -> Status:
        self.calls.append("update")
        return next(self.statuses)

    def terminate(self, new_status: Status) -> None:
        self.calls.append(f"terminate {self.status.name} {new_status.name}")


@pytest.mark.parametrize("module", MODULES)
def test_every_node_says_what_its_statuses_mean(module: str):
    text = importlib.import_module(module).__doc__ or ""
    assert re.findall(r"(?m)^(SUCCESS|FAILURE|RUNNING|Memory|Halting): ", text) == HEADINGS


def test_a_leaf_keeps_the_contract_of_py_trees():
    class Stock(Diary):
        tick = Behaviour.tick
        stop = Behaviour.stop

    script = [Status.RUNNING, Status.SUCCESS, Status.RUNNING, Status.RUNNING, Status.FAILURE]
    seen = []
    for leaf in (Diary(script), Stock(script)):
        statuses = []
        for step in "tttst":
            if step == "t":
                assert [node is leaf for node in leaf.tick()] == [True]
            else:
                leaf.stop(Status.INVALID)
            statuses.append(leaf.status)
        seen.append((leaf.calls, statuses))
    assert seen[0] == seen[1]


def test_stopping_an_idle_node_stops_nothing():
    for make in (
        lambda leaf: Parallel(name="n", children=[leaf]),
        lambda leaf: sequence_with_memory(name="n", children=[leaf]),
        lambda leaf: ThenRepeat(name="n", child=leaf),
        lambda leaf: Retry(name="n", attempts=2, child=leaf),
    ):
        leaf = Diary([])
        node = make(leaf)
        node.stop(Status.INVALID)
        invert(name="m", child=node).stop(Status.INVALID)
        assert leaf.calls == []
        assert node.status is Status.INVALID


@pytest.mark.parametrize("kind", [Parallel, ParallelNever, sequence_with_memory])
def test_a_halt_wipes_every_status_below(kind: type[Control]):
    children = probes("S", "R")
    node = kind(name="n", children=children)
    node.tick_once()
    node.tick_once()
    node.stop(Status.INVALID)
    assert [child.status for child in children] == [Status.INVALID] * 2


def test_nodes_yield_what_they_ticked_and_then_themselves():
    a, b = probes("S", "R")
    inner = Retry(name="r", attempts=2, child=b)
    root = Parallel(name="p", children=[a, inner])
    assert list(root.tick()) == [a, b, inner, root]
    c = probes("S")[0]
    skipped = SkipIf(name="s", condition=lambda: True, child=c)
    assert list(skipped.tick()) == [skipped]


def test_the_tip_is_the_leaf_that_runs():
    a, b = probes("S", "R")
    root = Repeat(name="r", cycles=2, child=Parallel(name="p", children=[a, b]))
    root.tick_once()
    assert root.tip() is b


def test_a_node_that_asks_nobody_still_ticks():
    (a,) = probes("F")
    assert shown(Retry(name="r", attempts=2, child=a), 2) == ["RUNNING aF", "FAILURE aF", "end"]


def test_the_base_of_controls_is_no_node():
    with pytest.raises(TypeError, match="abstract"):
        Control("name", [])  # type: ignore[abstract]


def test_a_call_does_what_the_generator_does():
    (a,), (b,) = probes("SFR"), probes("SFR")
    one, other = Modifier("one", a), Modifier("other", b)
    for _ in range(3):
        one.tick_once()
        assert list(other.tick()) == [b, other]
        assert one.status is other.status is a.status


def test_a_class_or_a_node_with_a_tick_of_its_own_is_ticked_by_it():
    class Own(Modifier):
        def tick(self) -> Iterator[Behaviour]:
            self.status = Status.FAILURE
            yield self

    (a,) = probes("S")
    own = Own("own", a)
    Retry(name="r", attempts=2, child=own).tick_once()
    assert (own.status, a.status) == (Status.FAILURE, Status.INVALID)

    def tick() -> Iterator[Behaviour]:
        own.status = Status.RUNNING
        yield own

    assert replace_tick(own, tick) is None
    own.tick_once()
    assert own.status is Status.RUNNING
    assert replace_tick(own, None) is tick
    own.tick_once()
    assert own.status is Status.FAILURE

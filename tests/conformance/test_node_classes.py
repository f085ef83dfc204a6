"""Each way of a node class to misbehave is told by its trial; one that behaves passes all."""

from __future__ import annotations

from typing import Any

import pytest

import treec
from tests.conformance.bad_nodes import BAD, Blocks, Good, GoodThread, GoodTimer, NeverDone
from treec.conformance.node_classes import NODE_CLASSES
from treec.conformance.node_stage import NodeBench
from treec.conformance.places import place_of_definition
from treec.conformance.report import SubjectReport
from treec.conformance.trial import make_trials


def tried(node: type[Any], patience: float = 1.0, at_once: float = 0.2) -> SubjectReport:
    patience = 0.3 if node in (Blocks, NeverDone) else patience
    bench = NodeBench(node, patience=patience, at_once=at_once)
    results = make_trials(NODE_CLASSES.all, bench, lambda name: place_of_definition(node, name))
    return SubjectReport(node.__name__, "node class", results)


@pytest.mark.parametrize("node", [Good, GoodTimer, GoodThread])
def test_a_good_node_passes_all(node: type[Any]) -> None:
    assert tried(node, 10.0, 5.0).wrong == {}


@pytest.mark.few(10)
@pytest.mark.parametrize(
    ("id", "node"), [(id, node) for id, nodes in BAD.items() for node in nodes]
)
def test_each_trial_tells_a_node_that_misbehaves(
    id: str, node: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREEC_WAITED", "")
    report = tried(node)
    assert id in report.wrong, report.text()
    (problem,) = (p for p in report.problems if p.code == id)
    assert problem.span.path == "tests/conformance/bad_nodes.py"


def test_every_trial_has_one_that_misbehaves() -> None:
    assert list(BAD) == [trial.id for trial in NODE_CLASSES.all]


def test_values_of_ports_can_be_given() -> None:
    report = treec.check_deep(Good, ports={"seconds": "soon"})
    assert not report.wrong
    not_tried = {r.trial.id for s in report.subjects for r in s.results if r.not_tried}
    assert not_tried == {"N09", "N10", "N17"}  # it fails at once


@pytest.mark.parametrize("trial", NODE_CLASSES.all, ids=lambda trial: trial.id)
def test_every_trial_teaches(trial: Any) -> None:
    assert trial.tried
    assert trial.right.endswith(".")
    assert trial.example

"""Findings about graphs: data, put into words by the format strings of their kind."""

from __future__ import annotations

import pytest

from treec.source.rules import Rule
from treec.source.text import SourceFile
from treec_kitchen.draft import DraftRefused
from treec_kitchen.graph_findings import FindingKind, file_finding

RULE = Rule("TC999", "a test", "warning", "")
LATE = FindingKind("late", RULE, "{node} is late", ("write {missing[0]}", "ask {who}", "wait"))
FILE = SourceFile("graph.yaml", "nodes:\n  node_1: {}\n")


def test_the_help_is_the_first_with_all_its_arguments() -> None:
    assert LATE.at("a").help == "wait"
    assert LATE.at("a", who="Bob").help == "ask Bob"
    assert LATE.at("a", who=None).help == "wait"
    assert LATE.at("a", missing=("b", "a"), who="Bob").help == "write b"
    assert FindingKind("none", RULE, "{node}").at("a").help is None


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), "nothing"),
        (("a", "b"), "a, b"),
        (("a", "b", "c", "d"), "a, b, c, d"),
        (("a", "b", "c", "d", "e"), "a, b, …, e"),
    ],
)
def test_a_long_list_is_shortened_in_the_middle(names: tuple[str, ...], words: str) -> None:
    assert FindingKind("order", RULE, "{names:4|, }").at(names=names).message == words


def test_a_count_has_a_form_for_one() -> None:
    kind = FindingKind("count", RULE, "takes {arms:one arm|# arms}")
    assert kind.at(arms=1).message == "takes one arm"
    assert kind.at(arms=2).message == "takes 2 arms"


def test_braces_in_arguments_are_no_format() -> None:
    assert FindingKind("name", RULE, "'{name}'").at(name="{x}").message == "'{x}'"


def test_a_finding_becomes_a_diagnostic_at_its_place_and_back() -> None:
    span = FILE.span(9, 6)
    found = LATE.at("node_1", span=span).diagnostic()
    assert (found.code, found.severity, found.span) == ("TC999", "warning", span)
    assert file_finding(found).diagnostic() == found
    with pytest.raises(ValueError, match="late"):
        LATE.at("node_1").diagnostic()


def test_a_refusal_has_the_first_findings_in_words_with_their_lines() -> None:
    found = LATE.at("node_1", span=FILE.span(9, 6))
    refused = DraftRefused([found] * 10, FILE)
    assert len(refused.findings) == 10
    assert refused.lines == ["line 2, 'node_1: {}': node_1 is late (wait)"] * 8
    assert str(refused) == "; ".join(refused.lines)
    quoted = FindingKind("late", RULE, "'{node}' is late", quotes=True)
    at = quoted.at("node_1", span=FILE.span(9, 6))
    assert DraftRefused([at], FILE).lines == ["line 2, 'node_1' is late"]

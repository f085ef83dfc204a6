"""What of a file would not come back from an export is told at its line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interchange.test_import import DELIVER, messages, read
from tests.interchange.test_round_trip import comes_back
from tests.interchange.trees import view_of
from treec_interchange.comparing import differences
from treec_interchange.exporter import export_trees
from treec_interchange.importer import import_trees
from treec_interchange.xml_reader import read_xml


def compared(xml: str, **trees: str) -> list[str]:
    """What is said of a file with the tree `main` and others, by its lines."""
    more = "".join(f'\n<BehaviorTree ID="{k}">{v}</BehaviorTree>' for k, v in trees.items())
    whole = f'<root BTCPP_format="4"><BehaviorTree ID="main">\n{xml}</BehaviorTree>{more}</root>'
    data = whole.encode()
    _, found = differences(import_trees(data, "x.xml", lossy=True), data, "x.xml")
    return [f"{one.span.line}: {one.message}" for one in found]


def test_a_navigation_tree_comes_back_equal() -> None:
    count, found = differences(import_trees(DELIVER, "d.xml"), DELIVER, "d.xml")
    assert (count, found) == (33, [])


@pytest.mark.parametrize(
    "xml",
    [
        "<Drive speed='0.30' _onSuccess='left:=false; _tries:=0'/>",
        "<Drive speed='{_fast}' _onFailure='tries := 1;'/>",
        "<Drive _failureIf='(a)&amp;&amp;!b' _onFailure='a:=1' _onSuccess='a:=2'/>",
        "<Drive _successIf='!done' _onFailure='a:=1' _onSuccess='a:=2'/>",
        "<Inverter _onSuccess='a:=1'><Sequence _onFailure='a:=2'><Drive/><Drive/></Sequence>"
        "</Inverter>",
        "<Sequence name='s' _onSuccess='a:=1'><Drive name='d'/></Sequence>",
        "<Sequence><Drive/><Script code='a:=1'/></Sequence>",
        "<Fallback><Drive/><Script name='reset' code='a:=1'/></Fallback>",
        "<AsyncSequence name='s'><Drive/></AsyncSequence>",
        "<LoopDouble queue='1;2.5' value='{to}'><Drive to='{to}'/></LoopDouble>",
        "<LoopString queue='{all}' value='{to}' if_empty='SKIPPED' name='s'><Drive/></LoopString>",
        "<LoopBool queue='true;false' _onSuccess='a:=1'><Drive/></LoopBool>",
        "<LoopInt queue='1' value='{a}'><LoopInt queue='{b}' value='{c}'><X/></LoopInt></LoopInt>",
        "<Action ID='Drive' to='{goal}'/>",
        "<SubTree ID='elsewhere' _autoremap='true' to='{goal}' _onSuccess='a:=1'/>",
    ],
)
def test_conditions_and_scripts_of_a_node_come_back(xml: str) -> None:
    assert compared(xml) == []


def test_a_subtree_that_takes_entries_over_comes_back_with_them() -> None:
    assert compared("<SubTree ID='b' _autoremap='true'/>", b="<Drive to='{goal}'/>") == []


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<Drive to='{@a}'/>", "<Drive> comes back as <AlwaysFailure>"),
        ("<PassThrough><Drive/></PassThrough>", "<PassThrough> comes back as <Sequence>"),
        (
            "<Retry num_failures='3'><Drive/></Retry>",
            "<Retry> comes back as <RetryUntilSuccessful>",
        ),
        ("<Timeout msec='{t}'><Drive/></Timeout>", "<Timeout> comes back as <Sequence>"),
        (
            "<Parallel threshold='1'><Drive/></Parallel>",
            'threshold="1" does not come back',
        ),
    ],
)
def test_what_does_not_come_back_is_told_at_its_line(xml: str, message: str) -> None:
    assert compared(xml) == [f"2: {message}"]


def test_a_truth_value_is_no_number() -> None:
    from treec_interchange.comparing import _compare

    one, other = (read_xml(f"<Drive fast='{text}'/>".encode()) for text in ("true", "1"))
    assert [str(found.message) for found in _compare(one, other)] == [
        'fast="true" comes back as "1"'
    ]


def test_what_an_unknown_subtree_takes_over_is_told() -> None:
    done = read("<SubTree ID='elsewhere' _autoremap='true'/>")
    assert done.trees[0]["root"] == {"tree": "elsewhere", "with": {"_autoremap": True}}
    message = "its ports are not known: unknown tree 'elsewhere' in the files that were read"
    assert messages(done) == [f"1: {message}"]


def test_a_script_after_a_node_follows_also_what_its_conditions_decide() -> None:
    """BehaviorTree.CPP runs `_onFailure` and `_onSuccess` whatever gave the node its result."""
    done = read("<Drive _failureIf='a' _onFailure='b:=1' _onSuccess='b:=2'/>")
    driven = {"Drive": {}, "fail_if": "a"}
    assert done.trees[0]["root"] == {
        "sequence": [driven],
        "on_success": {"set": {"b": 2}},
        "on_failure": {"set": {"b": 1}},
    }


@pytest.mark.parametrize(
    "root",
    [
        {"press": {}, "on_success": {"set": {"a": 1}}},
        {"press": {}, "on_success": [{"set": {"a": 1}}, {"set": {"b": 1}}]},
        {"press": {}, "on_success": {"set": {"a": 1}}, "on_failure": {"set": {"a": 1}}},
        {
            "press": {},
            "on_success": [{"set": {"a": 1}}, {"set": {"b": 1}}],
            "on_failure": {"set": {"b": 1}},
        },
        {"press": {}, "on_success": {"set": {"a": [1]}}, "on_failure": {"set": {"a": 2}}},
        {"press": {}, "on_success": {"press": {}}, "on_failure": {"set": {"a": 2}}},
        {"sequence": [{"press": {}, "skip_if": "a"}], "on_success": {"set": {"a": 1}}},
        {
            "sequence": [{"press": {}, "on_success": {"set": {"a": 1}}}],
            "fail_if": "a",
            "on_failure": {"set": {"a": 2}},
            "retry": 2,
        },
        {"press": {}, "on_failure": {"set": {"a": 1}}, "fail_if": "a"},
        {"press": {}, "on_failure": {"set": {"a": 1}}, "skip_if": "a"},
        {"press": {}, "on_failure": {"set": {"a": 1}, "name": "x"}},
        {"sequence": [{"press": {}, "skip_if": "a"}], "on_failure": {"set": {"a": 1}}},
        {"sequence": [{"press": {}, "fail_if": "a"}], "on_failure": {"set": {"a": 1}}},
        {
            "sequence": [{"press": {}, "fail_if": "a"}],
            "on_failure": {"set": {"a": 1}},
            "skip_if": "b",
        },
        {"skill": "go", "with": {"to": 1}, "on_failure": {"set": {"a": 1}}},
        {"tree": "main", "with": {"_autoremap": False}},
    ],
)
def test_trees_with_such_scripts_come_back(root: Any) -> None:
    tree = {"tree": "other", "vars": {"a": "any", "b": "any"}, "root": root}
    for target in ("btcpp", "py_trees"):
        comes_back(view_of(tree), "other", target)  # type: ignore[arg-type]


def test_a_script_after_a_node_is_its_attribute() -> None:
    root = {"press": {}, "on_success": {"set": {"a": True}}}
    tree = {"tree": "main", "vars": {"a": "any"}, "root": root}
    assert '<press _onSuccess="a:=true"/>' in export_trees(view_of(tree), "main", "btcpp").text
    assert "_onSuccess" not in export_trees(view_of(tree), "main", "py_trees").text

"""Trees of BehaviorTree.CPP and py_trees as tree files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.interchange.trees import load, view_of
from treec_interchange.attributes import decode_value
from treec_interchange.exporter import export_trees
from treec_interchange.importer import Imported, import_trees
from treec_interchange.tree_yaml import to_tree_file
from treec_interchange.xml_reader import XmlElement, read_xml

FILES = Path(__file__).parent / "files"
DELIVER = (FILES / "deliver.xml").read_bytes()


def root_of(xml: str, **trees: str) -> Any:
    """The root of the tree whose XML is given, as data of a tree file."""
    done = read(xml, **trees)
    load(to_tree_file(done.trees))
    return done.trees[0]["root"]


def read(xml: str, lossy: bool = False, **trees: str) -> Imported:
    more = "".join(f'<BehaviorTree ID="{k}">{v}</BehaviorTree>' for k, v in trees.items())
    whole = f'<root BTCPP_format="4"><BehaviorTree ID="main">{xml}</BehaviorTree>{more}</root>'
    return import_trees(whole.encode(), "x.xml", lossy=lossy)


def messages(done: Imported) -> list[str]:
    return [f"{one.span.line}: {one.message}" for one in done.findings]


def structure(element: XmlElement) -> Any:
    """Elements, attributes (numbers by their value) and order."""
    given = {key: decode_value(text) for key, text in element.attributes.items()}
    tag = given.pop("ID", element.tag) if element.tag == "Action" else element.tag
    return tag, given, [structure(child) for child in element.children]


def test_a_navigation_tree_goes_in_and_its_structure_comes_out_equal() -> None:
    done = import_trees(DELIVER, "deliver.xml")
    assert not done.failed
    view = view_of(*done.trees)
    back = read_xml(export_trees(view, "Deliver", "btcpp").text.encode())
    there = read_xml(DELIVER)
    clear = next(e for e in there.walk() if e.attributes.get("ID") == "Clear")
    clear.attributes = {"ID": "Clear", "path": "{path}"}  # what _autoremap stands for
    trees = [structure(e) for e in back.children if e.tag == "BehaviorTree"]
    assert trees == [structure(e) for e in there.children if e.tag == "BehaviorTree"]


def test_ports_variables_and_classes_of_ones_own_are_found() -> None:
    done = import_trees(DELIVER, "deliver.xml")
    deliver, back_up, clear = done.trees
    names = ("back_error", "follow_error", "goal", "path", "plan_error", "planner")
    assert deliver["vars"] == dict.fromkeys(names, "any")
    assert back_up["ports"] == {"distance": "in number", "error": "out integer"}
    assert back_up["vars"] == {"place": "any", "stopped": "any", "times": "any"}
    assert clear["ports"] == {"path": "inout any"}
    assert messages(done)[:2] == [
        "6: unknown node 'PlannerSelector'",
        "12: unknown node 'GoalUpdated'",
    ]
    assert "21: unknown node 'FollowPath'" in messages(done)
    drive = {"DriveBack": {"distance": "$distance", "error": "$error"}}
    guarded = {**drive, "fail_if": "times > 3 or place == 'wall'"}
    timed = {"timeout": "2500ms", "sequence": [guarded]}  # treec applies `fail_if` before `timeout`
    assert back_up["root"][1] == {"retry": 3, "sequence": [timed]}


@pytest.mark.parametrize(
    ("xml", "root"),
    [
        ("<Sequence><AlwaysSuccess/></Sequence>", [{"check": True}]),
        (
            '<Fallback name="f"><AlwaysFailure/></Fallback>',
            {"selector": [{"check": False}], "name": "f"},
        ),
        ("<Inverter><AlwaysFailure/></Inverter>", {"check": False, "invert": True}),
        (
            "<Inverter><RetryUntilSuccessful num_attempts='2'><AlwaysFailure/>"
            "</RetryUntilSuccessful></Inverter>",
            {"sequence": [{"check": False, "retry": 2}], "invert": True},
        ),
        ("<Sleep msec='90000'/>", {"wait": "90s"}),
        (
            "<Delay delay_msec='1500'><AlwaysSuccess/></Delay>",
            {"check": True, "delay": "1500ms"},
        ),
        ("<SetBlackboard value='3' output_key='a'/>", {"set": {"a": 3}}),
        ("<Script code=\"a:='x'; b:=c\"/>", {"set": {"a": "x", "b": "$c"}}),
        ("<Script code='a:=a+1; b-=2*c'/>", {"set": {"a": "= a + 1", "b": "= b - 2 * c"}}),
        ("<Script code=\"a:='$5'\"/>", {"set": {"a": "= '$5'"}}),
        (
            "<Script code='a:=1; b:=a+1'/>",
            {"sequence": [{"set": {"a": 1}}, {"set": {"b": "= a + 1"}}]},
        ),
        ("<X _skipIf='a && b'/>", {"X": {}, "skip_if": "a and b"}),
        (
            "<Fallback><X _skipIf='a<3'/><Y/></Fallback>",
            {"selector": [{"X": {}, "skip_if": "a < 3"}, {"Y": {}}]},
        ),
        ("<X _while='a'/>", {"X": {}, "skip_unless": "a"}),
        (
            "<Inverter><X _skipIf='a'/></Inverter>",
            {"sequence": [{"X": {}, "skip_if": "a"}], "invert": True},
        ),
        (
            "<X _while='a' _successIf='b' _post='c:=1'/>",
            {
                "sequence": [{"X": {}, "skip_unless": "a", "succeed_if": "b"}],
                "on_success": {"set": {"c": 1}},
                "on_failure": {"set": {"c": 1}},
            },
        ),
        ("<AsyncFallback><X/></AsyncFallback>", {"selector": [{"X": {}}], "yields": True}),
        (
            "<LoopDouble queue='1;2.5' value='{a}' if_empty='FAILURE'><X/></LoopDouble>",
            {
                "for_each": {
                    "item": "next_a",
                    "in": "[1.0, 2.5]",
                    "yields": True,
                    "if_empty": "failure",
                    "do": [{"set": {"a": "$next_a"}}, {"X": {}}],
                }
            },
        ),
        (
            "<LoopString queue='{a}'><X/></LoopString>",
            {
                "for_each": {
                    "item": "next_item",
                    "in": "a",
                    "takes": True,
                    "yields": True,
                    "do": {"X": {}},
                }
            },
        ),
        ("<Repeat num_cycles='{n}'><X/></Repeat>", {"X": {}, "repeat": "$n"}),
        ("<RunOnce><X/></RunOnce>", {"X": {}, "once": "skip"}),
        (
            "<WasEntryUpdated entry='{a}'/>",
            {"on_change": {"of": "a", "counts": "sets", "otherwise": "failure"}},
        ),
        (
            "<SkipUnlessUpdated entry='{a}'><X/></SkipUnlessUpdated>",
            {
                "if": {"on_change": {"of": "a", "counts": "sets", "otherwise": "skip"}},
                "then": {"X": {}},
            },
        ),
        (
            "<TryCatch><X/><Y/><Z/></TryCatch>",
            {"sequence": [{"X": {}}, {"Y": {}}], "on_failure": {"Z": {}}},
        ),
        (
            "<TryCatch catch_on_halt='true'><X/><Z/></TryCatch>",
            {"sequence": [{"X": {}}], "on_failure": {"Z": {}}, "on_halted": {"Z": {}}},
        ),
        (
            "<ParallelAll max_failures='2'><X/><Y/></ParallelAll>",
            {"parallel": {"until": "all", "failure": 2, "children": [{"X": {}}, {"Y": {}}]}},
        ),
        (
            "<IfThenElse><X/><Y/><Z/></IfThenElse>",
            {"if": {"X": {}}, "then": {"Y": {}}, "else": {"Z": {}}},
        ),
        (
            "<WhileDoElse><ScriptCondition code='a'/><Y/></WhileDoElse>",
            {"if": "a", "then": {"Y": {}}, "reactive": True},
        ),
        (
            "<Timeout msec='{t}'><X/></Timeout>",
            {
                "sequence": [
                    {"set": {"began": "= now"}},
                    {"while": "not now - began >= t / 1000", "sequence": [{"X": {}}]},
                ]
            },
        ),
        (
            "<RecoveryNode number_of_retries='3'><X/><Y/></RecoveryNode>",
            {"recovery": {"retries": 3, "do": {"X": {}}, "recover": {"Y": {}}}},
        ),
        (
            "<PipelineSequence><RateController hz='0.5'><X/></RateController><Y/>"
            "</PipelineSequence>",
            {"pipeline": [{"X": {}, "rate": 0.5}, {"Y": {}}]},
        ),
        (
            "<X _post='a:=1' _onSuccess='b:=1'/>",
            {
                "X": {},
                "on_success": [{"set": {"b": 1}}, {"set": {"a": 1}}],
                "on_failure": {"set": {"a": 1}},
            },
        ),
        (
            "<Inverter name='no'><X name='x'/></Inverter>",
            {"invert": True, "sequence": [{"X": {}, "name": "x"}], "name": "no"},
        ),
        ("<!-- why --><X _description='what'/>", {"X": {}, "about": "why\nwhat"}),
        ("<Condition ID='IsOpen' door='{door}'/>", {"IsOpen": {"door": "$door"}}),
        (
            "<Spin _successIf='done' _onFailure='a:=1'/>",
            {
                "sequence": [{"Spin": {}, "succeed_if": "done"}],
                "on_failure": {"set": {"a": 1}},
            },
        ),
        (
            "<Switch2 variable='{mode}' case_1='a' case_2='b'><X/><Y/><Z/></Switch2>",
            {
                "switch": {
                    "of": "mode",
                    "cases": {"a": {"X": {}}, "b": {"Y": {}}},
                    "default": {"Z": {}},
                }
            },
        ),
        ("<Sequence memory='false'><X/></Sequence>", {"reactive_sequence": [{"X": {}}]}),
        ("<Selector memory='true'><X/></Selector>", {"selector": [{"X": {}}]}),
        ("<FailureIsSuccess><X/></FailureIsSuccess>", {"X": {}, "force_success": True}),
        ("<retry num_failures='3'><X/></retry>", {"X": {}, "retry": 3}),
        ("<Timeout duration='2.5'><X/></Timeout>", {"X": {}, "timeout": 2.5}),
        (
            "<Parallel policy='success_on_one'><X/><Y/></Parallel>",
            {"parallel": {"success": 1, "children": [{"X": {}}, {"Y": {}}]}},
        ),
    ],
)
def test_an_element_is_its_node(xml: str, root: Any) -> None:
    assert root_of(xml) == root


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<Fallback wrap='true'><X/></Fallback>", "wrap has no counterpart"),
        ("<X _successIf='a &amp; b'/>", "_successIf: '& b' has no counterpart here"),
        ("<X _post='a'/>", "_post: only assignments have a counterpart here"),
        ("<X goal='{@goal}'/>", "goal: '{@goal}' is not a variable of treec"),
        ("<Switch2 variable='{a}' case_1='x'><X/></Switch2>", "this <Switch2> has no counterpart"),
        (
            "<RecoveryNode number_of_retries='1'><X/></RecoveryNode>",
            "<RecoveryNode>: recovery.recover: Field required",
        ),
        (
            "<RecoveryNode number_of_retries='1'><X/><Y/><Z/></RecoveryNode>",
            "<RecoveryNode> has 2 children at most",
        ),
        ("<LoopInt queue='1;x'><X/></LoopInt>", "queue: 'x' is not of the type of <LoopInt>"),
        ("<LoopInt queue='{@q}'><X/></LoopInt>", "queue: '{@q}' is not a variable of treec"),
        ("<LoopInt queue='' if_empty='IDLE'><X/></LoopInt>", "if_empty: 'IDLE' is not a status"),
        ("<LoopInt queue='' wrap='1'><X/></LoopInt>", "wrap has no counterpart"),
        ("<RateController hz='{hz}'><X/></RateController>", "hz: '{hz}' is not a number"),
        ("<Timeout msec='x'><X/></Timeout>", "msec: 'x' is not a number"),
    ],
)
def test_what_cannot_be_kept_is_an_error_and_fails_with_its_reason_if_lossy(
    xml: str, message: str
) -> None:
    done = read("\n" + xml)
    assert done.failed
    assert f"2: {message}" in messages(done)
    lossy = read("\n" + xml, lossy=True)
    assert not lossy.failed
    assert f"2: {message}: it fails here" in messages(lossy)
    assert lossy.trees[0]["root"]["check"] is False
    assert lossy.trees[0]["root"]["about"].endswith(message)
    load(to_tree_file(lossy.trees))


LOST = "<X goal='{@g}'/>"
FAILS = {"check": False, "about": "not imported: <X>: goal: '{@g}' is not a variable of treec"}


@pytest.mark.parametrize(
    ("xml", "root"),
    [
        (f"<Sequence><Y/>{LOST}</Sequence>", [{"Y": {}}, FAILS]),
        (f"<Inverter>{LOST}</Inverter>", "Inverter"),
        (f"<Sequence><Y/><Fallback>{LOST}<Y/></Fallback></Sequence>", [{"Y": {}}, "Fallback"]),
        (f"<ForceSuccess><Sequence>{LOST}</Sequence></ForceSuccess>", "ForceSuccess"),
        (f"<Own><Timeout msec='5'>{LOST}</Timeout></Own>", "Own"),
        (
            f"<Fallback><Inverter><Sequence>{LOST}</Sequence></Inverter><Y/></Fallback>",
            "Fallback",
        ),
        ("<Fallback><SubTree ID='lost'/><Y/></Fallback>", "Fallback"),
        ("<Sequence><SubTree ID='lost'/><Y/></Sequence>", [{"tree": "lost"}, {"Y": {}}]),
    ],
)
def test_a_lossy_import_fails_where_no_node_above_could_go_on(xml: str, root: Any) -> None:
    def expected(node: Any) -> Any:
        if isinstance(node, str):
            return {**FAILS, "about": FAILS["about"].replace("<X>", f"<{node}>")}
        return node

    wanted = [expected(one) for one in root] if isinstance(root, list) else expected(root)
    done = read(xml, lossy=True, lost=f"<Sequence>{LOST}</Sequence>")
    assert done.trees[0]["root"] == wanted
    assert not done.failed


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<log/>", "'log' means something else in treec: it is called 'log_node'"),
    ],
)
def test_what_has_no_counterpart_is_named_with_its_line(xml: str, message: str) -> None:
    done = read("\n" + xml)
    assert f"2: {message}" in messages(done)
    assert not done.failed
    load(to_tree_file(done.trees))


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"<root>", "1:7", "this is not XML: no element found"),
        (b"<root><a></b></root>", "1:12", "this is not XML: mismatched tag"),
        (b"<x/>", "1:1", "'x' is not a behaviour tree"),
        (b"<root/>", "1:1", "the file has no <BehaviorTree>"),
        (b"<root>\n <BehaviorTree ID='a'/></root>", "2:2", "a tree has one root; this has 0"),
        (
            b"<root><BehaviorTree ID='a'><Inverter/></BehaviorTree></root>",
            "1:28",
            "<Inverter> has one child; this has 0",
        ),
        (
            b'<!DOCTYPE r [<!ENTITY a "b">]><root>&a;</root>',
            "1:13",
            "a document type is not read here: entities may expand without end",
        ),
        (b"<a>" * 300, "1:601", "elements are nested more than 200 deep"),
    ],
)
def test_what_cannot_be_read_says_where(data: bytes, place: str, message: str) -> None:
    done = import_trees(data, "x.xml")
    assert done.failed
    assert [str(f.message) for f in done.findings if f.severity == "error"] == [message]
    assert str(done.findings[0].span) == f"x.xml:{place}"


def test_what_is_printed_is_yaml_of_one_document_a_tree() -> None:
    done = import_trees(DELIVER, "deliver.xml")
    documents = list(yaml.safe_load_all(to_tree_file(done.trees)))
    assert [one["tree"] for one in documents] == ["Deliver", "BackUp", "Clear"]

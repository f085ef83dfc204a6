"""Private entries of the blackboard, whose names begin with `_`."""

from __future__ import annotations

from tests.interchange.test_import import messages, read, structure
from tests.interchange.test_round_trip import comes_back
from tests.interchange.trees import load, view_of
from treec_interchange.exporter import export_trees
from treec_interchange.importer import import_trees
from treec_interchange.tree_yaml import to_tree_file
from treec_interchange.xml_reader import read_xml

USED = (
    "<Sequence><Script code=\"_tries:=0; goal:='_x'\"/>"
    '<ReactiveFallback _failureIf="_tries &gt; 3 || !_found">'
    '<ScriptCondition code="_tries == 3"/><Drive to="{_goal}"/></ReactiveFallback>'
    '<SubTree ID="below" _autoremap="true"/></Sequence>'
)
BELOW = '<Sequence><Look at="{_goal}" for="{time}"/></Sequence>'


def test_they_are_variables_of_their_tree_alone() -> None:
    done = read(USED, below=BELOW)
    load(to_tree_file(done.trees))
    main, below = done.trees
    assert main["vars"] == dict.fromkeys(
        ("goal", "private_found", "private_goal", "private_tries", "time"), "any"
    )
    script, choice, subtree = main["root"]
    assert script == {"set": {"private_tries": 0, "goal": "_x"}}
    assert choice["fail_if"] == "private_tries > 3 or not private_found"
    assert choice["reactive_selector"] == [
        {"check": "private_tries == 3"},
        {"Drive": {"to": "$private_goal"}},
    ]
    assert subtree == {"tree": "below", "with": {"time": "$time"}}
    assert below["vars"] == {"private_goal": "any"}
    assert not any("counterpart" in one or "left out" in one for one in messages(done))


def test_they_go_out_as_they_were() -> None:
    whole = (
        f'<root BTCPP_format="4"><BehaviorTree ID="main">{USED}</BehaviorTree>'
        f'<BehaviorTree ID="below">{BELOW}</BehaviorTree></root>'
    ).encode()
    done = import_trees(whole, "x.xml")
    back = read_xml(export_trees(view_of(*done.trees), "main", "btcpp").text.encode())
    there = read_xml(whole)
    subtree = next(e for e in there.walk() if e.tag == "SubTree")
    subtree.attributes = {"ID": "below", "time": "{time}"}  # what _autoremap stands for
    trees = [structure(e) for e in back.children if e.tag == "BehaviorTree"]
    assert trees == [structure(e) for e in there.children if e.tag == "BehaviorTree"]


def test_a_variable_of_that_name_comes_back() -> None:
    tree = {
        "tree": "main",
        "vars": {"private_x": "any", "private_": "any"},
        "root": [
            {"set": {"private_x": 1}},
            {"check": "private_x == 1 and 'private_x' == 'a'"},
            {"Go": {"to": "$private_x", "by": "private_x", "at": ["$private_x"]}},
        ],
    }
    for target in ("btcpp", "py_trees"):
        comes_back(view_of(tree), "main", target)  # type: ignore[arg-type]
    text = export_trees(view_of(tree), "main", "btcpp").text
    assert 'code="_x:=1"' in text
    assert 'to="{_x}" by="private_x"' in text


def test_a_port_of_that_name_is_no_private_entry() -> None:
    """A subtree's attributes that begin with `_` are words of BehaviorTree.CPP."""
    tree = {
        "tree": "main",
        "ports": {"private_x": "in any"},
        "root": {"Go": {"to": "$private_x"}},
    }
    assert 'to="{private_x}"' in export_trees(view_of(tree), "main", "btcpp").text
    comes_back(view_of(tree), "main", "btcpp")


def test_a_name_that_is_taken_is_told() -> None:
    done = read('<Sequence><Go to="{_x}"/><Go to="{private_x}"/></Sequence>')
    assert "1: 'private_x' is also what its private entry is called here" in messages(done)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.nodes.build import probes, shown
from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.modifiers.while_ import While


def test_false_stops_the_node_in_that_tick():
    (a,) = probes("R")
    values = iter([True, True, False])
    node = While(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 3) == ["RUNNING aR", "RUNNING aR", "FAILURE | a", "end"]
    assert node.feedback_message == "ended by its while"


def test_false_at_first_gives_no_tick():
    (a,) = probes("S")
    values = iter([False, True])
    node = While(name="m", condition=lambda: next(values), child=a)
    assert shown(node, 2) == ["FAILURE", "SUCCESS aS", "end"]
    assert node.feedback_message == ""


GO: dict[str, object] = {"skill": "go_to", "with": {"agent": "R2", "place": "pantry"}}  # for 5 s


@pytest.mark.parametrize(
    ("node", "told"),
    [
        ({**GO, "while": "near('R2') != 'pantry'"}, "ok"),  # the skill makes it false itself
        ({"sequence": [GO], "while": "now < 5"}, "ok"),
        ({**GO, "while": "now < 5", "on_failure": {"log": "handled"}}, "ok"),
        ({**GO, "while": "now < 4.5"}, "failed"),
        ({"sequence": [GO, {"log": "after"}], "while": "now < 5"}, "failed"),
    ],
)
def test_what_has_ended_by_itself_keeps_its_result(
    tmp_path: Path, node: dict[str, object], told: str
) -> None:
    root = {"selector": [[node, {"log": "ok"}], {"log": "failed"}], "once": True}
    b = Bench(tmp_path, tree(json.dumps(root)))
    b.pass_time(20)
    assert [e.data["text"] for e in b.told("log")] == [told]

from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_a_rendered_line_is_in_the_journal(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree('log: "it is {{ mood }}"\nonce: true'))
    assert b.tick() is Status.SUCCESS
    assert [e.data["text"] for e in b.told("log")] == ["it is calm"]


def test_a_text_that_cannot_be_rendered_is_a_failure(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree('log: "{{ nothing_such }}"'))
    assert b.tick() is Status.FAILURE
    assert "nothing_such" in str(b.told("node.failed")[0].data["reason"])

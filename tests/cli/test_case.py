from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.decisions import edit, write_library

HELLO = """\
scenario: hello
system: test
user:
  - says: hello
  - {says: "R2: get pepper", after: 2s}
expect:
  finally: all_done
  within: 2m
"""


@pytest.fixture
def run(tmp_path: Path, treec: Treec) -> Path:
    """A run of the small library: two utterances, and what was decided."""
    root = write_library(tmp_path / "library", **{"hello.scenario.yaml": HELLO})
    done = treec("run", "test", "--scenario", "hello", "--fast", "-L", root, "--runs", tmp_path)
    assert "run" in done.out, done
    return next(tmp_path.glob("*-test-hello"))


@pytest.fixture
def root(run: Path) -> Path:
    return run.parent / "library"


def test_a_moment_of_a_run_becomes_a_case_that_holds(run: Path, root: Path, treec: Treec) -> None:
    done = treec("case", "add", run, "--at", "u1", "-L", root)
    assert done.status == 0, done
    file = root / "tests/decisions/choose-test-hello-u1.case.yaml"
    assert done.out.startswith("tests/decisions/choose-test-hello-u1.case.yaml: Choose at u1 (")
    text = file.read_text("utf-8")
    assert "\nnode: Choose\n" in text
    assert "utterances: {u1: {who: user, text: hello" in text
    assert treec("snapshot", "-L", root, "--record", "Choose/test-hello-u1").status == 0
    edit(
        root,
        "pack/Choose.decision.yaml",
        "{when: available, choose: Wave}",
        "{when: true, choose: Wave}",
    )
    told = treec("snapshot", "-L", root, "Choose/test-hello-u1")
    assert told.status == 1
    assert "         - Rest\n         + Wave\n" in told.out


def test_the_node_and_the_name_can_be_chosen(run: Path, root: Path, treec: Treec) -> None:
    done = treec(
        "case", "add", run, "--at", "u1", "--node", "Talk", "--name", "greeting", "-L", root
    )
    assert done.status == 0, done
    text = (root / "tests/decisions/talk-greeting.case.yaml").read_text("utf-8")
    assert "kind: remark" in text.partition("expect:")[2]


def test_it_never_writes_over_a_case(run: Path, root: Path, treec: Treec) -> None:
    assert treec("case", "add", run, "--at", "u1", "-L", root).status == 0
    again = treec("case", "add", run, "--at", "u1", "-L", root)
    assert again.status == 2
    assert "already exists; specify another --name" in again.err


def test_a_moment_that_is_not_there_ends_with_2(run: Path, root: Path, treec: Treec) -> None:
    for at, told in (
        ("u99", "no decision at u99; decisions fell at u1"),
        ("soon", "is not a moment"),
    ):
        done = treec("case", "add", run, "--at", at, "-L", root)
        assert done.status == 2
        assert told in done.err
    done = treec("case", "add", run / "nowhere", "--at", "u1", "-L", root)
    assert done.status == 2


def test_the_list_says_who_answered(root: Path, treec: Treec) -> None:
    treec("snapshot", "-L", root, "--record", "Choose")
    lines = treec("case", "list", "-L", root).out.splitlines()
    assert lines[-1] == "3 cases"
    assert lines[0].split() == [
        "Choose/somebody-is-merry",
        "offline",
        "pack/Choose.decision.yaml:25",
    ]
    assert "never recorded" in lines[2]
    assert treec("case", "list", "Share_Out", "-L", root).out.endswith("1 case\n")

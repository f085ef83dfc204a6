from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.cli.test_case import HELLO
from tests.support.decisions import write_library
from tests.support.library import WAREHOUSE
from treec_fake_model.thread import FakeModelThread


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_library(tmp_path / "library", **{"hello.scenario.yaml": HELLO})
    (tmp_path / "merry.yaml").write_text("mood: merry\navailable: [get salt]\n", "utf-8")
    return root


def test_a_node_is_asked_without_a_model(root: Path, treec: Treec) -> None:
    done = treec("ask", "Choose", "--given", root.parent / "merry.yaml", "-L", root)
    assert done.status == 0, done
    assert "── system\nYou help in a kitchen.\n\nChoose exactly one of Wave, Rest" in done.out
    asked = done.out.rpartition("── user\n")[2].partition("── schema of the answer\n")
    assert "mood: merry\navailable: get salt\n" in asked[0]
    assert '"additionalProperties": false' in asked[2]
    assert done.out.endswith(
        "No model is asked; the node's own rules answer.\ndecided by offline: Wave\n"
    )


def test_a_node_alone_shows_the_prompt_of_the_start(root: Path, treec: Treec) -> None:
    done = treec("ask", "Choose", "-L", root)
    assert done.status == 0, done
    asked = done.out.rpartition("── user\n")[2].partition("── schema of the answer\n")
    assert "mood: " in asked[0]
    assert "decided by " in asked[2]


def test_a_reading_alone_says_that_it_reads_words(root: Path, treec: Treec) -> None:
    done = treec("ask", "Talk", "-L", root)
    assert done.status == 2
    assert "Talk reads what is said: --given FILE with user_input, or --at RUN:u17" in done.err


def test_a_certain_rule_asks_nobody(root: Path, treec: Treec) -> None:
    (root.parent / "alarm.yaml").write_text("mood: alarmed\n", "utf-8")
    done = treec("ask", "Choose", "--given", root.parent / "alarm.yaml", "-L", root)
    assert done.out == "A certain rule decides; no model is asked.\ndecided by always: Rest\n"


@pytest.mark.thorough
def test_every_attempt_is_shown_with_its_verdict(
    root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    cases = [
        {"times": 1, "answer": "Well, well."},
        {"times": 1, "answer": {"reasoning": "", "choose": "Sing"}},
        {"answer": {"reasoning": "Merry.", "choose": "Wave"}},
    ]
    asked = ("ask", "Choose", "--given", root.parent / "merry.yaml", "-L", root)
    with FakeModelThread({"model": "fake-1", "cases": cases}) as server:
        model = ("--model", "openai/fake", "--api-base", server.url)
        done = treec(*asked, *model)
        assert done.status == 0, done
        told = json.loads(treec(*asked, *model, "--output-format", "json").out)
    answers = done.out.partition("── answer 1, by openai/fake@fake-1")[2]
    assert "Well, well.\n→ refused: " in answers
    assert '"Sing"' in answers
    assert "→ refused: 'choose' must be one of Wave, Rest" in answers
    assert answers.endswith("→ accepted\n──\ndecided by openai/fake@fake-1: Wave\n")
    assert told["decision"] == {"choose": "Wave"}
    assert [a["verdict"] for a in told["attempts"]] == ["accepted"]


def test_a_model_that_does_not_answer_is_said_so(
    root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    with FakeModelThread({"cases": [{"status": 400}]}) as server:
        model = ("--model", "openai/fake", "--api-base", server.url)
        done = treec("ask", "Choose", "--given", root.parent / "merry.yaml", "-L", root, *model)
    assert "No answer came: " in done.out
    assert done.out.endswith("decided by offline: Wave\n")


def test_a_moment_of_a_run_is_asked_again(root: Path, treec: Treec) -> None:
    runs = root.parent / "runs"
    treec("run", "test", "--scenario", "hello", "--fast", "-L", root, "--runs", runs)
    run = next(runs.iterdir())
    done = treec("ask", "Talk", "--at", f"{run}:u1", "-L", root)
    assert done.status == 0, done
    assert 'decided by offline: remark() "hello"\n' in done.out


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--at", "x:u1", "--given", "MERRY"), "give one of them"),
        (("--at", "x"), "is not a moment"),
        (("--given", "nowhere.yaml"), "nowhere.yaml"),
        (("--given", "WRONG"), "'mod' is not what Choose sees: acts, available, chat, mood"),
        (("--given", "MERRY", "--system", "tets"), "did you mean 'test'?"),
    ],
)
def test_what_cannot_be_asked_says_why(
    root: Path, treec: Treec, more: tuple[str, ...], told: str
) -> None:
    (root.parent / "wrong.yaml").write_text("mod: merry\n", "utf-8")
    files = {"WRONG": root.parent / "wrong.yaml", "MERRY": root.parent / "merry.yaml"}
    done = treec("ask", "Choose", *(files.get(one, one) for one in more), "-L", root)
    assert done.status == 2
    assert told in done.err


def test_a_node_that_is_not_there_is_told_with_its_nearest(root: Path, treec: Treec) -> None:
    done = treec("ask", "Chose", "--given", root.parent / "merry.yaml", "-L", root)
    assert done.status == 2
    assert "unknown node 'Chose'; did you mean the decision 'Choose'?" in done.err


def test_a_name_that_is_like_no_other_is_told_all_nodes_by_kind(root: Path, treec: Treec) -> None:
    done = treec("ask", "get_salt", "--given", root.parent / "merry.yaml", "-L", root)
    assert done.status == 2
    assert "did you mean" not in done.err
    assert "there are decisions Choose; actions " in done.err


def test_what_it_sees_may_be_given_as_yaml(root: Path, treec: Treec) -> None:
    done = treec("ask", "Choose", "--given", "{mood: merry, available: [get salt]}", "-L", root)
    assert done.out.endswith("decided by offline: Wave\n"), done


def test_a_node_that_is_asked_with_something_says_with_what(treec: Treec) -> None:
    done = treec("ask", "Subtask_To_Skills", "-L", WAREHOUSE)
    assert done.status == 2
    assert "is asked with 'agent' and 'subtask': --given FILE, or " in done.err
    assert "--given '{agent: …, subtask: …}'" in done.err

"""Exchanges: cases for whole systems, with answers of several authors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.support.decisions import edit, write_library
from treec.ask.transport import Answer, Request
from treec.decisions.cases import CaseError
from treec.decisions.exchanges import ExchangeCase, load_exchanges, play, record
from treec.files.library import load_library

__all__ = ["treec"]

YES = """\
exchange: a_yes
about: Somebody agrees to a proposal.
system: test
world:
  t: 20.0
  agents: {R1: {status: Running, current: get salt}}
  subtasks:
    get salt: {words: get the salt, task: get, args: {item: salt}, status: running, agent: R1}
    get pepper: {words: get the pepper, task: get, args: {item: pepper}}
  proposals: {p1: {agent: R2, subtask: get pepper}}
says: ["yes"]
within: 4s
must: ["'get pepper' in queue('R2') or current('R2') == 'get pepper'"]
must_not: ["'get pepper' in queue('R1')"]
"""

FILE = "tests/exchanges/a_yes.exchange.yaml"


def write(tmp_path: Path, text: str = YES) -> Path:
    return write_library(tmp_path / "library", **{FILE: text})


def only(root: Path) -> ExchangeCase:
    [found] = load_exchanges(load_library(root))
    return found


def test_an_exchange_starts_from_its_state_and_is_answered_by_the_rules(tmp_path: Path) -> None:
    exchange = only(write(tmp_path))
    assert exchange.authors() == ["rules"]
    result = play(exchange, "rules", None)
    assert result.ok, result
    assert result.requests == 0


def test_a_robot_at_work_goes_on_with_its_subtask(tmp_path: Path) -> None:
    text = YES.replace("must_not: [", "must_not: [\"done('get salt')\", ")
    result = play(only(write(tmp_path, text.replace("4s", "60s"))), "rules", None)
    assert result.failures[0].startswith("must not, but held after ")


def test_what_never_holds_and_what_held_are_failures(tmp_path: Path) -> None:
    text = YES.replace("must_not: ", "must_not: [\"current('R2') == 'get pepper'\", ").replace(
        "[\"'get pepper' in queue('R1')\"]", "\"'get pepper' in queue('R1')\"]"
    )
    root = write(tmp_path, text.replace('["yes"]', '["hello"]'))
    result = play(only(root), "rules", None)
    assert result.failures == [
        "must, but never held: 'get pepper' in queue('R2') or current('R2') == 'get pepper'"
    ]
    edit(root, FILE, '"hello"', '"yes"')
    result = play(only(root), "rules", None)
    assert result.failures == ["must not, but held after 1 s: current('R2') == 'get pepper'"]


def test_a_condition_that_nothing_can_tell_is_a_failure(tmp_path: Path) -> None:
    root = write(tmp_path, YES.replace("queue('R1')", "queue('R9')"))
    [failure] = play(only(root), "rules", None).failures
    assert failure.startswith("must not, but nothing can tell: 'get pepper' in queue('R9'): ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("queue('R1')", "qeue('R1')", f"{FILE}:14:12: 'qeue' is not a name"),
        ("queue('R1')", "avaliable", f"{FILE}:14:12: 'avaliable' is not a name"),
        ("t: 20.0", "tt: 20.0", f"{FILE}:1: a_yes: a world has no 'tt'"),
        ("system: test", "system: tset", "there is no system 'tset': did you mean 'test'?"),
        ("within: 4s", "withn: 4s", "unknown key 'withn'"),
    ],
)
def test_a_wrong_file_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    root = write(tmp_path, YES.replace(old, new))
    with pytest.raises(CaseError) as error:
        play(only(root), "rules", None)
    assert message in str(error.value)


HAND = """\
answers:
  lazy:
    Choose: {choose: Share_Out}
    Share_Out: {actions: [{say: All right.}]}
"""


def test_answers_by_hand_stand_beside_the_rules(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path, YES + HAND)
    done = treec("cases", "-L", root)
    assert done.status == 1
    assert "  rules  ok\n" in done.out
    assert "  lazy   failed  (8 requests" in done.out
    assert "    must, but never held: 'get pepper' in queue" in done.out
    assert done.out.endswith("2 answers played: 1 not as expected\n")
    with (root / FILE).open("a") as file:
        file.write("fails: {lazy: It never assigns.}\n")
    done = treec("cases", "-L", root)
    assert (done.status, "fails as known: It never assigns." in done.out) == (0, True)
    edit(root, FILE, "lazy: It", "rules: It")
    done = treec("cases", "-L", root, "--by", "rules")
    assert (done.status, "NO LONGER FAILS" in done.out) == (1, True)


class Model:
    """Chooses the action that gives work out, and gives out what was agreed to."""

    async def ask(self, request: Request) -> Answer:
        answers = {
            "Talk": {"acts": [{"kind": "accept", "quote": "yes", "proposals": ["p1"]}]},
            "Choose": {"choose": "Share_Out"},
            "Share_Out": {
                "actions": [
                    {"assign": {"agent": "R2", "subtasks": ["get pepper"], "because": "p1"}}
                ]
            },
        }
        text = json.dumps(answers.get(request.node, {"choose": "Rest", "actions": []}))
        return Answer(text, "scripted@1", 100, 20, seconds=0.5)


def test_recorded_answers_are_kept_and_played_again(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path)
    recorded = record(only(root), "small", "scripted", Model())
    assert recorded.ok, recorded
    assert recorded.requests > 0
    exchange = only(root)
    assert exchange.authors() == ["rules", "small"]
    again = play(exchange, "small", exchange.transport("small"))
    assert (again.failures, again.said) == ([], recorded.said)
    assert (again.requests, again.tokens) == (recorded.requests, recorded.tokens)
    edit(root, "pack/Choose.decision.yaml", "You help in a kitchen.", "You help in a big kitchen.")
    done = treec("cases", "-L", root, "--by", "small")
    assert (done.status, "the answers are stale: Choose" in done.out) == (1, True)


def test_recording_replaces_the_answers_of_the_same_author(tmp_path: Path) -> None:
    root = write(tmp_path)
    exchange = only(root)
    record(exchange, "small", "scripted", Model())
    before = set(exchange.folder.rglob("*.yaml"))
    edit(root, "pack/Choose.decision.yaml", "mood: {{ mood }}", "their mood: {{ mood }}")
    exchange = only(root)
    record(exchange, "small", "scripted", Model())
    assert play(exchange, "small", exchange.transport("small")).ok
    assert len(set(exchange.folder.rglob("*.yaml"))) == len(before)


SCENARIO = """\
scenario: hello
system: test
user:
  - says: hello
  - {says: "R2: get pepper", after: 2s}
expect:
  finally: all_done
  within: 2m
"""


def test_a_moment_of_a_run_becomes_an_exchange(tmp_path: Path, treec: Treec) -> None:
    root = write_library(tmp_path / "library", **{"hello.scenario.yaml": SCENARIO})
    treec("run", "test", "--scenario", "hello", "--fast", "-L", root, "--runs", tmp_path / "runs")
    [run] = (tmp_path / "runs").iterdir()
    done = treec("case", "add", run, "--at", "t=2", "--exchange", "--says", "hello", "-L", root)
    assert done.status == 0, done
    assert done.out.startswith("tests/exchanges/test-hello-t-2.exchange.yaml\n")
    done = treec("case", "add", run, "--at", "u1", "--exchange", "--name", "hi", "-L", root)
    assert done.status == 0, done
    done = treec("cases", "-L", root)
    assert (done.status, "2 answers played: none not as expected" in done.out) == (0, True), done
    done = treec("case", "add", run, "--at", "u99", "--exchange", "-L", root)
    assert "u99 is nothing that the user said: the user said u1" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--record", "small"], "--record needs --model"),
        (["--model", "a/b", "--by", "rules"], "--by and --model exclude each other"),
        (["a_no"], "no exchange is called 'a_no': there are a_yes"),
    ],
)
def test_wrong_options_are_told(
    tmp_path: Path, treec: Treec, options: list[str], message: str
) -> None:
    done = treec("cases", *options, "-L", write(tmp_path))
    assert (done.status, message in done.err) == (2, True), done


def test_the_page_shows_the_exchange_of_the_warehouse() -> None:
    example = ROOT / "engine/treec/templates/warehouse/tests/exchanges/stop_hauler.exchange.yaml"
    page = (ROOT / "docs/exchanges.md").read_text("utf-8")
    assert f"```yaml\n{example.read_text('utf-8')}```" in page


def test_the_warehouse_passes_its_exchange(tmp_path: Path, treec: Treec) -> None:
    assert treec("init", tmp_path / "depot", "--from", "warehouse").status == 0
    done = treec("cases", "-L", tmp_path / "depot")
    assert (done.status, "2 answers played: none not" in done.out) == (0, True), done

"""Cases of whole systems, with answers of several authors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.support.decisions import edit, write_library
from treec.ask.transport import Answer, Request
from treec.files.library import load_library
from treec_fake_model.thread import FakeModelThread
from treec_testing.decisions.cases import CaseError
from treec_testing.decisions.snapshot import Snapshot
from treec_testing.decisions.system_cases import PlayResult, SystemCase, play, record

__all__ = ["treec"]

YES = """\
case: a_yes
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

FILE = "tests/decisions/a_yes.case.yaml"


def write(tmp_path: Path, text: str = YES) -> Path:
    return write_library(tmp_path / "library", **{FILE: text})


def systems(root: Path) -> dict[str, SystemCase]:
    snapshot = Snapshot.open(load_library(root))
    return {case.id: case for case in snapshot.systems}


def by_rules(root: Path) -> PlayResult:
    return play(systems(root)["a_yes/rules"])


def test_a_system_starts_from_its_world_and_is_played_by_its_rules(tmp_path: Path) -> None:
    of_a_node = "case: a_first\nnode: Choose\ngiven: {mood: calm}\nexpect: {choose: Wave}\n"
    root = write_library(
        tmp_path / "library",
        **{FILE: YES, "tests/decisions/a_first.case.yaml": of_a_node},
    )
    assert list(systems(root)) == ["a_yes/rules"]
    result = by_rules(root)
    assert result.ok, result
    assert result.spent.answers == 0


def test_a_robot_at_work_goes_on_with_its_subtask(tmp_path: Path) -> None:
    text = YES.replace("must_not: [", "must_not: [\"done('get salt')\", ")
    result = by_rules(write(tmp_path, text.replace("4s", "60s")))
    assert result.failures[0].startswith("must not, but held after ")


def test_what_never_holds_and_what_held_are_failures(tmp_path: Path) -> None:
    text = YES.replace("must_not: ", "must_not: [\"current('R2') == 'get pepper'\", ").replace(
        "[\"'get pepper' in queue('R1')\"]", "\"'get pepper' in queue('R1')\"]"
    )
    root = write(tmp_path, text.replace('["yes"]', '["hello"]'))
    result = by_rules(root)
    assert result.failures == [
        "must, but never held: 'get pepper' in queue('R2') or current('R2') == 'get pepper'"
    ]
    edit(root, FILE, '"hello"', '"yes"')
    result = by_rules(root)
    assert result.failures == ["must not, but held after 1 s: current('R2') == 'get pepper'"]


def test_a_condition_that_nothing_can_tell_is_a_failure(tmp_path: Path) -> None:
    root = write(tmp_path, YES.replace("queue('R1')", "queue('R9')"))
    [failure] = by_rules(root).failures
    assert failure.startswith("must not, but never evaluated: 'get pepper' in queue('R9'): ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("queue('R1')", "qeue('R1')", f"{FILE}:14:12: unknown name 'qeue'; did you mean 'queue'?"),
        ("queue('R1')", "avaliable", f"{FILE}:14:12: unknown name 'avaliable'"),
        ("t: 20.0", "tt: 20.0", f"{FILE}:1: a_yes/rules: unknown key of a world 'tt'"),
        ("system: test", "system: tset", "unknown system 'tset'; did you mean 'test'?"),
        ("within: 4s", "withn: 4s", "unknown key 'withn'"),
    ],
)
def test_a_wrong_file_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    root = write(tmp_path, YES.replace(old, new))
    with pytest.raises(CaseError) as error:
        by_rules(root)
    assert message in str(error.value)


def test_the_command_names_what_is_wrong_in_a_case(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path, YES.replace("t: 20.0", "tt: 20.0"))
    done = treec("snapshot", "-L", root)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"treec: {FILE}:1: a_yes/rules: unknown key of a world 'tt'; did you mean 't'?\n"
    )


HAND = """\
answers:
  lazy:
    Choose: {choose: Share_Out}
    Share_Out: {actions: [{say: {claims: [{is: unclear}]}}]}
"""


def test_answers_by_hand_stand_beside_the_rules(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path, YES + HAND)
    done = treec("snapshot", "a_yes", "-L", root)
    assert done.status == 1
    assert done.out == (
        "unlike   a_yes/lazy: it does not do as it must\n"
        "         must, but never held: 'get pepper' in queue('R2') or current('R2') == 'get "
        "pepper'\n"
        "         said: Hello, I am calm.\n"
        "         said: Sorry, I did not get that.\n"
        "         said: Hello, I am calm.\n"
        "         = help: mend it, or write why it fails under `fails`, after 'lazy:'\n\n"
        "lazy: 0 of 1 played as expected (8 requests, 0 tokens, 0.0 s)\n"
        "rules: 1 of 1 played as expected\n"
        "2 cases: 1 unlike\n"
    )
    with (root / FILE).open("a") as file:
        file.write("fails: {lazy: It never assigns.}\n")
    done = treec("snapshot", "a_yes", "-L", root)
    assert (done.status, "  a_yes/lazy: It never assigns.\n" in done.out) == (0, True)
    edit(root, FILE, "lazy: It", "rules: It")
    done = treec("snapshot", "a_yes/rules", "-L", root)
    assert (done.status, "changed  a_yes/rules: it no longer fails\n" in done.out) == (1, True)


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


def record_answers(root: Path) -> PlayResult:
    """Keep the model's answers as those of `small`; returns how they are played again."""
    snapshot = Snapshot.open(load_library(root))
    case = snapshot.systems[0].by("small")
    snapshot.save_answers(case, record(case, "scripted", Model()))
    snapshot.prune_parts()
    return play(systems(root)["a_yes/small"])


def test_recorded_answers_are_kept_and_played_again(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path)
    result = record_answers(root)
    assert (result.failures, result.missed) == ([], "")
    assert result.spent.answers > 0
    spent = result.spent
    assert (spent.tokens, sum(spent.seconds)) == (120 * spent.answers, 0.5 * spent.answers)
    assert list(systems(root)) == ["a_yes/rules", "a_yes/small"]
    edit(root, "pack/Choose.decision.yaml", "You help in a kitchen.", "You help in a big kitchen.")
    done = treec("snapshot", "-L", root, "a_yes/small")
    assert done.status == 1
    assert "stale    a_yes/small: its answers are those to other requests\n" in done.out
    assert "'big' was added" in done.out
    assert "treec snapshot --refresh 'a_yes/small' --model NAME" in done.out
    done = treec("snapshot", "-L", root, "--refresh", "a_yes")
    assert "a_yes/small was answered by a model: specify one with --model\n" in done.out


def test_recording_replaces_the_answers_of_the_same_author(tmp_path: Path) -> None:
    root = write(tmp_path)
    folder = root / "tests/decisions/recordings"
    record_answers(root)
    before = set(folder.rglob("*.yaml"))
    edit(root, "pack/Choose.decision.yaml", "mood: {{ mood }}", "their mood: {{ mood }}")
    assert record_answers(root).ok
    after = set(folder.rglob("*.yaml"))
    assert len(after) == len(before)
    assert after != before


def test_recorded_answers_share_the_parts_of_all_recordings(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path)
    record_answers(root)
    folders = (root / "tests/decisions").rglob("parts")
    assert [path.parent.name for path in folders] == ["recordings"]
    assert Snapshot.open(load_library(root)).unused() == []
    (root / FILE).unlink()
    unused = Snapshot.open(load_library(root)).unused()
    assert any(finding.case.startswith("a_yes/small/Choose/") for finding in unused)
    treec("snapshot", "-L", root, "--prune")
    assert not list((root / "tests/decisions/recordings").rglob("*.yaml"))


def test_an_answer_that_cannot_be_read_is_reported(tmp_path: Path, treec: Treec) -> None:
    root = write(tmp_path)
    record_answers(root)
    path = next((root / "tests/decisions/recordings/a_yes/small/Choose").iterdir())
    path.write_text("recording: [", "utf-8")
    done = treec("snapshot", "-L", root, "a_yes")
    assert (done.status, "broken   a_yes/small: its recording cannot be read" in done.out) == (
        1,
        True,
    ), done


@pytest.mark.thorough
def test_a_model_answers_the_cases_that_are_named(
    tmp_path: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    root = write(tmp_path)
    treec("snapshot", "-L", root, "--record")
    script = {
        "model": "small",
        "cases": [
            {"node": "Talk", "answer": {"acts": []}},
            {"node": "Choose", "answer": {"reasoning": "", "choose": "Rest"}},
            {"answer": {"reasoning": "", "actions": []}},
        ],
    }
    with FakeModelThread(script) as server:
        model = ("--model", "openai/small", "--api-base", server.url)
        done = treec("snapshot", "-L", root, "--record", *model)
        assert (done.status, len(server.model.asked)) == (0, 0), done
        done = treec("snapshot", "-L", root, "a_yes", "--record", *model)
        assert "recorded a_yes/small (" in done.out
        asked = len(server.model.asked)
        assert asked > 0
        done = treec("snapshot", "-L", root, "a_yes", "--record", *model)
        assert len(server.model.asked) == asked
        treec("snapshot", "-L", root, "--refresh", "a_yes", *model)
        assert len(server.model.asked) > asked
    listed = treec("case", "list", "a_yes", "-L", root).out.splitlines()
    assert [line.split()[:2] for line in listed[:-1]] == [
        ["a_yes/rules", "rules"],
        ["a_yes/small", "small"],
    ]


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


def test_a_moment_of_a_run_becomes_a_case(tmp_path: Path, treec: Treec) -> None:
    root = write_library(tmp_path / "library", **{"hello.scenario.yaml": SCENARIO})
    treec("run", "test", "--scenario", "hello", "--fast", "-L", root, "--runs", tmp_path / "runs")
    [run] = (tmp_path / "runs").iterdir()
    done = treec("case", "add", run, "--at", "t=2", "--whole", "--says", "hello", "-L", root)
    assert done.status == 0, done
    assert done.out.startswith("tests/decisions/test-hello-t-2.case.yaml\n")
    assert done.out.endswith("then run: treec snapshot test-hello-t-2\n")
    done = treec("case", "add", run, "--at", "u1", "--whole", "--name", "hi", "-L", root)
    assert done.status == 0, done
    done = treec("snapshot", "hi", "test-hello-t-2", "-L", root)
    assert (done.status, "rules: 2 of 2 played as expected" in done.out) == (0, True), done
    done = treec("case", "add", run, "--at", "u99", "--whole", "-L", root)
    assert "unknown utterance 'u99'; known: u1" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["a_yess"], "unknown case 'a_yess'; did you mean 'a_yes'?"),
        (["--accept", "a_yes"], "a_yes/rules: write why it fails under `fails` in tests/decisions"),
        (["a_yes", "--record", "--answer", "x"], "--answer is for one case of a node"),
    ],
)
def test_wrong_options_are_reported(
    tmp_path: Path, treec: Treec, options: list[str], message: str
) -> None:
    done = treec("snapshot", *options, "-L", write(tmp_path))
    assert (done.status, message in done.err) == (2, True), done


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "case: x\nnode: Choose\nsays: [hello]\n",
            "x.case.yaml:3:7: 'says': not allowed in a case with a `node`",
        ),
        ("case: x\ngiven: {mood: calm}\n", "x.case.yaml:2:8: 'given': only a case with a `node`"),
        ("case: Choose\nsystem: test\nanswers: {somebody-is-merry: {}}\n", "already the name"),
    ],
)
def test_keys_of_nodes_and_of_systems_are_kept_apart(
    tmp_path: Path, text: str, message: str
) -> None:
    root = write_library(tmp_path, **{"tests/decisions/x.case.yaml": text})
    with pytest.raises(CaseError) as error:
        Snapshot.open(load_library(root))
    assert message in str(error.value)


OLD = "tests/exchanges/a_yes.exchange.yaml"


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A library with an exchange and its answers, as older versions wrote them."""
    root = write(tmp_path)
    record_answers(root)
    (root / "tests/exchanges/answers").mkdir(parents=True)
    (root / "tests/decisions/recordings/a_yes").rename(root / "tests/exchanges/answers/a_yes")
    (root / "tests/decisions/recordings/parts").rename(
        root / "tests/exchanges/answers/a_yes/small/parts"
    )
    (root / OLD).write_text(YES.replace("case:", "exchange:"), "utf-8")
    shutil.rmtree(root / "tests/decisions")
    (root / "treec.toml").write_text('[library]\nexclude = ["tests"]\n', "utf-8")
    return root


def test_an_exchange_is_reported_though_tests_are_no_part_of_the_library(
    former: Path, treec: Treec
) -> None:
    done = treec("check", "-L", former)
    assert done.status == 1
    assert f"{OLD}:1:1: error TC105: an exchange is a case now" in done.out
    assert (
        f"rename it to '{FILE}', and begin with 'case: NAME': 'treec check --fix' does" in done.out
    )


def test_an_exchange_becomes_a_case_with_its_answers(former: Path, treec: Treec) -> None:
    done = treec("check", "-L", former, "--fix")
    assert done.status == 0, done
    assert done.out.startswith(
        f"{OLD}: renamed to {FILE}\n"
        "tests/exchanges/answers/a_yes: moved to tests/decisions/recordings/a_yes\n"
    )
    assert (former / FILE).read_text("utf-8") == YES
    assert not (former / "tests/exchanges").exists()
    done = treec("snapshot", "a_yes", "-L", former)
    assert "small: 1 of 1 played as expected" in done.out
    assert done.status == 0


def test_the_page_shows_the_case_of_the_warehouse() -> None:
    example = ROOT / "engine/treec/templates/warehouse/tests/decisions/stop_hauler.case.yaml"
    page = (ROOT / "docs/snapshots.md").read_text("utf-8")
    assert f"```yaml\n{example.read_text('utf-8')}```" in page


def test_the_warehouse_passes_its_case(tmp_path: Path, treec: Treec) -> None:
    assert treec("init", tmp_path / "depot", "--from", "warehouse").status == 0
    done = treec("snapshot", "stop_hauler", "-L", tmp_path / "depot")
    assert (done.status, "2 cases: nothing differs" in done.out) == (0, True), done

"""Decisions under test, through the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Treec
from tests.support.decisions import CALM, MERRY, YES, edit, write_library
from tests.support.pool import FakePool
from treec.files.library import load_library
from treec_fake_model.thread import FakeModelThread
from treec_testing.decisions.findings import Tally
from treec_testing.decisions.snapshot import Snapshot
from treec_testing.recordings.folder import RecordingFolder
from treec_testing.recordings.recording import recording_data
from treec_testing.recordings.yaml_text import to_yaml

PLAYED = """\
case: b
about: A request, and what must follow.
system: test
says: ["yes"]
within: 4s
must: ["false"]
must_not: []
"""
PROMPT = "pack/Choose.decision.yaml"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A small library, nothing recorded."""
    return write_library(tmp_path)


@pytest.fixture
def recorded(small: Path, treec: Treec) -> Path:
    """The same, recorded offline."""
    done = treec("snapshot", "--record", "-L", small)
    assert done.status == 0, done
    return small


def findings(treec: Treec, root: Path, *more: str) -> list[dict[str, Any]]:
    done = treec("snapshot", "-L", root, "--output-format", "json", *more)
    told: list[dict[str, Any]] = json.loads(done.out)["findings"]
    assert done.status == (1 if told else 0), done.err
    return told


def test_what_was_never_recorded_is_missing(small: Path, treec: Treec) -> None:
    told = findings(treec, small)
    assert [(f["kind"], f["case"]) for f in told] == [
        ("missing", MERRY),
        ("missing", CALM),
        ("missing", YES),
    ]
    assert told[0]["where"] == "pack/Choose.decision.yaml:25"
    assert told[0]["help"] == "treec snapshot --record"


@pytest.mark.thorough
def test_cases_are_judged_elsewhere_as_here(small: Path, treec: Treec) -> None:
    """Whichever ends first; what is found, its order and all totals."""
    write_library(small / "more", **{"tests/decisions/b.case.yaml": PLAYED})
    snapshot = Snapshot.open(load_library(small / "more"))
    here = snapshot.judge(snapshot.every)
    pool = FakePool(2, deaths=(1,))
    there = snapshot.judge(snapshot.every, pool=pool)
    assert list(there.lines()) == list(here.lines())
    assert there.rates.data() == here.rates.data()
    assert (there.ids, there.played, there.scores) == (here.ids, here.played, here.scores)
    assert len(pool.opened[0].calls) == here.cases + 1
    refused = treec("snapshot", "-L", small, "--on", "dask")
    assert (refused.status, "not 'dask'" in refused.err) == (2, True)


@pytest.mark.thorough
def test_processes_find_what_one_finds(small: Path, treec: Treec) -> None:
    one = treec("snapshot", "-L", small, "--output-format", "json")
    two = treec("snapshot", "-L", small, "--output-format", "json", "--jobs", 2)
    assert (two.status, two.out) == (one.status, one.out) == (1, one.out)


def test_recorded_offline_all_is_as_it_was(recorded: Path, treec: Treec) -> None:
    done = treec("snapshot", "-L", recorded)
    assert done.status == 0
    assert done.out == ("offline: 3 of 3 decided as expected\n3 cases: nothing differs\n")


def test_one_changed_word_in_a_prompt_is_stale_with_the_word(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [("stale", MERRY), ("stale", CALM)]
    assert told[0]["parts"] == ["instructions"]
    assert told[0]["words"] == [["exactly", "just"]]
    shown = treec("snapshot", "-L", recorded).out
    assert shown.startswith(
        "stale    Choose, 2 cases: the instructions changed\n"
        "         instructions, line 1: 'exactly' → 'just'\n"
        "           - Choose exactly one of Wave, Rest.\n"
        "           + Choose just one of Wave, Rest.\n"
        "         = help: treec snapshot --refresh 'Choose'\n"
    )


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("You help in", "You cook in", "system"),
        ("mood: {{ mood }}", "mood = {{ mood }}", "examples, observation"),
        ("reasoning: So am I.", "reasoning: I am.", "examples"),
        ("  Rest: Nothing is", "  Idle: More.\n  Rest: Nothing is", "instructions, schema"),
        ("examples:", "model: {temperature: 0.5}\nexamples:", "settings"),
    ],
)
def test_a_stale_question_names_its_parts(
    recorded: Path, treec: Treec, old: str, new: str, part: str
) -> None:
    edit(recorded, PROMPT, old, new)
    idle = "action: Idle\nabout: Idle.\nsees: [mood]\nmay: [no_op]\noffline: [{do: [no_op]}]\n"
    if "Idle" in new:
        (recorded / "pack/Idle.action.yaml").write_text(idle, "utf-8")
    told = findings(treec, recorded, CALM)
    assert [f["kind"] for f in told] == ["stale"]
    assert ", ".join(told[0]["parts"]) == part


def test_a_flipped_decision_is_changed_with_both(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [("changed", MERRY)]
    assert told[0]["before"] == {"choose": "Wave"}
    assert told[0]["after"] == {"choose": "Rest"}
    shown = treec("snapshot", "-L", recorded).out
    assert f"changed  {MERRY}: it decides otherwise than was recorded\n" in shown
    assert "         - Wave\n         + Rest\n" in shown


def test_accepted_it_stands_and_is_counted(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    done = treec("snapshot", "-L", recorded, "--accept", MERRY, "--because", "Nobody waves here.")
    assert done.status == 0, done
    assert f"accepted {MERRY}\n" in done.out
    assert "offline: 2 of 3 decided as expected\n" in done.out
    told = "1 decided otherwise than expected, and was accepted so:\n"
    assert f"{told}  {MERRY}: Nobody waves here.\n" in done.out
    text = recording(recorded, MERRY).read_text("utf-8")
    assert "instead_of: {choose: Wave}\n" in text
    assert "because: " in text


def test_without_a_reason_what_is_not_expected_is_not_accepted(
    recorded: Path, treec: Treec
) -> None:
    edit(recorded, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    before = recording(recorded, MERRY).read_bytes()
    done = treec("snapshot", "-L", recorded, "--accept", MERRY)
    assert done.status == 1
    assert f"{MERRY} decides Rest, but Wave is expected: add --because" in done.err
    assert recording(recorded, MERRY).read_bytes() == before
    treec("snapshot", "-L", recorded, "--accept", MERRY, "--because", "No.")
    path = recording(recorded, MERRY)
    path.write_text(path.read_text("utf-8").replace("because: No.\n", ""), "utf-8")
    (told,) = findings(treec, recorded)
    assert told["kind"] == "unlike"
    assert told["text"].endswith("accepted without a reason")
    assert treec("snapshot", "-L", recorded, "--because", "x").status == 2


def test_a_reason_goes_with_the_difference(recorded: Path, treec: Treec) -> None:
    rule = "{when: mood == 'merry', choose: Wave}"
    edit(recorded, PROMPT, rule, "{when: mood, choose: Rest}")
    treec("snapshot", "-L", recorded, "--accept", MERRY, "--because", "So be it.")
    edit(recorded, PROMPT, "{when: mood, choose: Rest}", rule)
    assert treec("snapshot", "-L", recorded, "--accept", MERRY).status == 0
    assert "because" not in recording(recorded, MERRY).read_text("utf-8")


def test_what_was_accepted_is_no_longer_when_the_case_expects_something_else(
    small: Path, treec: Treec
) -> None:
    edit(small, PROMPT, "  Rest: Nothing", "  Nod: The person nods.\n  Rest: Nothing")
    rest = (small / "pack/Rest.action.yaml").read_text("utf-8")
    (small / "pack/Nod.action.yaml").write_text(rest.replace("Rest", "Nod"), "utf-8")
    treec("snapshot", "--record", "-L", small)
    edit(small, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    treec("snapshot", "-L", small, "--accept", MERRY, "--because", "Nobody waves here.")
    edit(
        small,
        PROMPT,
        "answer: {reasoning: So am I., choose: Wave}",
        "answer: {choose: Nod}",
    )
    told = findings(treec, small, MERRY)
    assert [f["kind"] for f in told] == ["unlike"]
    assert told[0]["before"] == {"choose": "Nod"}


def test_an_answer_to_another_question_is_not_accepted(recorded: Path, treec: Treec) -> None:
    before = recording(recorded, MERRY).read_bytes()
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    done = treec("snapshot", "-L", recorded, "--accept", MERRY)
    assert done.status == 1
    assert f"{MERRY}: the question has changed since it was recorded" in done.err
    assert recording(recorded, MERRY).read_bytes() == before


def test_asked_anew_it_is_no_longer_stale(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    done = treec("snapshot", "-L", recorded, "--refresh", "Choose")
    assert done.status == 0, done.out
    assert findings(treec, recorded) == []


def test_asked_anew_with_another_decision_is_changed_until_accepted(
    recorded: Path, treec: Treec
) -> None:
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    edit(recorded, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    assert treec("snapshot", "-L", recorded, "--refresh", MERRY).status == 1
    assert [f["kind"] for f in findings(treec, recorded, MERRY)] == ["changed"]
    why = ("--because", "Nobody waves here.")
    assert treec("snapshot", "-L", recorded, "--accept", MERRY, *why, MERRY).status == 0


def test_a_recording_that_no_case_asks_is_unused(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "Somebody is merry.", "Somebody is glad.")
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [
        ("missing", "Choose/somebody-is-glad"),
        ("unused", MERRY),
    ]
    done = treec("snapshot", "-L", recorded, "--prune", "--record")
    assert done.status == 0, done
    assert not recording(recorded, MERRY).exists()


def test_a_new_agent_or_recipe_makes_no_case_stale(recorded: Path, treec: Treec) -> None:
    (recorded / "pack/R3.agent.yaml").write_text(
        "agent: R3\nis: Robot\nabout: New.\ncan: [get]\nskills: {go_to: {}, pick: {}, place: {}}\n"
    )
    assert findings(treec, recorded) == []
    assert treec("snapshot", "-L", recorded, "--refresh", CALM).status == 0
    assert any("R3 can get" in part.read_text("utf-8") for part in parts(recorded, "knows"))


def test_a_recording_edited_by_hand_is_told(recorded: Path, treec: Treec) -> None:
    path = recording(recorded, MERRY)
    path.write_text(path.read_text("utf-8").replace("mood: merry", "mood: marry"), "utf-8")
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [("edited", MERRY)]


def test_recordings_that_cannot_be_read_are_told_each_and_the_others_go_on(
    recorded: Path, treec: Treec
) -> None:
    recording(recorded, MERRY).write_text("recording: [", "utf-8")
    path = recording(recorded, CALM)
    text = path.read_text("utf-8")
    path.write_text(text.replace("\nby: ", "\nbye: ").replace("\nkind: ", "\nkind: 3 #"), "utf-8")
    edit(recorded, "pack/Share_Out.action.yaml", "Answer with", "Tell")
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [
        ("broken", MERRY),
        ("broken", CALM),
        ("stale", YES),
    ]
    shown = treec("snapshot", "-L", recorded).out
    where = recording(recorded, CALM).relative_to(recorded)
    assert f"{recording(recorded, MERRY).relative_to(recorded)}:1:" in shown
    assert f"{where}:4:1: unknown key 'bye'; did you mean 'by'?" in shown
    assert f"{where}:3:7: 'kind': text is expected here" in shown
    listed = treec("case", "list", "-L", recorded)
    assert listed.status == 0
    assert "cannot be read" in listed.out


def test_a_recording_that_cannot_be_read_is_kept_until_it_is_asked_anew(
    recorded: Path, treec: Treec
) -> None:
    path = recording(recorded, MERRY)
    path.write_text("recording: [", "utf-8")
    assert treec("snapshot", "-L", recorded, "--record").status == 1
    assert path.read_text("utf-8") == "recording: ["
    accepting = treec("snapshot", "-L", recorded, "--accept", MERRY)
    assert (accepting.status, "cannot be read" in accepting.err) == (1, True)
    assert treec("snapshot", "-L", recorded, "--refresh", MERRY).status == 0


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("hand", "'by' says hand, and no answer stands in it"),
        ("openai/x@1", "'by' says openai/x@1, and no answer stands in it"),
        ("always", "'by' says always, and a request is recorded"),
    ],
)
def test_who_answered_cannot_be_written_over(
    recorded: Path, treec: Treec, by: str, why: str
) -> None:
    path = recording(recorded, MERRY)
    path.write_text(path.read_text("utf-8").replace("\nby: offline", f"\nby: {by}"), "utf-8")
    (told,) = findings(treec, recorded)
    assert (told["kind"], told["text"]) == ("edited", f"its recording was edited: {why}")


def test_a_library_with_errors_ends_with_2(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "choose: Wave", "choose: Wafe")
    done = treec("snapshot", "-L", recorded)
    assert done.status == 2
    assert "TC402" in done.err


def test_a_word_that_means_no_case_ends_with_2(recorded: Path, treec: Treec) -> None:
    done = treec("snapshot", "-L", recorded, "Chose")
    assert done.status == 2
    assert "unknown case 'Chose'; did you mean 'Choose'?" in done.err


def test_cases_are_meant_by_node_by_pattern_and_by_file(recorded: Path, treec: Treec) -> None:
    for word, count in (("Choose", 2), ("*/a-yes", 1), (PROMPT, 2), ("pack", 3), (MERRY, 1)):
        assert f"{count} case" in treec("snapshot", "-L", recorded, word).out


def test_a_certain_rule_is_recorded_as_such_and_its_end_is_told(small: Path, treec: Treec) -> None:
    edit(small, PROMPT, "{mood: calm}", "{mood: alarmed}")
    treec("snapshot", "-L", small, "--record")
    assert "\nby: always\n" in recording(small, CALM).read_text("utf-8")
    edit(small, PROMPT, "mood == 'alarmed'", "mood == 'scared'")
    told = findings(treec, small)
    assert [(f["kind"], f["parts"]) for f in told] == [("stale", ["always"])]


def test_what_no_answer_could_decide_is_impossible(recorded: Path, treec: Treec) -> None:
    edit(
        recorded,
        "pack/Share_Out.action.yaml",
        "agent: R2, subtasks: [get pepper], because",
        "agent: R2, subtasks: [get nothing], because",
    )
    done = treec("snapshot", "-L", recorded, YES)
    assert done.status in (1, 2)
    assert "get nothing" in done.out + done.err


def recording(root: Path, case: str) -> Path:
    return root / f"tests/decisions/recordings/{case}.yaml"


def parts(root: Path, name: str = "") -> list[Path]:
    """Files of the parts that recordings share."""
    return sorted((root / "tests/decisions/recordings/parts").glob(f"{name}*.yaml"))


# Parts that recordings share


def test_recorded_again_parts_of_the_old_prompt_are_gone(recorded: Path, treec: Treec) -> None:
    count = len(parts(recorded))
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    done = treec("snapshot", "-L", recorded, "--refresh", "Choose")
    assert (done.status, len(parts(recorded))) == (0, count), done
    assert "deleted" not in done.out


def test_a_missing_part_breaks_its_recordings_until_they_are_recorded_again(
    recorded: Path, treec: Treec
) -> None:
    (part,) = (path for path in parts(recorded, "schema") if "Wave" in path.read_text("utf-8"))
    content = part.read_bytes()
    part.unlink()
    assert [(f["kind"], f["case"]) for f in findings(treec, recorded)] == [
        ("broken", MERRY),
        ("broken", CALM),
    ]
    shown = treec("snapshot", "-L", recorded).out
    assert f"{CALM}.yaml: a part is missing: tests/decisions/recordings/parts/{part.name}" in shown
    assert f"or treec snapshot --refresh '{CALM}'" in shown
    assert treec("snapshot", "-L", recorded, "--refresh", "Choose").status == 0
    assert part.read_bytes() == content


def test_a_part_that_no_recording_refers_to_is_pruned(recorded: Path, treec: Treec) -> None:
    part = parts(recorded)[0].with_name(f"system-{'0' * 16}.yaml")
    part.write_text("system: You help nobody.\n", "utf-8")
    (finding,) = findings(treec, recorded)
    assert (finding["kind"], finding["help"]) == ("unused", "treec snapshot --prune")
    assert finding["where"] == f"tests/decisions/recordings/parts/{part.name}"
    assert treec("snapshot", "-L", recorded, "Choose").status == 0
    assert treec("snapshot", "-L", recorded, "--prune").status == 0
    assert not part.exists()


def test_no_part_is_deleted_while_a_recording_cannot_be_read(recorded: Path, treec: Treec) -> None:
    before = parts(recorded)
    recording(recorded, MERRY).write_text("recording: [", "utf-8")
    edit(recorded, PROMPT, "Choose exactly one", "Choose just one")
    treec("snapshot", "-L", recorded, "--refresh", CALM, "--prune")
    assert set(before) < set(parts(recorded))


def test_recordings_of_older_versions_are_read_and_pruning_stores_their_parts_apart(
    recorded: Path, treec: Treec
) -> None:
    folder = RecordingFolder(recorded / "tests/decisions/recordings")
    before = {path: path.read_bytes() for path in folder.path.rglob("*.yaml")}
    for path in folder.files():
        path.write_text(to_yaml(recording_data(folder.read(path))), "utf-8")
    for path in parts(recorded):
        path.unlink()
    assert findings(treec, recorded) == []
    done = treec("snapshot", "-L", recorded, "--prune")
    assert (done.status, f"stored the parts of {CALM} apart\n" in done.out) == (0, True)
    assert {path: path.read_bytes() for path in folder.path.rglob("*.yaml")} == before


# With a model, on loopback

ASKED_MERRY = r"(?s)mood: calm.*mood: merry"
"""The other example stands before what is asked."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelThread]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-in-a-recording-0123456789")
    script = {
        "model": "fake-1",
        "cases": [
            {"when": "Pick", "answer": {"reasoning": "", "choose": "Rest"}},
            {"node": "Choose", "when": ASKED_MERRY, "times": 1, "answer": "Hm, hard to say."},
            {"node": "Choose", "when": ASKED_MERRY, "answer": {"choose": "Wave"}},
            {"node": "Choose", "answer": {"reasoning": "Quiet.", "choose": "Rest"}},
            {
                "node": "Share_Out",
                "answer": {
                    "reasoning": "",
                    "actions": [
                        {"assign": {"agent": "R2", "subtasks": ["get pepper"], "because": "p1"}}
                    ],
                },
            },
        ],
    }
    with FakeModelThread(script) as server:
        yield server


@pytest.mark.thorough
def test_a_model_is_asked_for_what_is_missing_and_replayed_ever_after(
    small: Path, treec: Treec, model: FakeModelThread
) -> None:
    asked = ("--model", "openai/fake", "--api-base", model.url)
    done = treec("snapshot", "-L", small, "--record", *asked)
    assert done.status == 0, done
    text = recording(small, YES).read_text("utf-8")
    assert "\nby: openai/fake-1@" in text or "\nby: openai/fake" in text
    assert "sk-never" not in "".join(p.read_text("utf-8") for p in small.rglob("*.yaml"))
    count = len(model.model.asked)
    assert findings(treec, small) == []
    assert len(model.model.asked) == count
    scores = json.loads(treec("snapshot", "-L", small, "--output-format", "json").out)["scores"]
    assert list(scores.values()) == [{"asked": 3, "as_expected": 3}]

    # edited, it is stale; asked anew, it decides otherwise; accepted, it stands
    edit(small, PROMPT, "Choose exactly one", "Pick exactly one")
    assert [f["kind"] for f in findings(treec, small)] == ["stale", "stale"]
    assert treec("snapshot", "-L", small, "--refresh", MERRY, *asked).status == 1
    told = findings(treec, small, MERRY)
    assert [(f["kind"], f["before"], f["after"]) for f in told] == [
        ("changed", {"choose": "Wave"}, {"choose": "Rest"})
    ]
    why = ("--because", "Rest is as good.")
    assert treec("snapshot", "-L", small, "--accept", MERRY, *why, MERRY).status == 0
    assert findings(treec, small, MERRY) == []


def test_every_attempt_is_kept_with_its_verdict(
    small: Path, treec: Treec, model: FakeModelThread
) -> None:
    treec("snapshot", "-L", small, "--record", "--model", "openai/fake", "--api-base", model.url)
    attempts = recording(small, MERRY).read_text("utf-8").partition("\nattempts:\n")[2]
    assert "Hm, hard to say." in attempts
    assert "refused: " in attempts
    assert "verdict: accepted" in attempts


def test_hand_written_answers_enter_no_score(
    small: Path, treec: Treec, model: FakeModelThread
) -> None:
    asked = ("--model", "openai/fake", "--api-base", model.url)
    treec("snapshot", "-L", small, "--record", *asked)
    path = recording(small, CALM)
    text = path.read_text("utf-8").replace("Quiet.", "I say so.")
    path.write_text(text, "utf-8")
    assert [f["kind"] for f in findings(treec, small)] == ["edited"]
    path.write_text(text.replace("\nby: openai/", "\nby: hand #", 1), "utf-8")
    data = json.loads(treec("snapshot", "-L", small, "--output-format", "json").out)
    assert data["findings"] == []
    assert data["by_hand"] == 1
    assert [score["asked"] for score in data["scores"].values()] == [2]


def test_a_model_that_cannot_be_asked_leaves_no_recording(
    small: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    edit(small, PROMPT, "fallback: Rest", "fallback: Rest\nmodel: {timeout: 1s}")
    with FakeModelThread({"cases": [{"status": 400}]}) as server:
        done = treec(
            "snapshot", "-L", small, "--record", "--model", "openai/fake", "--api-base", server.url
        )
    assert done.status == 1
    assert not (small / "tests/decisions/recordings").exists()
    assert "3 missing" in done.out


RATED = {
    "cases": [
        {"node": "Choose", "when": ASKED_MERRY, "times": 2, "answer": {"choose": "Rest"}},
        {"node": "Choose", "when": ASKED_MERRY, "answer": {"choose": "Wave"}},
        {"node": "Choose", "answer": {"choose": "Rest"}, "tokens": [100, 5]},
    ]
}
"""A model that decides MERRY as expected from the third time on."""


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelThread]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    with FakeModelThread(RATED) as server:
        yield server


def test_a_model_is_asked_several_times_and_held_against_a_share(
    small: Path, treec: Treec, rated: FakeModelThread
) -> None:
    asked = ("snapshot", "Choose", "-L", small, "--api-base", rated.url, "--repeat", "4")
    page = small / "table.html"
    done = treec(*asked, "--model", "openai/one", "-o", page)
    assert done.status == 1
    assert f"unlike   {MERRY}@one: it decides 2 of 4 as expected\n" in done.out
    assert "decided  Rest  (2 of 4)" in done.out
    rows = [line.split() for line in done.out.splitlines()]
    assert [MERRY, "2/4"] in rows
    assert [CALM, "4/4"] in rows
    assert ["as", "expected", "75", "%"] in rows
    assert 'class="some"' in page.read_text("utf-8")
    assert "75 %" in page.read_text("utf-8")
    assert not (small / "tests/decisions/recordings").exists()

    several = (*asked, "--model", "openai/one", "--model", "openai/two", "--output-format", "json")
    data = json.loads(treec(*several, "--at-least", "90").out)
    assert data["findings"] == []
    both = {name: rate["as_expected"] for name, rate in data["rates"]["cases"][MERRY].items()}
    assert both == {"one": 4, "two": 4}
    assert data["rates"]["authors"]["two"]["tokens"] >= 420


def test_what_the_rules_decide_for_a_model_that_answers_nothing_is_not_as_expected(
    small: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    with FakeModelThread(RATED) as server:
        url = server.url
    done = treec("snapshot", CALM, "-L", small, "--model", "openai/one", "--api-base", url)
    assert done.status == 1
    assert f"unlike   {CALM}@one: it decides 0 of 1 as expected\n" in done.out
    assert "decided  nothing: no answer came: the server cannot be reached" in done.out


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--at-least", "80%"), "below    one: decides 3 of 4 as expected: less than 80 %"),
        (("--each-at-least", "60"), "below    {}: one decides 1 of 2 as expected: less than 60 %"),
    ],
)
def test_less_than_is_asked_for_ends_with_1(
    small: Path, treec: Treec, rated: FakeModelThread, option: tuple[str, ...], told: str
) -> None:
    asked = ("snapshot", "Choose", "-L", small, "--model", "openai/one", "--api-base", rated.url)
    treec(*asked)
    done = treec(*asked, "--repeat", "2", *option)
    assert (done.status, told.format(MERRY) in done.out) == (1, True), done.out
    assert "unlike" not in done.out


def test_where_nothing_is_expected_no_share_is_reached(small: Path, treec: Treec) -> None:
    folder = small / "tests/decisions"
    folder.mkdir(parents=True)
    free = "case: free\nnode: Choose\ngiven: {mood: merry}\n"
    (folder / "free.case.yaml").write_text(free, "utf-8")
    asked = ("snapshot", "Choose/free", "-L", small)
    assert treec(*asked, "--record").status == 0
    for option in ("--at-least", "--each-at-least"):
        done = treec(*asked, option, "95%")
        assert done.status == 1
        assert "below    rules: nothing was judged: no decision was held against" in done.out
    assert treec(*asked, "--at-least", "0").status == 0


def test_a_model_of_which_nothing_was_judged_reaches_no_share() -> None:
    tally = Tally()
    tally.rates.of("Choose/merry", "one").count(as_expected=True)
    tally.rates.of("Choose/free", "two").count(as_expected=None)
    tally.require(95, None)
    assert [(one.kind, one.case) for one in tally.findings] == [("below", "two")]


def test_prompts_of_two_libraries_stand_side_by_side(
    small: Path, treec: Treec, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = write_library(tmp_path_factory.mktemp("other"))
    edit(other, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    done = treec("snapshot", "Choose", "-L", small, "--beside", other)
    assert done.status == 1
    rows = [line.split() for line in done.out.splitlines()]
    assert [MERRY, "1/1", "0/1"] in rows
    assert treec("snapshot", "Choose", "-L", small, "--beside", other, "--record").status == 2
    assert treec("snapshot", "Choose", "-L", small, "--repeat", "2").status == 2


@pytest.mark.thorough
def test_a_case_has_recordings_of_several_authors(
    recorded: Path, treec: Treec, rated: FakeModelThread
) -> None:
    models = ("--model", "openai/one", "--model", "openai/two", "--api-base", rated.url)
    done = treec("snapshot", MERRY, "-L", recorded, "--record", "--repeat", "2", *models)
    ids = [f"{MERRY}@one", f"{MERRY}@one+2", f"{MERRY}@two", f"{MERRY}@two+2"]
    assert [line.split()[1] for line in done.out.splitlines()[:4]] == ids
    told = findings(treec, recorded)
    assert [(f["kind"], f["case"]) for f in told] == [
        ("unlike", f"{MERRY}@one"),
        ("unlike", f"{MERRY}@one+2"),
        ("below", "one"),
    ]
    asked = len(rated.model.asked)
    assert (
        treec("snapshot", MERRY, "-L", recorded, "--record", "--repeat", "2", *models).status == 1
    )
    assert len(rated.model.asked) == asked
    rows = [line.split() for line in treec("snapshot", "-L", recorded).out.splitlines()]
    assert [MERRY, "1/1", "0/2", "2/2"] in rows

    why = ("--because", "It rests.", "--accept", f"{MERRY}@one", "--accept", f"{MERRY}@one+2")
    assert treec("snapshot", "-L", recorded, *why).status == 1  # none of two is as expected
    assert [f["kind"] for f in findings(treec, recorded)] == ["below"]
    assert treec("snapshot", "-L", recorded, "--at-least", "0").status == 0
    treec("snapshot", "-L", recorded, "--refresh", "Choose", "--model", "openai/one", *models[4:])
    assert "\nby: openai/two" in recording(recorded, f"{MERRY}@two").read_text("utf-8")
    edit(recorded, PROMPT, "Somebody is merry.", "Somebody is glad.")
    assert {f["case"] for f in findings(treec, recorded) if f["kind"] == "unused"} >= {*ids, MERRY}


def test_a_hint_names_only_the_cases_that_are_shown(recorded: Path, treec: Treec) -> None:
    example = """\
  - about: Somebody is {0}.
    given: {{mood: {0}}}
    answer: {{choose: Rest}}
"""
    more = "".join(example.format(mood) for mood in ("sad", "sullen"))
    edit(
        recorded, PROMPT, "  - about: Nothing is to be done.", f"{more}  - about: Nothing is to do."
    )
    treec("snapshot", "-L", recorded, "--record", "--refresh", "Choose", "--prune")
    edit(
        recorded,
        PROMPT,
        "offline:\n",
        "offline:\n  - {when: mood == 'sad' or mood == 'sullen', choose: Wave}\n",
    )
    shown = treec("snapshot", "-L", recorded).out
    assert "changed  Choose, 2 cases: " in shown
    named = "--accept 'Choose/somebody-is-sad' --accept 'Choose/somebody-is-sullen' --because"
    assert named in shown


def test_findings_are_told_as_services_read_them(recorded: Path, treec: Treec) -> None:
    edit(recorded, PROMPT, "{when: mood == 'merry', choose: Wave}", "{when: mood, choose: Rest}")
    done = treec("snapshot", "-L", recorded, "--output-format", "github")
    assert done.status == 1
    assert done.out.startswith(f"::error file={PROMPT},line=25,")
    assert "treec snapshot --accept" in done.out
    suite = ElementTree.fromstring(
        treec("snapshot", "-L", recorded, "--output-format", "junit").out
    )[0]
    assert [(one.get("name"), len(one)) for one in suite] == [(CALM, 0), (YES, 0), (MERRY, 1)]
    log = json.loads(treec("snapshot", "-L", recorded, "--output-format", "sarif").out)
    driver = log["runs"][0]["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["changed"]
    assert driver["rules"][0]["shortDescription"]["text"].startswith("The decision differs")


def test_every_prompt_of_a_library_with_examples_has_cases(library: Path, treec: Treec) -> None:
    listed = json.loads(treec("case", "list", "-L", library, "--output-format", "json").out)
    nodes = {row["case"].rpartition("/")[0] for row in listed}
    assert nodes >= {"Dispatch", "Operator_Talk"}


def test_rules_do_not_replace_an_answer_by_hand(small: Path, treec: Treec, tmp_path: Path) -> None:
    answer = tmp_path / "answer.yaml"
    answer.write_text('{"reasoning": "I am in the mood for it.", "choose": "Wave"}')
    treec("snapshot", MERRY, "--record", "--answer", answer, "-L", small)
    edit(small, PROMPT, "Choose exactly one", "Choose just one")
    done = treec("snapshot", "-L", small, "--refresh", MERRY)
    assert f"recorded {MERRY} (by: hand)" in done.out
    file = recording(small, MERRY)
    text = file.read_text("utf-8")
    assert "I am in the mood for it." in text
    (instructions,) = parts(small, "instructions")
    assert "Choose just one" in instructions.read_text("utf-8")

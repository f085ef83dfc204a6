from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from experiments.hearing.phrases import Act
from tests.cli.conftest import Treec
from tests.hearing.floor import floor
from tests.hearing.stub_network import Given, StubNetwork

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The warehouse, heard by files alone."""
    root = tmp_path / "warehouse"
    shutil.copytree(ROOT / "engine/treec/templates/warehouse", root)
    return root


def test_words_are_shown_with_their_template(root: Path, treec: Treec) -> None:
    done = treec("hear", "Hauler, fetch crate 17 first, bla bla.", "-L", root)
    assert done.status == 0, done
    assert done.out.splitlines() == [
        'request agent: "Hauler", task: "fetch", args: {"crate": "crate 17"}, first: true',
        '    words     "Hauler, fetch crate 17 first"',
        "    template  {agent} [please] {task} first [please]",
        'not understood: "bla bla"',
    ]


def test_a_condition_holds_an_order_back(root: Path, treec: Treec) -> None:
    done = treec("hear", "If it rains, fetch crate 17", "-L", root, "--output-format", "json")
    assert done.status == 1
    data = json.loads(done.out)
    assert data["acts"] == []
    assert data["held_back"] == ["request"]


def test_a_stop_that_is_misspelt_needs_no_template(root: Path, treec: Treec) -> None:
    done = treec("hear", "Hauler stpo!", "-L", root)
    assert done.out.splitlines()[0] == 'stop agent: "Hauler"'
    assert "not understood" not in done.out


def test_leaving_a_thing_alone_is_no_order(root: Path, treec: Treec) -> None:
    assert treec("hear", "leave the label printer alone", "-L", root).status == 1


def test_a_library_without_templates_is_told(root: Path, treec: Treec) -> None:
    reading = root / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    begin, end = text.index("hearing: "), text.index("veto: ")
    reading.write_text(text[:begin] + text[end:], "utf-8")
    done = treec("hear", "hello", "--system", "warehouse", "-L", root)
    assert done.status == 2
    assert "no reading of the system 'warehouse' has templates" in done.err
    assert "this library has templates" in treec("hear", "hello", "-L", root).err


def test_the_warehouse_runs_with_files_alone(root: Path, treec: Treec) -> None:
    done = treec("run", "warehouse", "--scenario", "morning_shift", "-L", root)
    assert done.status == 0, done


def test_an_unknown_system_is_told_with_the_nearest(root: Path, treec: Treec) -> None:
    done = treec("hear", "hello", "--system", "warehous", "-L", root)
    assert (done.status, done.err) == (
        2,
        "treec: unknown system 'warehous'; did you mean 'warehouse'?\n",
    )


# The moment that is given

PROPOSED = "{proposals: [{id: p1, agent: Scout, subtask: inspect crate 12}]}"


def test_a_moment_can_be_given(root: Path, treec: Treec) -> None:
    assert treec("hear", "Yes.", "-L", root).status == 1, "at the beginning nothing is proposed"
    done = treec("hear", "Yes.", "-L", root, "--given", PROPOSED)
    assert done.status == 0, done
    assert done.out.splitlines()[:2] == ['accept proposals: ["p1"]', '    words     "Yes"']


def test_a_moment_can_be_given_in_a_file(root: Path, treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "moment.yaml"
    file.write_text(
        "proposals: [{id: p1, agent: Scout, subtask: inspect crate 12}]\n"
        "subtasks: [{words: fetch crate 17, status: running, agent: Hauler}]\n",
        "utf-8",
    )
    call = ("-L", root, "--given", file, "--output-format", "json")
    (no,) = json.loads(treec("hear", "Not yet", *call).out)["acts"]
    assert (no["kind"], no["proposals"]) == ("decline", ["p1"])
    (left,) = json.loads(treec("hear", "Hauler, leave that to somebody else", *call).out)["acts"]
    assert (left["kind"], left["subtasks"]) == ("release", ["fetch crate 17"])


def test_work_that_is_no_task_is_known_by_its_words(root: Path, treec: Treec) -> None:
    given = "{subtasks: [{words: polish floors, status: running, agent: Scout}]}"
    done = treec("hear", "Scout, leave polish floors", "-L", root, "--given", given)
    assert done.out.splitlines()[0] == 'release subtasks: ["polish floors"]'


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("{proposals: [{id: p1", "while parsing a flow mapping"),
        ("hello", "a mapping is expected, as in an example: {proposals: [...], subtasks: [...]}"),
        ("[p1]", "a mapping is expected"),
        ("", "a mapping is expected"),
        ("x" * 5000, "a mapping is expected"),
        ("\x00", "--given"),
    ],
)
@pytest.mark.few(2)
def test_a_moment_that_is_no_mapping_is_told(
    root: Path, treec: Treec, given: str, why: str
) -> None:
    done = treec("hear", "Yes.", "-L", root, "--given", given)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("treec: --given: ")
    assert why in done.err


def test_a_file_that_is_no_text_is_told(root: Path, treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "moment.yaml"
    file.write_bytes(b"\xff\xfe\xfa")
    done = treec("hear", "Yes.", "-L", root, "--given", file)
    assert (done.status, done.err.startswith("treec: --given: ")) == (2, True)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("{proposals: [{id: p1, agent: Scuot, subtask: inspect crate 12}]}", "Scuot"),
        ("{proposals: [{id: p1, subtask: inspect crate 12}]}", "agent"),
        ("{proposals: [p1]}", "p1"),
        ("{proposals: 3}", "3"),
        ("{suggestions: [inspect crate 12]}", "suggestions"),
        ("{subtasks: [[fetch crate 17]]}", "fetch crate 17"),
    ],
    ids=["unknown agent", "no agent", "id alone", "number", "unknown name", "list of lists"],
)
@pytest.mark.few(2)
def test_a_moment_of_a_wrong_shape_is_told(
    root: Path, treec: Treec, given: str, named: str
) -> None:
    done = treec("hear", "Yes.", "-L", root, "--given", given)
    assert (done.status, done.out) == (2, ""), done
    assert done.err.startswith("treec: --given: "), done.err.splitlines()[-2:]
    assert named in done.err


# With a network


@pytest.mark.thorough
def test_what_a_network_hears_is_shown_with_how_likely_it_is(
    tmp_path: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = floor(tmp_path / "floor")
    (root / "prompts" / "floor.npz").touch()
    fetch: Act = ("request", "Hauler", "fetch", (("crate", "crate 17"),), False)
    likely: dict[Act, Given] = {("accept", "p1"): 0.9, ("decline", "p1"): 0.3, fetch: (0.7, 0.0, 4)}
    monkeypatch.setattr("treec_hearing.network.read_network", lambda path: StubNetwork(likely))
    text = "Affirmative notion, and Hauler fetching crate 17. Fiddlesticks"
    call = ("hear", text, "-L", root, "--given", PROPOSED)
    assert treec(*call).out.splitlines() == [
        'accept proposals: ["p1"]',
        '    words     "Affirmative notion"',
        "    network   likely: 0.90",
        '    or        decline proposals: ["p1"]',
        'request agent: "Hauler", task: "fetch", args: {"crate": "crate 17"}, first: false',
        '    words     "and Hauler fetching crate 17"',
        "    network   likely: 0.70",
        'not understood: "Fiddlesticks"',
    ]
    data = json.loads(treec(*call, "--output-format", "json").out)
    assert [(act["kind"], act["likely"], "template" in act) for act in data["acts"]] == [
        ("accept", 0.9, False),
        ("request", 0.7, False),
    ]
    assert data["acts"][0]["others"] == [{"kind": "decline", "proposals": ["p1"]}]
    assert data["left_over"] == ["Fiddlesticks"]

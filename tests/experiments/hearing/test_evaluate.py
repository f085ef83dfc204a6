"""``python -m experiments.hearing.evaluate``: how many labelled phrases are heard right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from experiments.hearing.phrases import load_phrases
from tests.cli.conftest import Treec
from tests.experiments.conftest import Experiment
from tests.hearing.floor import BY_TEMPLATES, PHRASES, WORLD, floor
from tests.hearing.stub_network import StubNetwork
from tests.support.extensions import using
from tests.support.library import copy_warehouse


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the warehouse."""
    return copy_warehouse(tmp_path / "library")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return floor(tmp_path / "floor")


@pytest.fixture
def call(root: Path) -> tuple[object, ...]:
    return ("hearing.evaluate", "-L", root, "--phrases", root / "said.yaml")


@pytest.fixture
def stub(root: Path, monkeypatch: pytest.MonkeyPatch) -> StubNetwork:
    """A network that says no to everything, and tells of a stop that nobody meant."""
    network = StubNetwork({("decline", "p1"): 0.9, ("stop", "Hauler"): 0.9})
    (root / "prompts" / "floor.npz").touch()
    monkeypatch.setattr("treec_hearing.network.read_network", lambda path: network)
    return network


def test_templates_alone_are_measured(call: tuple[object, ...], experiment: Experiment) -> None:
    done = experiment(*call, "--templates")
    assert done.status == 0, done.err
    *rows, not_meant, speed = done.out.splitlines()
    assert [row.split() for row in rows] == [
        ["phrases", "4", "of", "7", "57.1", "%"],
        ["acts", "4", "of", "7", "57.1", "%"],
        ["accept", "1", "of", "2", "50.0", "%"],
        ["decline", "1", "of", "2", "50.0", "%"],
        ["remark", "1", "of", "1", "100.0", "%"],
        ["stop", "1", "of", "2", "50.0", "%"],
    ]
    assert not_meant == "not meant by anybody: accept 0, request 0, stop 0"
    assert speed.endswith(" ms an utterance")
    assert len(PHRASES) == 7
    assert BY_TEMPLATES == 4


def test_the_network_is_measured_with_them(
    call: tuple[object, ...], experiment: Experiment, stub: StubNetwork
) -> None:
    done = experiment(*call, "--output-format", "json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert data["right"] == {
        "phrases": [3, 7],
        "acts": [4, 7],
        "accept": [1, 2],
        "decline": [2, 2],
        "remark": [0, 1],
        "stop": [1, 2],
    }
    assert data["not_meant"] == {"stop": 3}
    assert data["ms"] > 0
    assert stub.asked == 4, "templates explain the others"


def test_what_was_heard_wrong_is_shown_with_what_is_right(
    call: tuple[object, ...], experiment: Experiment, stub: StubNetwork
) -> None:
    done = experiment(*call, "--show")
    lines = done.out.splitlines()
    at = lines.index('[said] "affirmative notion, gaffer"')
    assert lines[at + 1 : at + 3] == [
        "    heard  stop Hauler",
        "    right  accept p1",
    ]
    assert '"Yes please."' not in done.out
    plain = experiment(*call, "--show", "--templates").out.splitlines()
    at = plain.index('[said] "tools down lads"')
    assert plain[at + 1 : at + 3] == ["    heard  remark", "    right  stop None"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rounds of phrases that templates do not know; of each half is held back."""
    folder = tmp_path / "phrases"
    folder.mkdir()
    (folder / "first.moments.yaml").write_text(yaml.safe_dump(WORLD), "utf-8")
    for round in ("3", "4"):
        (folder / round).mkdir()
        said = [{**PHRASES[3], "id": f"{round}-{n}", "text": f"splendid {n}"} for n in range(20)]
        (folder / round / "accept.yaml").write_text(yaml.safe_dump(said), "utf-8")
    return folder


def counts(experiment: Experiment, root: Path, folder: Path, *options: object) -> int:
    call = ("hearing.evaluate", "--templates", "-L", root, "--phrases", folder)
    done = experiment(*call, "--output-format", "json", *options)
    assert done.status == 0, done.err
    (_, total) = json.loads(done.out)["right"]["phrases"]
    assert isinstance(total, int)
    return total


def test_held_back_phrases_are_measured_only_where_they_are_asked_for(
    root: Path, folder: Path, experiment: Experiment
) -> None:
    held = sum(phrase.held_back for phrase in load_phrases(folder))
    assert 0 < held < 40
    assert counts(experiment, root, folder) == 40 - held
    assert counts(experiment, root, folder, "--half", "held_back") == held
    assert counts(experiment, root, folder, "--half", "all") == 40


def test_held_back_phrases_are_never_shown(
    root: Path, folder: Path, experiment: Experiment
) -> None:
    call = ("hearing.evaluate", "--templates", "--show", "-L", root, "--phrases", folder)
    shown = experiment(*call, "--half", "all").out
    for phrase in load_phrases(folder):
        assert (f'"{phrase.text}"' in shown) != phrase.held_back
    assert "splendid" not in experiment(*call, "--half", "held_back").out


def test_rounds_can_be_chosen(root: Path, folder: Path, experiment: Experiment) -> None:
    assert counts(experiment, root, folder, "--half", "all", "--round", 3) == 20
    assert counts(experiment, root, folder, "--half", "all", "--round", 3, "--round", 4) == 40


# What is told


def told(experiment: Experiment, *call: object) -> str:
    done = experiment("hearing.evaluate", *call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("treec: "), done.err.splitlines()[-2:]
    return done.err


def test_an_unknown_round_is_told_with_those_there_are(
    root: Path, folder: Path, experiment: Experiment
) -> None:
    message = told(experiment, "--templates", "-L", root, "--phrases", folder, "--round", 99)
    assert message == f"treec: no phrases: {folder} has 40, in rounds 3, 4\n"


def test_a_file_in_the_current_folder_has_its_folder_s_name_as_its_round(
    root: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    message = told(experiment, "--templates", "--phrases", "said.yaml", "--round", 99)
    assert message == "treec: no phrases: said.yaml has 7, in rounds floor\n"


def test_phrases_that_are_absent_or_none_are_told(
    root: Path, tmp_path: Path, experiment: Experiment
) -> None:
    absent = tmp_path / "absent"
    assert str(absent) in told(experiment, "--templates", "-L", root, "--phrases", absent)
    (tmp_path / "empty").mkdir()
    message = told(experiment, "--templates", "-L", root, "--phrases", tmp_path / "empty")
    assert message.startswith("treec: no phrases: ")


def test_a_wrong_phrase_is_told_with_its_file(root: Path, experiment: Experiment) -> None:
    file = root / "said.yaml"
    file.write_text(file.read_text("utf-8").replace("context: busy", "context: bsuy"), "utf-8")
    message = told(experiment, "--templates", "-L", root, "--phrases", file)
    assert f"{file}: phrase halt: no moment 'bsuy'" in message


def test_weights_that_are_absent_are_told_with_what_writes_them(
    root: Path, experiment: Experiment
) -> None:
    message = told(experiment, "-L", root, "--phrases", root / "said.yaml")
    assert str(root / "prompts" / "floor.npz") in message
    assert "experiments.hearing.train, in the repository of treec, writes such a file" in message


def test_weights_that_are_cut_short_are_told_by_hear_too(
    root: Path, experiment: Experiment, treec: Treec
) -> None:
    (root / "prompts" / "floor.npz").write_bytes(b"PK\x03\x04")
    assert "floor.npz" in told(experiment, "-L", root, "--phrases", root / "said.yaml")
    done = treec("hear", "veto, codswallop", "-L", root)
    assert done.status == 2
    assert "floor.npz cannot be read" in done.err
    assert "bug in treec" not in done.err


def test_that_the_package_of_networks_is_missing_is_told(
    root: Path, experiment: Experiment
) -> None:
    with using(without=("hearing",)):
        message = told(experiment, "-L", root, "--phrases", root / "said.yaml")
    missing = "treec-hearing is missing (pip install 'treec[hear]')"
    assert message == f"treec: no network: {missing}, or use --templates\n"


def test_a_hearing_file_without_a_network_is_told_to_have_none(
    tmp_path: Path, experiment: Experiment
) -> None:
    root = floor(tmp_path / "bare", network=False)
    message = told(experiment, "-L", root, "--phrases", root / "said.yaml")
    assert "numpy is missing" not in message
    assert "--templates" in message


def test_a_library_that_hears_nothing_is_told(
    library: Path, root: Path, experiment: Experiment
) -> None:
    reading = library / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    reading.write_text(text[: text.index("hearing: ")] + text[text.index("veto: ") :], "utf-8")
    message = told(experiment, "-L", library, "--phrases", root / "said.yaml")
    assert "no reading of this library has templates" in message


def test_a_reading_that_declares_all_kinds_of_the_phrases_is_taken(
    root: Path, experiment: Experiment
) -> None:
    """A library may have systems that hear less, such as the kitchen's household."""
    less = "reading: Less\nabout: Hears questions alone.\nhearing: Floor_English\nacts: {ask: {}}\n"
    (root / "prompts" / "a_less.reading.yaml").write_text(less, "utf-8")
    done = experiment(
        "hearing.evaluate", "-L", root, "--phrases", root / "said.yaml", "--templates"
    )
    assert done.status == 0, done.err
    assert "acts             4 of     7" in done.out
    (root / "prompts" / "operator_talk.reading.yaml").unlink()
    message = told(experiment, "-L", root, "--phrases", root / "said.yaml", "--templates")
    assert message == (
        "treec: no reading of this library hears all that the phrases say: 'Less' has no acts of "
        "the kinds accept, decline, stop\n"
    )

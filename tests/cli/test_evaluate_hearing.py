"""``treec evaluate hearing``: how many labelled phrases are heard right."""

from __future__ import annotations

import json
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Treec
from tests.hearing.floor import BY_TEMPLATES, PHRASES, WORLD, floor
from tests.hearing.stub_network import StubNetwork
from treec.hearing.phrases import load_phrases


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return floor(tmp_path / "floor")


@pytest.fixture
def call(root: Path) -> tuple[object, ...]:
    return ("evaluate", "hearing", "-L", root, "--phrases", root / "said.yaml")


@pytest.fixture
def stub(root: Path, monkeypatch: pytest.MonkeyPatch) -> StubNetwork:
    """A network that says no to everything, and tells of a stop that nobody meant."""
    network = StubNetwork({("decline", "p1"): 0.9, ("stop", "Hauler"): 0.9})
    (root / "prompts" / "floor.npz").touch()
    monkeypatch.setattr("treec.hearing.network.read_network", lambda path: network)
    return network


def test_templates_alone_are_measured(call: tuple[object, ...], treec: Treec) -> None:
    done = treec(*call, "--templates")
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
    call: tuple[object, ...], treec: Treec, stub: StubNetwork
) -> None:
    done = treec(*call, "--output-format", "json")
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
    call: tuple[object, ...], treec: Treec, stub: StubNetwork
) -> None:
    done = treec(*call, "--show")
    lines = done.out.splitlines()
    at = lines.index('[said] "splendiferous notion, gaffer"')
    assert lines[at + 1 : at + 3] == [
        "    heard  decline p1; stop Hauler",
        "    right  accept p1",
    ]
    assert '"Yes please."' not in done.out
    plain = treec(*call, "--show", "--templates").out.splitlines()
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


def counts(treec: Treec, root: Path, folder: Path, *options: object) -> int:
    call = ("evaluate", "hearing", "--templates", "-L", root, "--phrases", folder)
    done = treec(*call, "--output-format", "json", *options)
    assert done.status == 0, done.err
    (_, total) = json.loads(done.out)["right"]["phrases"]
    assert isinstance(total, int)
    return total


def test_held_back_phrases_are_measured_only_where_they_are_asked_for(
    root: Path, folder: Path, treec: Treec
) -> None:
    held = sum(phrase.held_back for phrase in load_phrases(folder))
    assert 0 < held < 40
    assert counts(treec, root, folder) == 40 - held
    assert counts(treec, root, folder, "--half", "held_back") == held
    assert counts(treec, root, folder, "--half", "all") == 40


def test_held_back_phrases_are_never_shown(root: Path, folder: Path, treec: Treec) -> None:
    call = ("evaluate", "hearing", "--templates", "--show", "-L", root, "--phrases", folder)
    shown = treec(*call, "--half", "all").out
    for phrase in load_phrases(folder):
        assert (f'"{phrase.text}"' in shown) != phrase.held_back
    assert "splendid" not in treec(*call, "--half", "held_back").out


def test_rounds_can_be_chosen(root: Path, folder: Path, treec: Treec) -> None:
    assert counts(treec, root, folder, "--half", "all", "--round", 3) == 20
    assert counts(treec, root, folder, "--half", "all", "--round", 3, "--round", 4) == 40


# What is told


def told(treec: Treec, *call: object) -> str:
    done = treec("evaluate", "hearing", *call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("treec: "), done.err.splitlines()[-2:]
    return done.err


def test_an_unknown_round_is_told_with_those_there_are(
    root: Path, folder: Path, treec: Treec
) -> None:
    message = told(treec, "--templates", "-L", root, "--phrases", folder, "--round", 99)
    assert message == f"treec: no phrases: {folder} has 40, in rounds 3, 4\n"


def test_a_file_in_the_current_folder_has_its_folder_s_name_as_its_round(
    root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    message = told(treec, "--templates", "--phrases", "said.yaml", "--round", 99)
    assert message == "treec: no phrases: said.yaml has 7, in rounds floor\n"


def test_phrases_that_are_absent_or_none_are_told(root: Path, tmp_path: Path, treec: Treec) -> None:
    absent = tmp_path / "absent"
    assert str(absent) in told(treec, "--templates", "-L", root, "--phrases", absent)
    (tmp_path / "empty").mkdir()
    message = told(treec, "--templates", "-L", root, "--phrases", tmp_path / "empty")
    assert message.startswith("treec: no phrases: ")


def test_a_wrong_phrase_is_told_with_its_file(root: Path, treec: Treec) -> None:
    file = root / "said.yaml"
    file.write_text(file.read_text("utf-8").replace("context: busy", "context: bsuy"), "utf-8")
    message = told(treec, "--templates", "-L", root, "--phrases", file)
    assert f"{file}: phrase halt: no moment 'bsuy'" in message


def test_weights_that_are_absent_are_told_with_what_writes_them(root: Path, treec: Treec) -> None:
    message = told(treec, "-L", root, "--phrases", root / "said.yaml")
    assert str(root / "prompts" / "floor.npz") in message
    assert "`treec hear train` writes such a file" in message


def test_weights_that_are_cut_short_are_told_by_hear_too(root: Path, treec: Treec) -> None:
    (root / "prompts" / "floor.npz").write_bytes(b"PK\x03\x04")
    assert "floor.npz" in told(treec, "-L", root, "--phrases", root / "said.yaml")
    done = treec("hear", "codswallop", "-L", root)
    assert done.status == 2
    assert "floor.npz cannot be read" in done.err
    assert "bug in treec" not in done.err


def test_that_numpy_is_missing_is_told(
    root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str) -> ModuleSpec | None:
        return None

    for module in ("treec.hearing.reading", "treec.cli.evaluate_hearing"):
        monkeypatch.setattr(f"{module}.find_spec", find_spec)
    message = told(treec, "-L", root, "--phrases", root / "said.yaml")
    assert message == (
        "treec: no network: numpy is missing (pip install 'treec[hear]'), or use --templates\n"
    )


def test_a_hearing_file_without_a_network_is_told_to_have_none(
    tmp_path: Path, treec: Treec
) -> None:
    root = floor(tmp_path / "bare", network=False)
    message = told(treec, "-L", root, "--phrases", root / "said.yaml")
    assert "numpy is missing" not in message
    assert "--templates" in message


def test_a_library_that_hears_nothing_is_told(library: Path, root: Path, treec: Treec) -> None:
    reading = library / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    reading.write_text(text[: text.index("hearing: ")] + text[text.index("veto: ") :], "utf-8")
    message = told(treec, "-L", library, "--phrases", root / "said.yaml")
    assert "no reading of this library has templates" in message

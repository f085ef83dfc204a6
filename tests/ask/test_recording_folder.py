"""Recordings are files that people review, and that store equal parts once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.ask.questions import PARTS as QUESTION
from tests.ask.test_recordings import LINES, TEXT
from tests.support.tiers import many
from treec_models.fingerprint import FingerprintParts
from treec_testing.recordings.attempt import Attempt
from treec_testing.recordings.folder import RecordingFolder
from treec_testing.recordings.recording import (
    Recording,
    RecordingError,
    make_recording,
    recording_data,
)
from treec_testing.recordings.yaml_text import to_yaml


def recording(
    answer: str = '{"choose": "Wave"}',
    by: str = "openai/gpt@1",
    question: FingerprintParts = QUESTION,
) -> Recording:
    attempts = [
        Attempt(asked="0", by=by, answer="hm", verdict="refused: it has no JSON object."),
        Attempt(asked=question.whole, by=by, answer=answer, output_tokens=7, cost=1e-05),
    ]
    decision = {"choose": "Wave"}
    return make_recording(
        "Choose/x", question, by, decision, attempts, node="Choose", kind="decision"
    )


@pytest.fixture
def folder(tmp_path: Path) -> RecordingFolder:
    """A folder with one recording, Choose/x.yaml."""
    made = RecordingFolder(tmp_path / "recordings", tmp_path)
    made.write(made.path / "Choose/x.yaml", recording())
    return made


def parts(folder: RecordingFolder) -> list[str]:
    return sorted(path.name for path in (folder.path / "parts").iterdir())


def write_old(folder: RecordingFolder, name: str, made: Recording) -> Path:
    """A recording as older versions wrote it, with all its parts."""
    path = folder.path / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_yaml(recording_data(made)), "utf-8")
    return path


def test_a_recording_comes_back_whole(folder: RecordingFolder) -> None:
    (path,) = folder.files()
    back = RecordingFolder(folder.path).read(path)
    assert back == recording()
    assert back.question == QUESTION
    assert back.edited_part() is None
    assert [file.name for file in folder.path.rglob(".*")] == []


@settings(max_examples=many(100, 12), deadline=None, derandomize=True)
@given(answer=TEXT | LINES, seen=LINES)
def test_recordings_of_any_text_come_back(
    tmp_path_factory: pytest.TempPathFactory, answer: str, seen: str
) -> None:
    question = FingerprintParts(
        node="N", kind="decision", observation=seen, system=seen, examples=((seen, answer),)
    )
    made = recording(answer, question=question)
    folder = RecordingFolder(tmp_path_factory.mktemp("recordings"))
    folder.write(folder.path / "x.yaml", made)
    back = folder.read(folder.path / "x.yaml")
    assert recording_data(back) == recording_data(made)


def test_parts_that_are_equal_are_stored_once(folder: RecordingFolder) -> None:
    before = parts(folder)
    assert [name.partition("-")[0] for name in before] == [
        *("example", "instructions", "knows", "schema", "system")
    ]
    other = recording(question=replace(QUESTION, observation="mood: calm"))
    folder.write(folder.path / "Choose/y.yaml", other)
    assert parts(folder) == before
    path = folder.path / "Choose/y.yaml"
    assert folder.read(path) == other
    assert "Choose one." not in path.read_text("utf-8")


def test_a_long_enum_stands_once_however_many_schemas_admit_it(tmp_path: Path) -> None:
    names = [f"thing {number}" for number in range(8)]
    short = {"enum": ["a", "b"]}
    folder = RecordingFolder(tmp_path / "recordings", tmp_path)
    made = [
        recording(
            question=replace(QUESTION, schema={"properties": {"enum": {"enum": names}, **own}})
        )
        for own in ({"how": short}, {"also": {"items": [{"enum": names}]}})
    ]
    for number, one in enumerate(made):
        folder.write(folder.path / f"{number}.yaml", one)
    (enum,) = (folder.path / "parts").glob("enum-*.yaml")
    texts = [path.read_text("utf-8") for path in (folder.path / "parts").glob("schema-*.yaml")]
    assert [text.count("thing 1") for text in texts] == [0, 0]
    assert sum("[a, b]" in text for text in texts) == 1
    assert RecordingFolder(folder.path).read_all() == made
    assert enum not in folder.unused_parts(made[1:])
    assert enum in folder.unused_parts([])
    enum.write_text(enum.read_text("utf-8").replace("thing 7", "thing 8"), "utf-8")
    with pytest.raises(RecordingError, match=f"parts/{enum.name}: edited: its enum does not have"):
        RecordingFolder(folder.path, tmp_path).read_all()
    enum.unlink()
    with pytest.raises(RecordingError, match=f"schema-.*: a part is missing: .*{enum.name}"):
        RecordingFolder(folder.path, tmp_path).read_all()


def test_a_schema_of_an_older_version_holds_its_enum_itself_and_gives_it_up(tmp_path: Path) -> None:
    folder = RecordingFolder(tmp_path / "recordings", tmp_path)
    schema = {"enum": [f"thing {number}" for number in range(8)]}
    made, path = recording(question=replace(QUESTION, schema=schema)), folder.path / "x.yaml"
    folder.write(path, made)
    (enum,) = (folder.path / "parts").glob("enum-*.yaml")
    (part,) = (folder.path / "parts").glob("schema-*.yaml")
    assert not folder.detach_parts(path)
    enum.unlink()
    part.write_text(to_yaml({"schema": schema}), "utf-8")
    again = RecordingFolder(folder.path, tmp_path)
    assert again.read(path) == made
    assert again.detach_parts(path)
    assert enum.is_file()
    assert "thing" not in part.read_text("utf-8")
    assert RecordingFolder(folder.path, tmp_path).read(path) == made


def test_an_edited_prompt_changes_one_part_and_the_marks_of_it(folder: RecordingFolder) -> None:
    path = folder.path / "Choose/x.yaml"
    old, before = path.read_text("utf-8").splitlines(), set(parts(folder))
    edited = replace(QUESTION, instructions="Choose two.")
    folder.write(path, recording(question=edited))
    new = path.read_text("utf-8").splitlines()
    changed = [line.split(":")[0] for line in new if line not in old]
    assert changed == ["  whole", "  instructions", "  answers", "  - asked"]
    (fresh,) = set(parts(folder)) - before
    assert (folder.path / "parts" / fresh).read_text("utf-8") == "instructions: Choose two.\n"


def test_two_examples_with_one_text_are_not_confused(folder: RecordingFolder) -> None:
    examples = (("a\n→ b", "c"), ("a", "b\n→ c"))
    made = recording(question=replace(QUESTION, examples=examples))
    folder.write(folder.path / "Choose/x.yaml", made)
    assert folder.read(folder.path / "Choose/x.yaml") == made


def test_a_recording_of_an_older_version_is_read_and_its_parts_are_stored_apart(
    tmp_path: Path,
) -> None:
    folder = RecordingFolder(tmp_path)
    path = write_old(folder, "Choose/x", recording())
    assert folder.read(path) == recording()
    assert folder.detach_parts(path)
    assert len(parts(folder)) == 5
    assert folder.read(path) == recording()
    assert not folder.detach_parts(path)


def test_the_parts_of_an_edited_recording_are_left_where_they_were_edited(tmp_path: Path) -> None:
    folder = RecordingFolder(tmp_path)
    path = write_old(folder, "Choose/x", recording())
    path.write_text(path.read_text("utf-8").replace("Choose one.", "Choose two."), "utf-8")
    assert not folder.detach_parts(path)
    assert folder.read(path).edited_part() == "whole"


def test_a_missing_part_is_reported_with_its_file(folder: RecordingFolder) -> None:
    (missing,) = (folder.path / "parts").glob("schema-*.yaml")
    missing.unlink()
    with pytest.raises(RecordingError) as error:
        folder.read(folder.path / "Choose/x.yaml")
    assert str(error.value) == (
        f"recordings/Choose/x.yaml: a part is missing: recordings/parts/{missing.name}"
    )


@pytest.mark.parametrize("text", ["schema: {type: array}\n", "schema: 3\n", "other: {}\n"])
def test_an_edited_part_is_reported_and_written_anew(folder: RecordingFolder, text: str) -> None:
    (part,) = (folder.path / "parts").glob("schema-*.yaml")
    before = part.read_bytes()
    part.write_text(text, "utf-8")
    with pytest.raises(RecordingError, match=f"parts/{part.name}: edited: its schema does not"):
        RecordingFolder(folder.path).read(folder.path / "Choose/x.yaml")
    folder.write(folder.path / "Choose/x.yaml", recording())
    assert part.read_bytes() == before


def test_a_mark_that_is_not_a_fingerprint_is_reported(folder: RecordingFolder) -> None:
    path = folder.path / "Choose/x.yaml"
    text = path.read_text("utf-8")
    mark = text.partition("  schema: ")[2].partition("\n")[0]
    path.write_text(text.replace(f"schema: {mark}", "schema: ../../secret"), "utf-8")
    with pytest.raises(RecordingError, match=r"secret' is not a fingerprint"):
        folder.read(path)


def test_parts_are_unused_when_no_recording_refers_to_them(folder: RecordingFolder) -> None:
    assert folder.unused_parts(folder.read_all()) == []
    (old,) = (folder.path / "parts").glob("instructions-*.yaml")
    path = folder.path / "Choose/x.yaml"
    folder.write(path, recording(question=replace(QUESTION, instructions="Choose two.")))
    assert folder.unused_parts(folder.read_all()) == [old]
    path.unlink()
    assert len(folder.unused_parts([])) == 6


def test_folders_below_may_have_parts_of_their_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        below = RecordingFolder(tmp_path / name)
        below.write(below.path / "x.yaml", recording())
    assert RecordingFolder(tmp_path).read_all() == [recording(), recording()]


def test_one_that_cannot_be_written_leaves_the_old_one(folder: RecordingFolder) -> None:
    files = {path: path.read_bytes() for path in folder.path.rglob("*.*")}
    with pytest.raises(RecordingError, match="half of a character"):
        folder.write(folder.path / "Choose/x.yaml", recording(answer="\ud83d"))
    assert {path: path.read_bytes() for path in folder.path.rglob("*.*")} == files


def test_what_does_not_read_back_as_it_was_is_not_kept(
    folder: RecordingFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder.path / "Choose/x.yaml"
    before = path.read_bytes()

    def broken(data: dict[str, object]) -> str:
        return to_yaml(data).replace("mood: merry", "mood: marry")

    monkeypatch.setattr("treec_testing.recordings.folder.to_yaml", broken)
    with pytest.raises(RecordingError, match="does not read back as it was"):
        folder.write(path, recording(answer="other"))
    assert path.read_bytes() == before


def test_a_key_is_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse-battery")
    leak = "it is correct-horse-battery"
    folder = RecordingFolder(tmp_path)
    with pytest.raises(RecordingError, match=r"attempts\[1\].answer.*looks like it contains a key"):
        folder.write(tmp_path / "x.yaml", recording(answer=leak))
    with pytest.raises(RecordingError, match=r"request.system.*looks like it contains a key"):
        folder.write(tmp_path / "x.yaml", recording(question=replace(QUESTION, system=leak)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [("mood: merry", "mood: sad", "whole"), ('choose": "Wave', 'choose": "Rest', "answers")],
)
def test_an_edited_recording_shows(folder: RecordingFolder, old: str, new: str, part: str) -> None:
    path = folder.path / "Choose/x.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    assert folder.read(path).edited_part() == part


def test_answers_written_by_hand_say_so(folder: RecordingFolder) -> None:
    path = folder.path / "Choose/x.yaml"
    text = path.read_text("utf-8").replace('choose": "Wave', 'choose": "Rest')
    path.write_text(text.replace("\nby: openai/gpt@1", "\nby: hand"), "utf-8")
    assert folder.read(path).edited_part() is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recording: x\n", "x.yaml:1:1: the key 'node' is missing"),
        ("recording: [\n", "x.yaml:"),
        ("", "one document, not 0"),
        (
            "recording: x\nnode: N\nkind: d\nby: b\ndecision: {}\nwhat: 1\n",
            "x.yaml:6:1: unknown key 'what'",
        ),
    ],
)
def test_an_invalid_recording_is_reported_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordingError, match=message):
        RecordingFolder(tmp_path).read(path)

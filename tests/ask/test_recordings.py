from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from treec.ask.fingerprint import FingerprintParts
from treec.ask.recordings import (
    Attempt,
    Recording,
    RecordingError,
    make_recording,
    read_recording,
    recording_data,
    slug,
    write_recording,
)
from treec.ask.recordings_yaml import Unwritable, to_yaml
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

ODD = [
    "a\r\nb",
    "a\rb",
    "\x85\u2028\u2029",
    "line\u2028line\nmore",
    "\x00\x07\x1b[31m",
    "trailing   \nblanks \n\n\n",
    "\n\nleading",
    "  indented\nfirst",
    "\ttab\n\ttab",
    "🍲👩🏽\u200d🍳 \U0010ffff \ufeff\ufffe",
    "x" * 5000,
    "- a: b\n- c # no comment\n---\n...\n",
    "{{ name }}",
    "yes",
    "null",
    "0x1f",
    "1e3",
    "2026-11-21",
    "'quoted' \"twice\"",
    "%TAG !yaml! tag:\n&a *a <<",
    "",
    " ",
    "\n",
    'say "hello", it\'s me',
]


def written(data: dict[str, Any]) -> Any:
    documents, problems = read_documents(SourceFile("x.yaml", to_yaml(data)))
    assert not [p for p in problems if p.severity == "error"], (to_yaml(data), problems)
    return plain(documents[0].root)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_come_back_as_they_were(text: str) -> None:
    data = {"answer": text, "listed": [text, {"inner": text}], "deep": {"er": {text[:90]: text}}}
    assert written(data) == data


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
LINES = st.lists(TEXT, max_size=6).map("\n".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | LINES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=many(300, 20), deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(["a", "answer", "with space"]), VALUES, min_size=1))
def test_all_plain_data_come_back_as_they_were(data: dict[str, Any]) -> None:
    back = written(data)
    assert repr(back) == repr(data)  # 1, 1.0 and true are equal, but not the same


@pytest.mark.parametrize(
    "bad", ["half \ud83d of a character", float("nan"), float("inf"), object()]
)
def test_what_no_file_can_hold_is_refused(bad: object) -> None:
    with pytest.raises(Unwritable):
        to_yaml({"answer": bad})


def test_texts_of_several_lines_are_blocks_that_a_person_can_read() -> None:
    text = to_yaml({"instructions": "Choose one.\n\nBe brief.\n", "words": ["get salt", "no"]})
    assert text == ('instructions: |\n  Choose one.\n\n  Be brief.\nwords: [get salt, "no"]\n')


QUESTION = FingerprintParts(
    node="Choose",
    kind="decision",
    observation="mood: merry",
    system="You help.",
    instructions="Choose one.",
    examples=(("mood: calm", '{"choose": "Rest"}'),),
    schema={"type": "object", "required": ["choose"]},
    temperature=0.0,
    knows={"capabilities": ["R1 can get"]},
)


def recording(answer: str = '{"choose": "Wave"}', by: str = "openai/gpt@1") -> Recording:
    attempts = [
        Attempt(asked="0", by=by, answer="hm", verdict="refused: it holds no JSON object."),
        Attempt(asked=QUESTION.whole, by=by, answer=answer, output_tokens=7, cost=1e-05),
    ]
    decision = {"choose": "Wave"}
    return make_recording(
        "Choose/x", QUESTION, by, decision, attempts, node="Choose", kind="decision"
    )


def test_a_recording_comes_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.yaml"
    write_recording(path, recording())
    back = read_recording(path)
    assert back == recording()
    assert back.question == QUESTION
    assert back.edited_part() is None
    assert list(tmp_path.rglob("*.new")) == []


@settings(max_examples=many(100, 12), deadline=None, derandomize=True)
@given(answer=TEXT | LINES, seen=LINES)
def test_recordings_of_any_text_come_back(
    tmp_path_factory: pytest.TempPathFactory, answer: str, seen: str
) -> None:
    question = FingerprintParts(node="N", kind="decision", observation=seen)
    attempts = [Attempt(asked=question.whole, by="m@1", answer=answer)]
    made = make_recording(
        "N/x", question, "m@1", {"a": answer}, attempts, node="N", kind="decision"
    )
    path = tmp_path_factory.mktemp("recordings") / "x.yaml"
    write_recording(path, made)
    assert recording_data(read_recording(path)) == recording_data(made)


def test_one_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    write_recording(path, recording())
    before = path.read_bytes()
    with pytest.raises(RecordingError, match="half of a character"):
        write_recording(path, recording(answer="\ud83d"))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["x.yaml"]


def test_what_does_not_read_back_as_it_was_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.yaml"
    write_recording(path, recording())
    before = path.read_bytes()
    broken = to_yaml(recording_data(recording())).replace("mood: merry", "mood: marry")
    monkeypatch.setattr("treec.ask.recordings.to_yaml", lambda data: broken)
    with pytest.raises(RecordingError, match="does not read as it was"):
        write_recording(path, recording(answer="other"))
    assert path.read_bytes() == before


def test_a_key_is_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse-battery")
    with pytest.raises(RecordingError, match=r"attempts\[1\].answer.*looks like a key"):
        write_recording(tmp_path / "x.yaml", recording(answer="it is correct-horse-battery"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("mood: merry", "mood: sad", "whole"),
        ("Choose one.", "Choose two.", "whole"),
        ("R1 can get", "R1 can pour", "knows"),
        ('choose": "Wave', 'choose": "Rest', "answers"),
    ],
)
def test_an_edited_recording_shows(tmp_path: Path, old: str, new: str, part: str) -> None:
    path = tmp_path / "x.yaml"
    write_recording(path, recording())
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    assert read_recording(path).edited_part() == part


def test_answers_written_by_hand_say_so(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    write_recording(path, recording())
    text = path.read_text("utf-8").replace('choose": "Wave', 'choose": "Rest')
    path.write_text(text.replace("\nby: openai/gpt@1", "\nby: hand"), "utf-8")
    assert read_recording(path).edited_part() is None


@pytest.mark.parametrize(
    ("text", "told"),
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
def test_what_is_no_recording_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordingError, match=told):
        read_recording(path)


def test_names_of_files_are_cut_between_words() -> None:
    assert slug("They don't know: R2's fault?") == "they-dont-know-r2s-fault"
    assert slug("a" * 30 + " " + "b" * 40) == "a" * 30
    assert slug("…") == ""

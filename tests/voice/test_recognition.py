"""A recognizer that hangs holds nothing up; echo and barge-in."""

from __future__ import annotations

import dataclasses
import threading
from collections import deque
from collections.abc import Sequence
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from tests.voice.fakes import LoudDetector, silence, talk, tone
from treec_voice.doors import FRAME, Recognizer, Sound, Transcript
from treec_voice.echo import EchoFilter
from treec_voice.recognition import GIVEN_UP, HANGS, Recognition
from treec_voice.segments import SegmentFinder, SpeechSegment
from treec_voice.sound import frames_of, resampled
from treec_voice.whisper import WhisperRecognizer

SEGMENT = SpeechSegment(tone(500), 0.0, 0.4)


class Stuck:
    """Hangs at the first utterance, and hears the others."""

    def __init__(self) -> None:
        self.calls = 0
        self.end = threading.Event()

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        self.calls += 1
        if self.calls == 1:
            self.end.wait(10)
            return Transcript("too late", 1.0)
        return Transcript("yes", 0.9)


def test_an_utterance_that_hangs_is_given_up_and_the_next_one_is_heard() -> None:
    stuck, told, heard = Stuck(), [], threading.Event()
    texts: list[str | None] = []

    def take(segment: SpeechSegment, transcript: Transcript | None) -> None:
        texts.append(transcript and transcript.text)
        if transcript is not None:
            heard.set()

    shown: list[str] = []
    recognition = Recognition(
        lambda: stuck,
        lambda: (),
        take,
        lambda why, again: told.append((why, again)),
        patience=0.0,
        drafted=shown.append,
    )
    recognition.begin()
    recognition.add(SEGMENT)
    while not told:  # as the thread that listens does, 31 times a second
        recognition.look()
    recognition.add(SEGMENT)
    assert heard.wait(10)
    stuck.end.set()
    recognition.end(10)
    assert texts == [None, "yes"]
    assert told == [("it has not answered for 0 s", True)]
    assert not recognition.is_busy
    assert recognition.is_ready


def test_what_hangs_each_time_is_not_asked_any_more_and_nothing_waits_for_it() -> None:
    end, told, lost = threading.Event(), [], []

    def hangs(sound: Sound, hints: Sequence[str]) -> Transcript:
        end.wait(10)
        return Transcript("too late", 1.0)

    recognition = Recognition(
        lambda: hangs,
        lambda: (),
        lambda segment, heard: lost.append(heard),
        lambda why, again: told.append((why, again)),
        patience=0.0,
    )
    recognition.begin()
    for _ in range(HANGS + 1):
        recognition.add(SEGMENT)
    while recognition.is_busy:
        recognition.look()
    assert not recognition.is_ready
    recognition.add(SEGMENT)
    end.set()
    recognition.end(10)
    assert lost == [None] * (HANGS + 2)
    assert told[HANGS - 1 :] == [("it has not answered for 0 s", False), *[(GIVEN_UP, False)] * 2]


def test_what_is_said_while_the_recognizer_cannot_be_loaded_is_told() -> None:
    end, told = threading.Event(), []

    def load() -> Stuck:
        end.wait(10)
        raise SystemExit("no licence")

    recognition = Recognition(
        load,
        lambda: (),
        lambda segment, heard: told.append(heard),
        lambda why, again: told.append((why, again)),
        loading=0.0,
    )
    recognition.begin()
    recognition.add(SEGMENT)
    recognition.look()
    assert told == [("it has not been loaded for 0 s", True), None]
    assert not recognition.is_busy
    end.set()
    recognition.end(10)
    assert told[2:] == [("it called exit('no licence')", False)]


def test_an_error_of_who_takes_the_words_is_told_and_the_next_ones_are_heard() -> None:
    told: list[object] = []
    done = threading.Event()

    def take(segment: SpeechSegment, heard: Transcript | None) -> None:
        if not told:
            raise RuntimeError("no room")
        told.append(heard and heard.text)
        done.set()

    recognition = Recognition(
        lambda: lambda sound, hints: Transcript("yes", 0.9),
        lambda: (),
        take,
        lambda why, again: told.append((why, again)),
    )
    recognition.begin()
    recognition.add(SEGMENT)
    recognition.add(SEGMENT)
    assert done.wait(10)
    recognition.end(10)
    assert told == [("what was said is lost: no room", True), "yes"]
    assert not recognition.is_busy


def test_an_utterance_is_being_recognized_as_soon_as_it_waits_no_more() -> None:
    """Else a run could end in between, and what was said last be lost."""
    busy, done = [], threading.Event()

    class Watched(deque[tuple[SpeechSegment, float]]):
        def popleft(self) -> tuple[SpeechSegment, float]:
            taken = super().popleft()
            busy.append(recognition.is_busy)
            return taken

    recognition = Recognition(
        lambda: lambda sound, hints: Transcript("yes", 0.9),
        lambda: (),
        lambda *_: done.set(),
        lambda *_: None,
    )
    recognition._waiting = Watched()
    recognition.begin()
    recognition.add(SEGMENT)
    assert done.wait(10)
    recognition.end(10)
    assert busy == [True]


def test_at_the_end_no_recognizer_is_loaded_anew_in_place_of_one_that_hangs() -> None:
    stuck, begun = Stuck(), threading.Event()
    opened: list[int] = []
    lost: list[Transcript | None] = []

    def hangs(sound: Sound, hints: Sequence[str]) -> Transcript:
        begun.set()
        return stuck(sound, hints)

    def load() -> Recognizer:
        opened.append(1)
        return hangs

    recognition = Recognition(
        load,
        lambda: (),
        lambda segment, heard: lost.append(heard),
        lambda *_: None,
        patience=0.0,
    )
    recognition.begin()
    recognition.add(SEGMENT)
    assert begun.wait(10)
    recognition.end(0.0)
    recognition.look()
    stuck.end.set()
    recognition.end(10)
    assert (opened, lost) == ([1], [None])


def test_at_the_end_what_is_being_recognized_is_waited_for() -> None:
    """The process is aborted if it ends while a thread is in native code."""
    begun, end = threading.Event(), threading.Event()

    def slow(sound: Sound, hints: Sequence[str]) -> Transcript:
        begun.set()
        end.wait(10)
        return Transcript("yes", 0.9)

    recognition = Recognition(lambda: slow, lambda: (), lambda *_: None, lambda *_: None)
    recognition.begin()
    recognition.add(SEGMENT)
    assert begun.wait(10)
    recognition.end(0.0)
    assert [one.name for one in threading.enumerate()].count("treec recognizer") == 1
    end.set()
    recognition.end(10)
    assert "treec recognizer" not in [one.name for one in threading.enumerate()]


@pytest.mark.skipif(find_spec("faster_whisper") is None, reason="the extra 'voice' is missing")
def test_whisper_that_repeats_itself_for_its_hints_is_asked_without_them() -> None:
    def transcribe(sound: Sound, **options: object) -> tuple[list[SimpleNamespace], None]:
        is_hinted = options["hotwords"] is not None
        text, ratio = ("dice the " * 40, 9.0) if is_hinted else (" Dice the mushrooms.", 0.9)
        one = SimpleNamespace(
            text=text, compression_ratio=ratio, no_speech_prob=0.1, avg_logprob=-0.1, tokens=[1]
        )
        return [one], None

    whisper = object.__new__(WhisperRecognizer)
    whisper.model = SimpleNamespace(transcribe=transcribe)
    whisper._language, whisper.has_judge = "en", False
    assert whisper(tone(500), ["dice"]).text == "Dice the mushrooms."


def test_where_hints_mislead_the_words_without_them_are_kept_beside() -> None:
    def hears(sound: Sound, hints: Sequence[str]) -> Transcript:
        return Transcript("R2, rest", 0.3) if hints else Transcript("are you dressed", 0.6)

    recognition = Recognition(lambda: hears, lambda: ["R2"], lambda *_: None, lambda *_: None)
    assert recognition.recognize(hears, SEGMENT).confidence == 0.3
    careful = Recognition(
        lambda: hears, lambda: ["R2"], lambda *_: None, lambda *_: None, doubt=0.5
    )
    heard = careful.recognize(hears, SEGMENT)
    assert (heard.text, heard.alternatives) == ("R2, rest", ("are you dressed",))


def test_words_before_a_pause_are_recognized_once_while_it_lasts() -> None:
    """A draft is recognized after 0.25 s of the pause of 0.6 s that ends an utterance."""
    calls: list[int] = []

    def hears(sound: Sound, hints: Sequence[str]) -> Transcript:
        calls.append(len(sound))
        return Transcript(f"take {len(calls)}", 0.9)

    recognition = Recognition(lambda: hears, lambda: (), lambda *_: None, lambda *_: None)
    finder, detector, told = SegmentFinder(), LoudDetector(), []
    for frame in frames_of(talk(0.1, 500, 0.4, 700, 1.0)):
        whole = finder.add(frame, detector(frame), None)
        for one in (finder.draft(), whole):
            if one is not None:
                told.append((one.is_draft, recognition.recognize(hears, one).text))
    assert told == [(True, "take 1"), (True, "take 2"), (False, "take 2")]


def test_words_are_drafted_while_they_are_spoken_if_somebody_is_shown_them() -> None:
    finder, detector = SegmentFinder(), LoudDetector()
    drafts, quiet = [], SegmentFinder()
    for frame in frames_of(talk(0.1, 500, 500, 500, 500, 500, 0.5)):
        finder.add(frame, detector(frame), None)
        if (draft := finder.draft(0.8)) is not None:
            drafts.append(round(draft.spoken, 1))
        quiet.add(frame, detector(frame), None)
        assert quiet.draft() is None or quiet.spoken > 1.9  # else only in the pause
    assert drafts == [0.8, 1.6, 2.0]


def test_a_draft_is_shown_and_goes_when_the_words_are_there() -> None:
    shown: list[str] = []
    done = threading.Event()
    recognition = Recognition(
        lambda: lambda sound, hints: Transcript("R2, get", 0.9),
        lambda: (),
        lambda segment, heard: done.set(),
        lambda why, again: None,
        drafted=shown.append,
    )
    recognition.begin()
    recognition.add(dataclasses.replace(SEGMENT, is_draft=True, spoken=0.9))
    recognition.add(SEGMENT)
    assert done.wait(60)
    recognition.end(10)
    assert shown == ["R2, get"]


def test_a_stream_is_cut_at_pauses_and_a_click_is_no_speech() -> None:
    finder, detector = SegmentFinder(), LoudDetector()
    click = np.concatenate([silence(0.5), tone(500, 0.04), silence(1.0)])
    sound = np.concatenate([click, talk(500, 0.3, 700, 1.0, 500, 0.7)])
    found = [finder.add(frame, detector(frame), None) for frame in frames_of(sound)]
    segments = [one for one in found if one is not None]
    assert [round(one.end, 1) for one in segments] == [2.7, 4.1]  # a short pause divides nothing


def test_sound_at_another_rate_sounds_the_same() -> None:
    at_24 = np.sin(2 * np.pi * 500 * np.arange(24_000) / 24_000)
    at_16 = np.sin(2 * np.pi * 500 * np.arange(16_000) / 16_000)
    assert np.allclose(resampled(at_24, 24_000), at_16, atol=1e-3)


def test_who_speaks_while_we_do_is_heard_as_they_are() -> None:
    rng = np.random.default_rng(0)
    ours, theirs = (np.asarray(rng.normal(size=48_000) * 0.1, np.float32) for _ in range(2))
    theirs[:24_000] = 0
    echo = np.convolve(ours, 0.5 * np.exp(-np.arange(3000) / 300) * rng.normal(size=3000) / 12)
    near = theirs + np.asarray(echo[: len(ours)], np.float32)
    echo_filter = EchoFilter()
    pairs = zip(frames_of(near), frames_of(ours), strict=True)
    heard = np.concatenate([echo_filter(*both) for both in pairs])[: len(near)]
    assert np.std((heard - theirs)[24_000:]) < 0.2 * np.std(echo)


@pytest.mark.parametrize("wrong", [1.0, np.nan])
def test_a_filter_of_another_room_adds_no_echo(wrong: float) -> None:
    ours = np.asarray(np.random.default_rng(0).normal(size=16_000) * 0.1, np.float32)
    echo_filter = EchoFilter()
    for frame in frames_of(ours):
        echo_filter(wrong * frame, frame)
    quiet = np.full(FRAME, 1e-3, np.float32)
    heard = [echo_filter(quiet, frame) for frame in frames_of(ours)]
    assert max(np.std(one - quiet) for one in heard) < 2e-3  # of 0.1 that are played


@pytest.mark.skipif(find_spec("pywebrtc_audio") is None, reason="the extra 'voice' is missing")
def test_our_own_voice_is_taken_out_of_what_is_heard() -> None:
    from treec_voice.echo import WebRtcCanceller

    rng = np.random.default_rng(0)
    ours = np.asarray(rng.normal(size=64_000) * 0.1, np.float32)
    echo = 0.5 * np.concatenate([np.zeros(640, np.float32), ours])[: len(ours)]
    canceller = WebRtcCanceller()
    pairs = zip(frames_of(echo), frames_of(ours), strict=True)
    clean = np.concatenate([canceller(near, far) for near, far in pairs])
    last = slice(len(ours) // 2, len(ours))
    assert np.std(clean[last]) < 0.1 * np.std(echo[last])

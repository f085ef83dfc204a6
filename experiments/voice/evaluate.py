"""``python -m experiments.voice.evaluate``: how a run hears synthetic people in a noisy kitchen.

Phrases of the corpus, each by a voice at a speed in one of `CONDITIONS`, go through the parts that
`treec run --voice` has: canceller, spotter, detector, recognizer, names. The acts of what was heard
are compared with those of the typed phrase, in the phrase's moment. Stops, and an hour of talk
without one, go to the spotter and, where it is in doubt, to the recognizer; they are spoken by
`UNKNOWN` voices, and the talk is of the half of the corpus that the spotter was not fitted to. What
is drawn first is measured first: a run that is cut by ``--minutes`` is a fair sample.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rapidfuzz.distance import Levenshtein

from experiments.command import main
from experiments.hearing.judging import HARMFUL
from experiments.hearing.phrases import Meaning, Phrase, load_phrases, meaning
from experiments.page import END, machine, with_body
from experiments.voice.rooms import any_noise, in_room, mixed
from experiments.voice.said import STOP
from experiments.voice.speakers import NATURAL, SPEAKERS, SPEEDS, UNKNOWN, speak
from experiments.voice.train import is_for_training
from treec.cli.basics import open_library
from treec.cli.progress import progress
from treec.source.diagnostics import suggestion
from treec.team.knowledge import Knowledge
from treec.team.language import stop_words_of
from treec_hearing.hear import ear_of_reading, reading_of
from treec_voice.doors import FRAME, RATE, SECONDS, Sound, Spotted, Transcript, open_part
from treec_voice.names import hot_words, names_anything, put_names_right, spoken_of
from treec_voice.phrase_spotter import phrases_of
from treec_voice.recognition import Recognition
from treec_voice.segments import SegmentFinder, SpeechSegment
from treec_voice.settings import VoiceSettings
from treec_voice.sound import frames_of
from treec_voice.stop_check import StopCheck
from treec_voice.talk import CHECKED, ONE_STOP, SURE_CHECK
from treec_voice.whisper import WhisperRecognizer

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/results/voice.md"
CONDITIONS: dict[str, tuple[float | None, bool, bool]] = {
    "clean": (None, False, False),
    "20 dB": (20, True, False),
    "10 dB": (10, True, False),
    "5 dB": (5, True, False),
    "over our own voice": (20, True, True),
}
"""Condition → noise (dB below the speech), whether in a room with echo, whether we speak too."""
STOPPED = ("clean", "10 dB", "5 dB", "over our own voice")
"""Conditions in which stops are said."""
OURS = (
    "Shall R1 pour the pepper into the bowl? Shall R2 get the ranch sauce? Tell me when it is done."
)
ECHO = 0.35
"""How loud our own voice comes back, beside a person's of about the same loudness."""
SAYINGS = (
    OURS,
    "R1 has stopped. R2 is stirring the sauce, and stops when it is thick.",
    "Shall R1 stop the stove? The pepper is in the bowl. What is next?",
    "I have not found the ranch sauce. Where is it?",
    "R2 has put the lettuce on the board. Shall it chop the tomatoes?",
)
"""What we say in minutes of talk."""
APART = 0.8
"""Seconds from which two stops are two."""
BEFORE, AFTER = 0.5, 1.0
"""Seconds of noise around a phrase."""
STOPS = (
    *("Stop!", "R1, stop.", "R2, stop!", "R2, stop stirring.", "Please stop.", "Stop everything!"),
    *("Halt!", "R2, halt.", "Freeze!", "Everybody freeze.", "Whoa, stop!", "No, stop it!"),
    *(
        "Stop that now.",
        "Stop right there!",
        "Hey, stop!",
        "Stop, both of you.",
        "All robots, halt!",
    ),
    *("Okay, stop.", "Wait, stop!", "The arm, stop.", "No, no, no, stop!", "Wait, wait, stop!"),
    *("R2 stop.", "Stop, stop, stop!", "Hold on, stop.", "Emergency stop!"),
)
TALKERS = UNKNOWN[:-1]
"""Who talks without a stop: not Kokoro, which takes as long for a sentence as the sentence."""


@dataclass
class Misheard:
    """A phrase that is right when typed, and was not when it was heard."""

    text: str
    speaker: str
    speed: float
    heard: list[tuple[str, float]]
    """What the recognizer wrote of each utterance, and its confidence."""
    decided: list[tuple[str, str]]
    """The same with names put right; and taken, asked or ignored."""


@dataclass
class ActsRow:
    """What came of the phrases of one condition."""

    phrases: int = 0
    words: int = 0
    word_errors: int = 0
    typed: int = 0
    """Phrases whose typed words give acts that are right."""
    heard: int = 0
    asked: int = 0
    ignored: int = 0
    unheard: int = 0
    wrong_orders: int = 0
    """Heard yeses, orders and stops that neither are meant nor come of the typed words."""
    seconds: list[float] = field(default_factory=list)
    misheard: list[Misheard] = field(default_factory=list)


@dataclass
class StopsRow:
    """What came of the stops of one condition."""

    stops: int = 0
    at_once: int = 0
    checked: int = 0
    """Stops in doubt that the recognizer heard, too."""
    unlike: int = 0
    unread: int = 0
    """Stops in doubt that were missed: by the judge of the sound, and by the words."""
    natural: int = 0
    natural_heard: int = 0
    """Stops by `NATURAL` voices, and those of them that were heard, at once or after a check."""
    delays: list[float] = field(default_factory=list)
    """Seconds from the end of the utterance to a stop, with the CPU time of its check."""


@dataclass
class TalkRow:
    """What came of minutes of talk without a stop."""

    seconds: float = 0.0
    over: float = 0.0
    """Of these, seconds over our own voice."""
    phrases: int = 0
    false: int = 0
    """Stops at once that nobody said."""
    doubted: int = 0
    """Times that words were weighed."""
    recognized: int = 0
    """Stops after a check that nobody said."""
    false_over: int = 0
    """Stops of both kinds over our own voice."""
    words: list[str] = field(default_factory=list)
    """What was said in the minutes of false stops."""


class Listener:
    """The parts of a run that hear, as one call."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.settings = VoiceSettings.model_validate({})
        self.recognizer: Any = None
        self.now: list[str] = []
        """What is spoken of."""
        self._recognition = Recognition(
            lambda: self.recognizer,
            lambda: hot_words(knowledge, self.now),
            lambda segment, heard: None,
            lambda why, again: None,
            doubt=self.settings.sure,
        )

    def stream(self, sound: Sound, ours: Sound | None) -> tuple[Sound, list[tuple[float, Spotted]]]:
        """A sound without our own voice, and the stops in it with the second of each."""
        words = phrases_of(stop_words_of(self.knowledge.view))
        spotter = open_part("spotter", self.settings.spotter, *words)
        clean, stops = [], []
        for number, (frame, _) in enumerate(self._clean(sound, ours)):
            clean.append(frame)
            if (spotted := spotter(frame)) is not None:
                stops.append(((number + 1) * SECONDS, spotted))
        return np.concatenate(clean), stops

    def segments(self, sound: Sound, ours: Sound | None) -> list[SpeechSegment]:
        """What is said in a sound."""
        detector, finder = open_part("detector", self.settings.detector), SegmentFinder()
        both = self._clean(sound, ours)
        found = [finder.add(frame, detector(clean), None) for frame, clean in both]
        return [one for one in (*found, finder.end()) if one is not None]

    def _clean(self, sound: Sound, ours: Sound | None) -> Iterator[tuple[Sound, Sound]]:
        """Frames to hear words in, and to tell who speaks."""
        if ours is None:
            yield from ((frame, frame) for frame in frames_of(sound))
            return
        canceller, far = open_part("canceller", self.settings.canceller), frames_of(ours)
        for frame in frames_of(sound):
            clean = canceller(frame, next(far, np.zeros(FRAME, np.float32)))
            yield canceller.heard, clean

    def recognize(self, segment: SpeechSegment) -> Transcript:
        """Its words, as a run gets them."""
        return self._recognition.recognize(self.recognizer, segment)

    def decide(self, heard: Transcript) -> tuple[str, str]:
        """The words with names put right; and taken, asked or ignored."""
        understood = put_names_right(self.knowledge, heard.text, self.now)
        words = stop_words_of(self.knowledge.view)
        is_stop = bool(words.stop_acts_in(understood.text, ()))
        if is_stop or (understood.is_sure and heard.confidence >= self.settings.sure):
            return understood.text, "taken"
        asks = names_anything(self.knowledge, understood.text)
        return understood.text, "asked" if asks else "ignored"


def in_condition(
    said: Sound, condition: str, ours: Sound, rng: np.random.Generator
) -> tuple[Sound, Sound | None]:
    """A phrase as the microphone hears it, and what we say meanwhile."""
    decibels, is_room, is_over = CONDITIONS[condition]
    quiet = [np.zeros(round(it * RATE), np.float32) for it in (BEFORE, AFTER)]
    sound = np.concatenate([quiet[0], said, quiet[1]])
    if is_room:
        sound = in_room(sound, rng)
    sound = mixed(sound, decibels, rng)
    if not is_over:
        return sound, None
    # We have spoken for a second before the person begins, as in a run; the canceller knows.
    lead = np.zeros(RATE, np.float32)
    sound = np.concatenate([lead, sound])
    ours = np.resize(ours, len(sound))
    echo = ECHO * in_room(np.concatenate([np.zeros(640, np.float32), ours])[: len(sound)], rng)
    return np.asarray(sound + echo, np.float32), ours


def words_of(text: str) -> list[str]:
    """The words of a text, without punctuation; the apostrophe counts."""
    return re.findall(r"[\w']+", text.lower().replace("’", "'"))


def drawn(
    phrases: Sequence[Phrase], conditions: Sequence[str], rng: np.random.Generator
) -> Iterator[tuple[Any, ...]]:
    """Phrases with voice, speed and condition, in an order that any beginning of is fair."""
    speakers = list(SPEAKERS)
    for number, index in enumerate(rng.permutation(len(phrases))):
        speaker = speakers[number % len(speakers)]
        speed = SPEEDS[number // len(speakers) % len(SPEEDS)]
        for condition in conditions:  # the same phrase in all: compared fairly
            yield phrases[index], speaker, speed, condition


def measure_acts(
    listener: Listener,
    ear: Any,
    phrases: Sequence[Phrase],
    conditions: Sequence[str],
    minutes: float,
    cache: Path,
    seed: int,
) -> dict[str, ActsRow]:
    """Hear phrases for so many minutes."""
    rng = np.random.default_rng(seed)
    listener.recognizer = open_part("recognizer", listener.settings.recognizer)
    ours = speak(OURS, "heart", 1.0, cache)
    rows = {condition: ActsRow() for condition in conditions}
    end = time.monotonic() + 60 * minutes
    with progress("phrases", len(phrases) * len(conditions)) as advance:
        for phrase, speaker, speed, condition in drawn(phrases, conditions, rng):
            if time.monotonic() > end and condition == conditions[0]:
                break
            said = speak(phrase.text, speaker, speed, cache)
            sound, other = in_condition(said, condition, ours, rng)
            segments, row = listener.segments(sound, other), rows[condition]
            heard, decided, is_missed = _count(row, listener, ear, phrase, segments)
            if is_missed:
                written = [(one.text, one.confidence) for one in heard]
                row.misheard.append(Misheard(phrase.text, speaker, speed, written, decided))
            advance()
    return rows


def _count(
    row: ActsRow, listener: Listener, ear: Any, phrase: Phrase, segments: Sequence[SpeechSegment]
) -> tuple[list[Transcript], list[tuple[str, str]], bool]:
    """What was heard, what came of it, and whether only typing it was right."""
    begun, now = time.perf_counter(), phrase.moment
    listener.now = spoken_of(
        (it.words for it in now.proposals),
        (it.words for it in now.subtasks if it.status != "dropped"),
        now.recipe_name,
        now.recipes,
    )
    heard = [one for one in map(listener.recognize, segments) if one.text]
    row.seconds.append(time.perf_counter() - begun)
    decided = [listener.decide(one) for one in heard]
    written = words_of(" ".join(text for text, _ in decided))
    row.phrases += 1
    row.words += len(words_of(phrase.text))
    row.word_errors += Levenshtein.distance(words_of(phrase.text), written)
    typed = _acts(ear, phrase, [phrase.text])
    taken = _acts(ear, phrase, [text for text, what in decided if what == "taken"])
    is_typed, is_heard = typed in phrase.readings, bool(decided) and taken in phrase.readings
    row.typed += is_typed
    row.heard += is_heard
    row.asked += any(what == "asked" for _, what in decided)
    row.ignored += any(what == "ignored" for _, what in decided)
    row.unheard += not decided
    meant = {act for reading in (*phrase.readings, typed) for act in reading}
    row.wrong_orders += any(act[0] in HARMFUL and act not in meant for act in taken)
    return heard, decided, is_typed and not is_heard


def _acts(ear: Any, phrase: Phrase, texts: Iterable[str]) -> Meaning:
    return frozenset(act for it in texts for act in meaning([*ear(it, phrase.moment)]))


_LISTENER: Listener | None = None


def _listener() -> Listener:
    """One of this process, with a recognizer."""
    global _LISTENER
    if _LISTENER is None:
        library = open_library(ROOT)
        view, _ = reading_of(library, "mosaic")
        _LISTENER = Listener(Knowledge(view))
        _LISTENER.recognizer = WhisperRecognizer(threads=1)
    return _LISTENER


def _decided(
    listener: Listener, sound: Sound, stops: Sequence[tuple[float, Spotted]]
) -> tuple[list[float], list[float], int]:
    """Stops at once, stops after a check, and how often words were weighed.

    Each with the second in which it is told, as in a run on an idle machine. Of doubts that come
    while one is checked, the likeliest is checked next.
    """
    check = StopCheck(listener.recognizer, stop_words_of(listener.knowledge.view))
    sure: dict[float, float] = {}
    told: list[float] = []
    over, free, read = -ONE_STOP, 0.0, 0
    waiting: tuple[float, float] | None = None

    def ask(chance: float, at: float) -> None:
        nonlocal over, free, read
        is_sure, begun = math.isinf(chance), time.process_time()
        heard = check(_recent(sound, at), is_sure=is_sure)
        free = max(free, at) + time.process_time() - begun
        read += bool(heard.text)
        last = at + SURE_CHECK if is_sure else math.inf
        if check.is_stop(heard.text) or free > last:
            told.append(min(free, last))
            over = at if is_sure else over

    for at, spotted in stops:
        if waiting is not None and free <= at:
            ask(*waiting)
            waiting = None
        if at - over <= ONE_STOP or spotted.chance < check.least_doubt:
            continue
        chance = math.inf if spotted.sure else spotted.chance
        if spotted.sure and free <= at:
            begun = time.process_time()
            is_stop = check.at_once(_recent(sound, at))
            if is_stop:
                over, sure[at] = at, at + time.process_time() - begun
            if is_stop is not None:
                continue
        if free <= at:
            ask(chance, at)
        elif waiting is None or chance >= waiting[0]:
            waiting = chance, at
    if waiting is not None:
        ask(*waiting)
    return [*sure.values()], told, read


def _recent(sound: Sound, at: float) -> Sound:
    """What is checked at a second of a sound."""
    end = round(at * RATE)
    return sound[max(end - round(CHECKED * RATE), 0) : end]


def _one_stop(
    number: int, conditions: Sequence[str], cache: Path, seed: int
) -> dict[str, StopsRow]:
    """Say the stop of a number in each condition."""
    listener = _listener()
    every = [(text, who, how) for text in STOPS for who in UNKNOWN for how in SPEEDS]
    rng = np.random.default_rng(seed)
    text, speaker, speed = every[rng.permutation(len(every))[number % len(every)]]
    rng = np.random.default_rng((seed, number))
    ours = speak(OURS, "heart", 1.0, cache)
    said = speak(text, speaker, speed, cache)
    spoken = np.flatnonzero(np.abs(said) > 0.02)
    rows = {}
    for condition in conditions:
        sound, other = in_condition(said, condition, ours, rng)
        lead = BEFORE + (other is not None)
        clean, stops = listener.stream(sound, other)
        sure, told, read = _decided(listener, clean, stops)
        row = rows[condition] = StopsRow(stops=1, at_once=bool(sure))
        row.checked = bool(told and not sure)
        if stops and not sure and not told:
            row.unread, row.unlike = int(read > 0), int(read == 0)
        if sure or told:
            row.delays.append((sure or told)[0] - lead - (spoken[-1] + 1) / RATE)
        row.natural = int(speaker in NATURAL)
        row.natural_heard = row.natural * int(row.at_once or row.checked)
    return rows


def _one_minute(number: int, cache: Path, seed: int, texts: Sequence[str]) -> TalkRow:
    """A minute of a kitchen in which people talk and nobody says stop."""
    listener = _listener()
    rng = np.random.default_rng((seed, 7, number))
    whole = np.zeros(60 * RATE, np.float32)
    row, words, at = TalkRow(seconds=60.0), [], round(rng.uniform(0, 2) * RATE)
    while at < len(whole):
        text = texts[rng.integers(len(texts))]
        said = speak(text, str(rng.choice(TALKERS)), float(rng.choice(SPEEDS)), cache)
        said = said[: len(whole) - at] * float(rng.uniform(0.3, 1.0))
        whole[at : at + len(said)] += said
        words.append(text)
        at += len(said) + round(float(rng.choice((0.2, 0.7, 2.0))) * rng.uniform(0.5, 2) * RATE)
    is_quiet = number % 4 == 0
    sound = whole if is_quiet else in_room(whole, rng)
    sound = mixed(sound, None if is_quiet else float(rng.choice((20, 10, 5))), rng)
    if number % 4 == 3:  # knocks, motors, tones
        sound = np.clip(sound + 0.05 * any_noise(len(sound), rng), -1, 1).astype(np.float32)
    ours = None
    if number % 3 == 2:
        row.over = 60.0
        sayings = [speak(str(rng.choice(SAYINGS)), "heart", 1.0, cache) for _ in range(20)]
        pause = np.zeros(RATE, np.float32)
        ours = np.concatenate([np.concatenate([one, pause]) for one in sayings])[: len(sound)]
        alone = 0.02 if number % 6 == 5 else 1.0  # nobody talks but us
        late = np.concatenate([np.zeros(640, np.float32), ours])[: len(sound)]
        sound = np.asarray(alone * sound + ECHO * in_room(late, rng), np.float32)
    clean, stops = listener.stream(sound, ours)
    row.phrases = len(words)
    sure, told, row.doubted = _decided(listener, clean, stops)
    row.false = len(sure)
    row.recognized = len([at for at in _moments(told) if all(abs(at - it) > APART for it in sure)])
    row.false_over = (row.false + row.recognized) * (ours is not None)
    if row.false or row.recognized:
        row.words = words
    return row


def _moments(times: Sequence[float]) -> list[float]:
    """Times without those that are of the same moment as the one before."""
    return [at for n, at in enumerate(times) if not n or at - times[n - 1] > APART]


def in_processes(
    what: str, call: Callable[[int], Any], count: int, processes: int, minutes: float
) -> Iterator[Any]:
    """Results of a call with the numbers up to a count, until so many minutes are over."""
    end = time.monotonic() + 60 * minutes
    with Pool(processes, os.setsid) as pool, progress(what, count) as advance:
        for result in pool.imap_unordered(call, range(count)):
            yield result
            advance()
            if time.monotonic() > end:
                pool.terminate()
                return


def measure_stops(
    conditions: Sequence[str], cache: Path, seed: int, processes: int, minutes: float
) -> dict[str, StopsRow]:
    """Say each stop by each voice at each speed in each condition."""
    rows = {condition: StopsRow() for condition in conditions}
    call = partial(_one_stop, conditions=conditions, cache=cache, seed=seed)
    count = len(STOPS) * len(UNKNOWN) * len(SPEEDS)
    for result in in_processes("stops", call, count, processes, minutes):
        for condition, one in result.items():
            row = rows[condition]
            row.stops += one.stops
            row.at_once += one.at_once
            row.checked += one.checked
            row.unlike += one.unlike
            row.unread += one.unread
            row.delays += one.delays
            row.natural += one.natural
            row.natural_heard += one.natural_heard
    return rows


def measure_talk(
    texts: Sequence[str], cache: Path, seed: int, processes: int, minutes: float, count: int
) -> TalkRow:
    """So many minutes of talk without a stop."""
    row = TalkRow()
    call = partial(_one_minute, cache=cache, seed=seed, texts=texts)
    for one in in_processes("minutes of talk", call, count, processes, minutes):
        row.seconds += one.seconds
        row.over += one.over
        row.phrases += one.phrases
        row.false += one.false
        row.doubted += one.doubted
        row.recognized += one.recognized
        row.false_over += one.false_over
        row.words += one.words
    return row


def _share(a: float, b: float) -> str:
    return f"{100 * a / b:.1f} %" if b else "–"


def tables(
    acts: dict[str, ActsRow], stops: dict[str, StopsRow], talk: TalkRow | None = None
) -> str:
    """The results as Markdown."""
    lines = [
        "| kitchen | phrases | word error | acts right, typed | heard | beside typed | asked back "
        "| ignored, unheard | wrong orders | s, median (p95) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in acts.items():
        if row.phrases:
            middle, late = np.percentile(row.seconds, [50, 95])
            lines.append(
                f"| {name} | {row.phrases} | {_share(row.word_errors, row.words)} "
                f"| {_share(row.typed, row.phrases)} | {_share(row.heard, row.phrases)} "
                f"| {_share(row.heard, row.typed)} | {row.asked} | {row.ignored}, {row.unheard} "
                f"| {row.wrong_orders} | {middle:.1f} ({late:.1f}) |"
            )
    if not acts:
        lines.clear()
    lines += stops and [
        "",
        "| kitchen | stops | at once | after a check | by natural voices "
        "| missed: no doubt, judge, words | s after the utterance, median (p95) | within 0.3 s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, one in stops.items():
        if one.stops:
            middle, late = np.percentile(one.delays or [np.nan], [50, 95])
            missed = one.stops - one.at_once - one.checked
            silent = missed - one.unlike - one.unread
            lines.append(
                f"| {name} | {one.stops} | {_share(one.at_once, one.stops)} "
                f"| {_share(one.at_once + one.checked, one.stops)} "
                f"| {_share(one.natural_heard, one.natural)} "
                f"| {silent}, {one.unlike}, {one.unread} "
                f"| {middle:.2f} ({late:.2f}) "
                f"| {_share(sum(it <= 0.3 for it in one.delays), len(one.delays))} |"
            )
    if talk is not None and talk.seconds:
        lines += [
            "",
            f"{talk.seconds / 60:.0f} minutes of talk ({talk.over / 60:.0f} over our own voice), "
            f"{talk.phrases} phrases without a stop: {talk.false} stops at once, "
            f"{talk.recognized} after a check ({talk.false_over} of both over our own voice); "
            f"words weighed {talk.doubted} times.",
        ]
    return "\n".join(lines)


def command(
    minutes: Annotated[float, typer.Option(help="Minutes for each part at most.")] = 10,
    part: Annotated[str, typer.Option(help="acts, stops, talk or all.")] = "all",
    talk: Annotated[int, typer.Option(help="Minutes of talk without a stop.")] = 60,
    processes: Annotated[int, typer.Option(help="For stops and talk.")] = 2,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    kitchens: Annotated[
        str, typer.Option(help="Of acts and stops, with commas between them (default: all).")
    ] = "",
    cache: Annotated[Path, typer.Option(help="Folder of what was spoken.")] = Path("runs/voices"),
    out: Annotated[
        Path | None, typer.Option(help="Writes counts, and misheard phrases, as JSON.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Writes the tables of a part into the results page.")
    ] = False,
) -> int:
    """Measure what is heard of synthetic people in a kitchen's noise, and print tables."""
    chosen = [it.strip() for it in kitchens.split(",") if it.strip()]
    if unknown := next((it for it in chosen if it not in CONDITIONS), ""):
        raise typer.BadParameter(
            f"unknown kitchen '{unknown}'; {suggestion(unknown, CONDITIONS, 'kitchens')}"
        )
    begun, library = time.monotonic(), open_library(ROOT)
    view, entry = reading_of(library, "mosaic")
    words = stop_words_of(view)
    corpus = load_phrases(ROOT / "experiments/corpora/kitchen")
    phrases = [it for it in corpus if not words.stop_acts_in(it.text, ()) and len(it.text) < 120]
    acts: dict[str, ActsRow] = {}
    stops: dict[str, StopsRow] = {}
    heard: TalkRow | None = None
    if part in ("stops", "all"):
        stops = measure_stops(chosen or STOPPED, cache, seed, processes, minutes)
    if part in ("talk", "all"):
        texts = [it.text for it in phrases if not is_for_training(it.text)]
        texts = [text for text in texts if not STOP.search(text)]
        heard = measure_talk(texts, cache, seed, processes, minutes, talk)
    if part in ("acts", "all"):
        ear, shown = ear_of_reading(view, entry), [it for it in phrases if not it.held_back]
        listener, those = Listener(Knowledge(view)), chosen or [*CONDITIONS]
        acts = measure_acts(listener, ear, shown, those, minutes, cache, seed)
    where, table = machine(), tables(acts, stops, heard).strip()
    print(where)
    print(table)
    if write:
        took = f"Seed {seed}, {(time.monotonic() - begun) / 60:.0f} minutes, ended on {where}."
        begin = f"<!-- measured: python -m experiments.voice.evaluate --part {part} --write -->"
        PAGE.write_text(with_body(PAGE, begin, END, f"\n\n{took}\n\n{table}\n\n"), "utf-8")
    if out is not None:
        rows: dict[str, dict[str, Any]] = {"acts": {**acts}, "stops": {**stops}}
        data = {name: {k: asdict(v) for k, v in table.items()} for name, table in rows.items()}
        out.write_text(json.dumps({**data, "talk": heard and asdict(heard)}), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))

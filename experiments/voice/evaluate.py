"""``python -m experiments.voice.evaluate``: how a run hears synthetic people in a noisy kitchen.

Phrases of the corpus, each by a voice at a speed in one of `CONDITIONS`, go through the parts that
`treec run --voice` has: canceller, spotter, detector, recognizer, names. The acts of what was heard
are compared with those of the typed phrase, in the phrase's moment. Stops and talk without a stop
go to the spotter alone, since that needs no more. What is drawn first is measured first: a run that
is cut by ``--minutes`` is a fair sample.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rapidfuzz.distance import Levenshtein

from experiments.command import main
from experiments.hearing.judging import HARMFUL
from experiments.hearing.phrases import Meaning, Phrase, load_phrases, meaning
from experiments.page import machine
from experiments.voice.rooms import in_room, mixed
from experiments.voice.speakers import SPEAKERS, SPEEDS, speak
from treec.cli.basics import open_library
from treec.cli.hear import ear_of_reading, reading_of
from treec.cli.progress import progress
from treec.team.knowledge import Knowledge
from treec.team.language import stop_words_of
from treec_voice.doors import FRAME, RATE, SECONDS, Sound, Spotted, Transcript, open_part
from treec_voice.names import hot_words, names_anything, put_names_right
from treec_voice.recognition import Recognition
from treec_voice.segments import SegmentFinder, SpeechSegment
from treec_voice.settings import VoiceSettings
from treec_voice.sound import frames_of
from treec_voice.spotter import phrases_of

ROOT = Path(__file__).parents[2]
CONDITIONS: dict[str, tuple[float | None, bool, bool]] = {
    "clean": (None, False, False),
    "20 dB": (20, True, False),
    "10 dB": (10, True, False),
    "5 dB": (5, True, False),
    "over our own voice": (20, True, True),
}
"""Condition → noise (dB below the speech), whether in a room with echo, whether we speak too."""
OURS = (
    "Shall R1 pour the pepper into the bowl? Shall R2 get the ranch sauce? Tell me when it is done."
)
ECHO = 0.35
"""How loud our own voice comes back, beside a person's of about the same loudness."""
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
    *("Okay, stop.", "Wait, stop!", "The arm, stop."),
)
LAST = re.compile(r"\b(?:stop|halt|freeze)\W*$", re.IGNORECASE)
"""Phrases whose end is that of the word, so that the delay can be measured."""


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


@dataclass
class StopsRow:
    """What came of the stops of one condition."""

    stops: int = 0
    heard: int = 0
    delays: list[float] = field(default_factory=list)
    phrases: int = 0
    """Phrases without a stop."""
    false: int = 0
    sound: float = 0.0


class Listener:
    """The parts of a run that hear, as one call."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.settings = VoiceSettings.model_validate({})
        self.recognizer: Any = None
        self._recognition = Recognition(
            lambda: self.recognizer,
            lambda: hot_words(knowledge),
            lambda segment, heard: None,
            lambda why: None,
            doubt=self.settings.sure,
        )

    def stream(
        self, sound: Sound, ours: Sound | None, *, detect: bool = True
    ) -> tuple[list[SpeechSegment], list[tuple[float, Spotted]]]:
        """What is said in a sound, and the stops in it with the second at which each was heard."""
        spotter = open_part(
            "spotter", self.settings.spotter, *phrases_of(stop_words_of(self.knowledge.view))
        )
        detector = open_part("detector", self.settings.detector) if detect else None
        canceller = None if ours is None else open_part("canceller", self.settings.canceller)
        finder, segments, stops = SegmentFinder(), [], []
        far = iter(()) if ours is None else frames_of(ours)
        for number, frame in enumerate(frames_of(sound)):
            if canceller is not None:
                frame = canceller(frame, next(far, np.zeros(FRAME, np.float32)))
            spotted = spotter(frame)
            if spotted is not None:
                stops.append(((number + 1) * SECONDS, spotted))
            if detector is not None:
                segment = finder.add(frame, detector(frame), spotted)
                segments += [] if segment is None else [segment]
        last = finder.end()
        return [*segments, *([] if last is None else [last])], stops

    def recognize(self, segment: SpeechSegment) -> Transcript:
        """Its words, as a run gets them."""
        return self._recognition.recognize(self.recognizer, segment)

    def decide(self, heard: Transcript) -> tuple[str, str]:
        """The words with names put right; and taken, asked or ignored."""
        understood = put_names_right(self.knowledge, heard.text)
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


def drawn(phrases: Sequence[Phrase], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Phrases with voice, speed and condition, in an order that any beginning of is fair."""
    speakers, conditions = list(SPEAKERS), list(CONDITIONS)
    for number, index in enumerate(rng.permutation(len(phrases))):
        speaker = speakers[number % len(speakers)]
        speed = SPEEDS[number // len(speakers) % len(SPEEDS)]
        for condition in conditions:  # the same phrase in all: compared fairly
            yield phrases[index], speaker, speed, condition


def measure_acts(
    listener: Listener, ear: Any, phrases: Sequence[Phrase], minutes: float, cache: Path, seed: int
) -> dict[str, ActsRow]:
    """Hear phrases for so many minutes."""
    rng = np.random.default_rng(seed)
    listener.recognizer = open_part("recognizer", listener.settings.recognizer)
    ours = speak(OURS, "heart", 1.0, cache)
    rows = {condition: ActsRow() for condition in CONDITIONS}
    end = time.monotonic() + 60 * minutes
    with progress("phrases", len(phrases) * len(CONDITIONS)) as advance:
        for phrase, speaker, speed, condition in drawn(phrases, rng):
            if time.monotonic() > end and condition == next(iter(CONDITIONS)):
                break
            said = speak(phrase.text, speaker, speed, cache)
            sound, other = in_condition(said, condition, ours, rng)
            _count(rows[condition], listener, ear, phrase, listener.stream(sound, other)[0])
            advance()
    return rows


def _count(
    row: ActsRow, listener: Listener, ear: Any, phrase: Phrase, segments: Sequence[SpeechSegment]
) -> None:
    begun = time.perf_counter()
    heard = [one for one in map(listener.recognize, segments) if one.text]
    row.seconds.append(time.perf_counter() - begun)
    decided = [listener.decide(one) for one in heard]
    written = words_of(" ".join(text for text, _ in decided))
    row.phrases += 1
    row.words += len(words_of(phrase.text))
    row.word_errors += Levenshtein.distance(words_of(phrase.text), written)
    typed = _acts(ear, phrase, [phrase.text])
    taken = _acts(ear, phrase, [text for text, what in decided if what == "taken"])
    row.typed += typed in phrase.readings
    row.heard += bool(decided) and taken in phrase.readings
    row.asked += any(what == "asked" for _, what in decided)
    row.ignored += any(what == "ignored" for _, what in decided)
    row.unheard += not decided
    meant = {act for reading in (*phrase.readings, typed) for act in reading}
    row.wrong_orders += any(act[0] in HARMFUL and act not in meant for act in taken)


def _acts(ear: Any, phrase: Phrase, texts: Iterable[str]) -> Meaning:
    return frozenset(act for it in texts for act in meaning([*ear(it, phrase.moment)]))


def measure_stops(
    listener: Listener, phrases: Sequence[Phrase], minutes: float, cache: Path, seed: int
) -> dict[str, StopsRow]:
    """Say stops, and after each a phrase without one, for so many minutes."""
    others = (it for it in drawn(phrases, np.random.default_rng(seed)))
    rng = np.random.default_rng(seed)
    ours = speak(OURS, "heart", 1.0, cache)
    rows = {condition: StopsRow() for condition in CONDITIONS}
    every = [(text, who, how) for text in STOPS for who in SPEAKERS for how in SPEEDS]
    end = time.monotonic() + 60 * minutes
    with progress("stops", len(every) * len(CONDITIONS)) as advance:
        for index in rng.permutation(len(every)):
            if time.monotonic() > end:
                break
            text, speaker, speed = every[index]
            said = speak(text, speaker, speed, cache)
            spoken = np.flatnonzero(np.abs(said) > 0.02)
            for condition, row in rows.items():
                sound, other = in_condition(said, condition, ours, rng)
                _, stops = listener.stream(sound, other, detect=False)
                row.stops += 1
                row.heard += bool(stops)
                if stops and LAST.search(text):
                    lead = BEFORE + (other is not None)
                    row.delays.append(stops[0][0] - lead - (spoken[-1] + 1) / RATE)
                phrase, who, how, _ = next(others)
                said_else = speak(phrase.text, who, how, cache)
                sound, other = in_condition(said_else, condition, ours, rng)
                row.phrases += 1
                row.false += len(listener.stream(sound, other, detect=False)[1])
                row.sound += len(sound) / RATE
                advance()
    return rows


def _share(a: float, b: float) -> str:
    return f"{100 * a / b:.1f} %" if b else "–"


def tables(acts: dict[str, ActsRow], stops: dict[str, StopsRow]) -> str:
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
    lines += [
        "",
        "| kitchen | stops | heard | s after the word, median (p95) | phrases | false |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, one in stops.items():
        if one.stops:
            middle, late = np.percentile(one.delays or [np.nan], [50, 95])
            lines.append(
                f"| {name} | {one.stops} | {_share(one.heard, one.stops)} "
                f"| {middle:.2f} ({late:.2f}) | {one.phrases} ({one.sound / 60:.1f} min) "
                f"| {one.false} |"
            )
    return "\n".join(lines)


def command(
    minutes: Annotated[float, typer.Option(help="Minutes for acts, and again for stops.")] = 10,
    part: Annotated[str, typer.Option(help="acts, stops or both.")] = "both",
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    cache: Annotated[Path, typer.Option(help="Folder of what was spoken.")] = Path("runs/voices"),
    out: Annotated[Path | None, typer.Option(help="Writes the counts as JSON.")] = None,
) -> int:
    """Measure what is heard of synthetic people in a kitchen's noise, and print tables."""
    library = open_library(ROOT)
    view, entry = reading_of(library, "mosaic")
    listener = Listener(Knowledge(view))
    words = stop_words_of(view)
    phrases = [
        phrase
        for phrase in load_phrases(ROOT / "experiments/corpora/kitchen")
        if not phrase.held_back
        and not words.stop_acts_in(phrase.text, ())
        and len(phrase.text) < 120
    ]
    acts = (
        measure_acts(listener, ear_of_reading(view, entry), phrases, minutes, cache, seed)
        if part != "stops"
        else {}
    )
    stops = measure_stops(listener, phrases, minutes, cache, seed) if part != "acts" else {}
    print(machine())
    print(tables(acts, stops))
    if out is not None:
        rows: dict[str, dict[str, Any]] = {"acts": {**acts}, "stops": {**stops}}
        data = {name: {k: asdict(v) for k, v in table.items()} for name, table in rows.items()}
        out.write_text(json.dumps(data), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))

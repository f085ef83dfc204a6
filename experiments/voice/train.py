"""``python -m experiments.voice.train``: fit the network that hears stops, on synthetic speech.

Sentences with stops, words that sound like stops, phrases of the kitchen's corpus and words at
random are spoken by many voices, most of them natural ones bent to people who do not exist; streams
of them go through rooms, noise and our own speech. The voices and the half of the corpus that
`evaluate` uses take no part.
"""

from __future__ import annotations

import os
import re
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.command import main
from experiments.hearing.phrases import load_phrases
from experiments.voice.natural import by_anybody, by_heart, by_pico
from experiments.voice.rooms import any_noise, in_room, through_microphone
from experiments.voice.said import STOP, by_espeak, by_flite, by_wheel, pitched
from treec.cli.progress import progress
from treec_voice.doors import RATE, Sound, open_part
from treec_voice.sound import frames_of
from treec_voice.sounds import likeness, sounds_of, spelt_words
from treec_voice.stop_network import BANDS, HOP, HOPS, LAYERS, NONE, UNMEANT, WINDOW, features
from treec_voice.stop_network import STOP as MEANT

ROOT = Path(__file__).parents[2]
ACCENTS = (
    *("en-us", "en-us", "en", "en", "en-gb-scotland", "en-029", "en-us-nyc"),
    *("en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd"),
)
VARIANTS = (
    *("m1", "m2", "m4", "m5", "m6", "m7", "m8", "f1", "f2", "f4", "f5", "klatt", "klatt2"),
    *("klatt3", "klatt4", "klatt5", "klatt6", "adam", "anika", "announcer", "antonio", "aunty"),
    *("belinda", "benjamin", "boris", "caleb", "david", "ed", "edward", "grandma", "grandpa"),
    *("gustave", "iven", "iven2", "john", "linda", "marcelo", "max", "michel", "miguel", "norbert"),
    *("pablo", "paul", "pedro", "quincy", "rob", "robert", "sandro", "shelby", "steph", "steph2"),
    *("travis", "victor", "zac", "Alex", "Alicia", "Andrea", "Andy", "Annie", "Denis", "Diogo"),
    *("Gene", "Henrique", "Hugo", "Jacky", "Lee", "Marco", "Mario", "Michael", "Mike", "Storm"),
)
"""Without m3, f3 and plain voices, with which `evaluate` speaks."""
FLITE = ("kal16", "awb", "rms")
"""Without slt, likewise."""
BEFORE = (
    *("", "", "", "", "R1, ", "R2, ", "please ", "no, ", "no, no, ", "hey, ", "wait, ", "whoa, "),
    *("okay, ", "robot, ", "everybody ", "oh no, ", "both of you ", "all robots, ", "just ", "R2 "),
    *(
        "that is enough, ",
        "you can ",
        "the arm, ",
        "I said ",
        "can you ",
        "everyone ",
        "emergency ",
    ),
    *("you must ", "robots, ", "Scout, ", "Hauler, ", "ouch, ", "careful, ", "hold on, ", "e-"),
)
STOPS = ("stop", "stop", "stop", "stop", "halt", "freeze")
AFTER = (
    *("", "", "", "", "", " now", " please", " it", " that", " everything", " right there"),
    *(
        " both",
        " moving",
        " what you are doing",
        " immediately",
        ", R2",
        " the pouring",
        " at once",
    ),
    *(
        " stirring",
        " chopping the onions",
        ", stop",
        ", both of you",
        " pouring",
        " there",
        " here",
    ),
    *(" R1", " the robot", ", everyone", " doing that", " or it spills", " before it burns"),
)
UNMEANT_STOPS = (
    *("don't ", "do not ", "never ", "please don't ", "without a ", "it cannot ", "the bus "),
    *("a full ", "the pit ", "it did not ", "you should not ", "do not ever ", "the truck "),
)
ALIKE = (
    *("step", "top", "shop", "chop", "stock", "pot", "stopped", "stopping", "stops", "stopper"),
    *("spot", "drop", "strop", "stomp", "stuff", "stir", "start", "stack", "store", "hot", "hop"),
    *("freezer", "freezing", "breeze", "please", "fries", "frieze", "three", "free", "cheese"),
    *(
        "half",
        "hall",
        "hold",
        "salt",
        "malt",
        "halter",
        "halted",
        "hurt",
        "haul",
        "hauler",
        "heart",
    ),
    *("the best option", "first opportunity", "the last operation", "most operators", "slop"),
    *("next step", "on top", "swap", "soap", "stoop", "steep", "stalk", "star", "stay", "still"),
    *(
        "a lot of",
        "what if",
        "it's hot",
        "all of it",
        "alternate",
        "bus top",
        "house top",
        "laptop",
    ),
    *("melt", "felt", "belt", "built", "tree", "sleep", "freed", "vault", "old", "hard", "tops"),
    *("knees", "peas", "squeeze", "these", "fleece", "fridge", "fruit", "trees", "crease"),
    *("sto", "st", "ta", "op", "hal", "free", "stob", "stod", "stock it", "stopwatch", "nonstop"),
)
FRAMES = ("{}.", "{}.", "{}!", "the {}.", "{} it.", "{} the onions.", "R2, {}.", "a {}, please.")
SAME = 0.9
"""Likeness from which words cannot be told from a stop by everybody."""
SECONDS = 4.2
"""Length of a stream."""
SOON, LATE = 0.06, 0.24
"""Seconds after the end of a stop between which it is to be heard."""
BLUR = (0.15, 0.5)
"""Seconds before and after an end within which it does not matter otherwise what is heard."""


@dataclass
class Line:
    """A sentence as it was spoken: 16-bit samples, and the ends of its stops with their kinds."""

    sound: Any
    ends: Sequence[tuple[float, int]]


def is_for_training(text: str) -> bool:
    """Which half of the corpus a phrase belongs to."""
    return zlib.crc32(text.lower().encode()) % 2 == 0


def sentence(rng: np.random.Generator, phrases: Sequence[str], stops: Sequence[str]) -> str:
    """What somebody says in a kitchen."""
    draw = rng.random()
    if draw < 0.27:
        stop = str(rng.choice(STOPS))
        end = str(rng.choice((".", "!", "!")))
        return f"{rng.choice(BEFORE)}{stop}{rng.choice(AFTER)}{end}"
    if draw < 0.35:
        return str(stops[rng.integers(len(stops))])
    if draw < 0.38:
        return f"{rng.choice(UNMEANT_STOPS)}{rng.choice(STOPS)}{rng.choice(AFTER)}."
    if draw < 0.50:
        return str(rng.choice(FRAMES)).format(rng.choice(ALIKE))
    if draw < 0.64:
        near = alike()
        return str(rng.choice(FRAMES)).format(near[int(len(near) * rng.random() ** 2)])
    if draw < 0.74:
        words = spelt_words()
        return " ".join(words[rng.integers(len(words))] for _ in range(rng.integers(1, 6))) + "."
    return str(phrases[rng.integers(len(phrases))])


@cache
def alike() -> Sequence[str]:
    """Words of the dictionary that sound like a stop and have none in them, the nearest first."""
    stops = [sounds_of(stop) for stop in ("stop", "halt", "freeze")]
    words = [word for word in spelt_words() if not STOP.search(word)]
    scores = {word: max(likeness(sounds_of(word), stop) for stop in stops) for word in words}
    return sorted((it for it in words if scores[it] < SAME), key=lambda it: -scores[it])[:2500]


def spoken(text: str, rng: np.random.Generator) -> Line:
    """A sentence by somebody; without a stop, if the place of one is not known."""
    kinds = [kind_of(text, match) for match in STOP.finditer(text)]
    draw = rng.random()
    is_last = len(kinds) <= 1 and not re.search(r"\w", STOP.split(text)[-1] * len(kinds))
    if draw < 0.08 and is_last:
        said = by_pico(text, "en-US", float(rng.uniform(0.8, 1.4)), float(rng.uniform(0.7, 1.3)))
        said = pitched(said, float(rng.uniform(0.8, 1.25)))
    elif draw < 0.14:
        said = by_anybody(text, rng)
    elif draw < 0.60:
        said = by_heart(text, rng)
    elif draw < 0.75:
        said = by_flite(text, str(rng.choice(FLITE)), float(rng.uniform(0.7, 1.5)))
        said = pitched(said, float(rng.uniform(0.85, 1.3)))
    else:
        voice = f"{rng.choice(ACCENTS)}+{rng.choice(VARIANTS)}"
        rate, pitch, spread = rng.integers((110, 20, 20), (230, 80, 90))
        said = by_espeak(text, voice, int(rate), int(pitch), int(spread))
        said = pitched(said, float(rng.uniform(0.9, 1.12)))
    ends = [*zip(said.ends, kinds, strict=True)] if len(said.ends) == len(kinds) else []
    loudest = max(float(np.abs(said.sound).max()), 1e-6) if len(said.sound) else 1.0
    is_whole = len(ends) == len(kinds)
    return Line(np.asarray(said.sound / loudest * 32000, np.int16) if is_whole else None, ends)


def kind_of(text: str, stop: re.Match[str]) -> int:
    """Whether a stop is meant: not denied or a noun."""
    before = re.findall(r"[\w']+", text[: stop.start()].lower())[-3:]
    denied = any(word.endswith("n't") or word in _DENIALS for word in before)
    return UNMEANT if denied or (before and before[-1] in _NOUNS) else MEANT


_DENIALS = {"not", "without", "cannot", "never", "nor"}
_NOUNS = {"bus", "full", "pit", "truck"}


def _line(number: int, seed: int, phrases: Sequence[str], stops: Sequence[str]) -> Line:
    rng = np.random.default_rng((seed, number))
    return spoken(sentence(rng, phrases, stops), rng)


_LINES: Sequence[Line] = ()
_OURS: Sequence[Any] = ()


def stream(number: int, seed: int) -> tuple[Any, Any]:
    """Features of a stream, float16, and what is to be heard at each row; -1: anything."""
    sound, ends = stream_of_sound(number, seed)
    table = features(sound)
    when = np.arange(len(table)) * HOP / RATE + WINDOW / RATE
    wanted = np.full(len(table), NONE, np.int8)
    for over, _ in ends:
        wanted[(when > over - BLUR[0]) & (when < over + BLUR[1])] = -1
    for over, kind in ends:
        wanted[(when >= over + SOON) & (when <= over + LATE)] = kind
    return table.astype(np.float16), wanted


def stream_of_sound(number: int, seed: int) -> tuple[Sound, list[tuple[float, int]]]:
    """A stream of speech, and the ends of its stops in seconds with their kinds."""
    rng = np.random.default_rng((seed, 1, number))
    size = round(SECONDS * RATE)
    sound = np.zeros(size, np.float32)
    ends: list[tuple[float, int]] = []
    at = int(rng.integers(-RATE, RATE // 2))
    while at < size and number % 12:
        line = _LINES[rng.integers(len(_LINES))]
        said = line.sound.astype(np.float32) / 32000 * 10 ** rng.uniform(-0.25, 0)
        start, end = max(at, 0), min(at + len(said), size)
        if start < end:
            sound[start:end] += said[start - at : end - at]
        ends += [(at / RATE + end, kind) for end, kind in line.ends]
        at += len(said) + int(rng.choice((rng.uniform(0.02, 0.25), rng.uniform(0.25, 1.2))) * RATE)
    if rng.random() < 0.7:
        sound = in_room(
            sound, rng, float(rng.uniform(0.1, 0.7)), float(rng.choice((0.2, 0.5, 0.5, 0.8)))
        )
    if rng.random() < 0.5:
        sound = through_microphone(sound, rng)
    loud = np.sqrt(np.mean(sound[np.abs(sound) > 0.02] ** 2)) if np.abs(sound).max() > 0.02 else 0.1
    noisy = (rng.uniform(0, most) for most in (8, 12, 16))
    snr = float(rng.choice((60, rng.uniform(15, 40), *noisy)))
    sound = sound + loud * 10 ** (-snr / 20) * any_noise(size, rng)
    if rng.random() < 0.15:
        sound = over_ours(np.asarray(sound, np.float32), float(loud), rng)
    sound = sound * 10 ** rng.uniform(-1.4, 0.1) / max(float(np.abs(sound).max()), 1e-3)
    sound = sound + rng.normal(0, 10 ** rng.uniform(-5, -3.3), size)
    return np.clip(sound, -1, 1).astype(np.float32), ends


def over_ours(sound: Sound, loud: float, rng: np.random.Generator) -> Sound:
    """A stream while we speak, taken out by the canceller or, where there is none, quieter."""
    ours = np.asarray(_OURS[rng.integers(len(_OURS))], np.float32) / 32000
    ours = np.resize(np.roll(ours, int(rng.integers(len(ours)))), len(sound))
    ours = ours / (np.std(ours) + 1e-6) * loud
    late = np.concatenate([np.zeros(int(rng.integers(200, 1500)), np.float32), ours])
    echo = in_room(late[: len(sound)], rng) * float(rng.uniform(0.1, 0.6))
    if rng.random() < 0.3:
        return np.asarray(sound + 0.3 * echo, np.float32)
    canceller = open_part("canceller", "webrtc")
    far = np.concatenate([ours[-RATE:], ours])  # it has learnt the echo before
    near = np.concatenate([echo[-RATE:], sound + echo])
    heard = []
    for both in zip(frames_of(near), frames_of(far), strict=True):
        canceller(*both)
        heard.append(canceller.heard)
    return np.asarray(np.concatenate(heard)[RATE : RATE + len(sound)], np.float32)


def command(
    lines: Annotated[int, typer.Option(help="Sentences that are spoken in a round.")] = 6000,
    streams: Annotated[int, typer.Option(help="Streams that are made of them.")] = 10000,
    rounds: Annotated[int, typer.Option(help="Rounds, each with a seed of its own.")] = 1,
    processes: Annotated[int, typer.Option(help="That speak.")] = 2,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    epochs: Annotated[int, typer.Option(help="Times that all streams are seen.")] = 11,
    out: Annotated[Path, typer.Option(help="The network.")] = ROOT / "voice/treec_voice/stops.npz",
) -> int:
    """Make streams of speech, fit the network and write it."""
    begun = time.monotonic()
    parts = [made(lines, streams, processes, seed + number) for number in range(rounds)]
    x = np.concatenate([one for one, _ in parts])
    y = np.concatenate([one for _, one in parts])
    print(f"{len(x)} streams, {time.monotonic() - begun:.0f} s", flush=True)
    arrays = fit(x, y, epochs, seed)
    np.savez_compressed(out, **arrays)
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB, {time.monotonic() - begun:.0f} s")
    return 0


def made(lines: int, streams: int, processes: int, seed: int) -> tuple[Any, Any]:
    """Features (streams, rows, BANDS) and what is to be heard (streams, rows)."""
    speak_lines(lines, processes, seed)
    with Pool(processes, os.setsid) as pool, progress("streams", streams) as advance:
        tables, wanted = [], []
        for table, want in pool.imap(partial(stream, seed=seed), range(streams), chunksize=20):
            tables.append(table)
            wanted.append(want)
            advance()
    return np.stack(tables), np.stack(wanted)


def speak_lines(lines: int, processes: int, seed: int) -> None:
    """Speak the sentences of which streams are made."""
    global _LINES, _OURS
    corpus = load_phrases(ROOT / "experiments/corpora/kitchen")
    texts = sorted({it.text for it in corpus if len(it.text) < 90 and is_for_training(it.text)})
    stops = [text for text in texts if STOP.search(text)]
    phrases = [text for text in texts if not STOP.search(text)]
    alike()
    speak = partial(_line, seed=seed, phrases=phrases, stops=stops)
    with Pool(processes, os.setsid) as pool, progress("sentences", lines) as advance:
        said = []
        for one in pool.imap(speak, range(lines), chunksize=20):
            said.append(one)
            advance()
    _LINES = [one for one in said if one.sound is not None and len(one.sound)]
    _OURS = [np.asarray(by_wheel(text, 1.0).sound * 32000, np.int16) for text in phrases[:60]]


def fit(x: Any, y: Any, epochs: int, seed: int, threads: int = 1) -> dict[str, Any]:
    """The weights, for `StopNetwork`, with the batch normalization folded in."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    rng = np.random.default_rng(seed)
    parts: list[Any] = []
    given = BANDS
    for channels, width, step, dilation in LAYERS:
        parts += [
            nn.Conv1d(given, channels, width, step, dilation=dilation, bias=False),
            nn.BatchNorm1d(channels),
            nn.ReLU(),
        ]
        given = channels
    model = nn.Sequential(*parts, nn.Dropout(0.1), nn.Conv1d(given, 3, 1))
    held = len(x) // 20
    inputs, labels = torch.from_numpy(x), torch.from_numpy(y.astype(np.int64))
    size, steps = 64, epochs * ((len(x) - held) // 64 + 1)
    optimizer = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=1e-2)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, steps)
    weights = torch.tensor([1.0, 2.0, 2.0])
    step_of = int(np.prod([step for _, _, step, _ in LAYERS]))
    for epoch in range(epochs):
        model.train()
        order = held + torch.from_numpy(rng.permutation(len(x) - held))
        total = 0.0
        for at in range(0, len(order), size):
            batch = order[at : at + size]
            shift = int(rng.integers(step_of))
            seen = inputs[batch, shift:].float().transpose(1, 2)
            if rng.random() < 0.5:  # a band that is not heard
                low = int(rng.integers(BANDS - 6))
                seen[:, low : low + int(rng.integers(1, 6))] = seen.mean()
            loss = nn.functional.cross_entropy(
                model(seen), labels[batch, shift + HOPS - 1 :: step_of], weights, ignore_index=-1
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rate.step()
            total += loss.item() * len(batch)
        model.eval()
        with torch.no_grad():
            likely = torch.cat(
                [
                    torch.softmax(
                        model(inputs[at : min(at + 200, held)].float().transpose(1, 2)), 1
                    )
                    for at in range(0, held, 200)
                ]
            )
        print(
            f"epoch {epoch + 1}: loss {total / len(order):.4f}; {_held(likely, y[:held])}",
            flush=True,
        )
    return _folded(model)


def _held(likely: Any, wanted: Any) -> str:
    """What is heard of streams held out: of stops, and of half seconds without one."""
    stop = likely[:, MEANT].numpy()
    wanted = wanted[:, HOPS - 1 :: 4][:, : stop.shape[1]]
    stops = [
        row[want == MEANT].max()
        for row, want in zip(stop, wanted, strict=True)
        if (want == MEANT).any()
    ]
    other = np.where(wanted == NONE, stop, 0)
    minutes = (wanted == NONE).sum() * 0.04 / 60
    told = []
    for limit in (0.3, 0.5, 0.7, 0.9):
        fired = other >= limit
        runs = (fired[:, 1:] & ~fired[:, :-1]).sum()
        told.append(f"{limit}: {np.mean(np.array(stops) >= limit):.3f}, {runs / minutes:.2f}/min")
    return "; ".join(told)


def _folded(model: Any) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for number in range(len(LAYERS)):
        convolution, norm = model[3 * number], model[3 * number + 1]
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        weight = convolution.weight * scale[:, None, None]  # (out, in, width)
        flat = weight.permute(2, 1, 0).reshape(-1, weight.shape[0])  # (width * in, out)
        arrays[f"weight{number}"] = flat.detach().numpy().astype(np.float16)
        arrays[f"bias{number}"] = (norm.bias - norm.running_mean * scale).detach().numpy()
    last = model[-1]
    arrays["weight"] = last.weight[:, :, 0].T.detach().numpy().astype(np.float16)
    arrays["bias"] = last.bias.detach().numpy()
    return arrays


if __name__ == "__main__":
    sys.exit(main(command))

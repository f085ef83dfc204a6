"""``python -m experiments.voice.train_together``: fit the network that hears two people at once.

Windows of sentences of `train`, by one person, two in turn or two at once, in rooms and noise,
as Whisper's encoder reads them. The voices and the half of the corpus that `evaluate` uses take no
part.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.command import main
from experiments.voice import train
from experiments.voice.rooms import any_noise, in_room, through_microphone
from experiments.voice.train import ROOT, Line
from experiments.voice.train_judge import fit, read
from treec.cli.progress import progress
from treec_voice.doors import RATE, Sound
from treec_voice.stop_judge import SECONDS
from treec_voice.whisper import WhisperRecognizer

SIZE = round(SECONDS * RATE)
LEAST = 0.8
"""Seconds for which two speak in a window that counts as one of two people."""
BATCH = 16


def window(number: int, seed: int, lines: Sequence[Line]) -> tuple[Sound, int]:
    """What somebody says, and whether somebody else speaks at the same time."""
    rng = np.random.default_rng((seed, 11, number))
    draw = rng.random()
    size = SIZE if draw < 0.8 else int(rng.integers(SIZE // 3, SIZE))
    sound = _piece(lines, size, rng)
    is_two = number % 2
    if is_two:
        most = min(int(rng.integers(round(LEAST * RATE), SIZE)), size)
        other = _piece(lines, most, rng) * 10 ** rng.uniform(-0.4, 0.4)
        at = int(rng.integers(size - most + 1))
        sound[at : at + most] += other
    elif draw < 0.35:  # one behind the other
        at = int(rng.integers(SIZE // 4, 3 * SIZE // 4))
        sound[at:] = _piece(lines, size - at, rng) * 10 ** rng.uniform(-0.4, 0.2)
    sound = np.pad(sound, (SIZE - size, 0))
    if rng.random() < 0.6:
        sound = in_room(sound, rng, float(rng.uniform(0.1, 0.6)), float(rng.choice((0.2, 0.5))))
    if rng.random() < 0.3:
        sound = through_microphone(sound, rng)
    loud = float(np.std(sound)) + 1e-4
    decibels = float(rng.choice((60, rng.uniform(15, 40), rng.uniform(3, 15))))
    sound = sound + loud * 10 ** (-decibels / 20) * any_noise(SIZE, rng)
    sound = sound * 10 ** rng.uniform(-1.4, -0.1) / max(float(np.abs(sound).max()), 1e-3)
    return np.asarray(sound, np.float32), is_two


def _piece(lines: Sequence[Line], size: int, rng: np.random.Generator) -> Sound:
    """So many samples of a sentence, or of some of the same loudness, without pauses between."""
    said = lines[rng.integers(len(lines))].sound.astype(np.float32) / 32000
    loud = np.flatnonzero(np.abs(said) > 0.02)
    said = said[loud[0] : loud[-1] + 1] if len(loud) else np.ones(1, np.float32)
    at = int(rng.integers(max(len(said) - size, 0) + 1))
    piece = np.resize(said, at + size)[at:].copy()
    return np.asarray(piece / (np.std(piece) + 1e-4) * 0.1, np.float32)


def command(
    lines: Annotated[int, typer.Option(help="Sentences that are spoken.")] = 9000,
    count: Annotated[int, typer.Option(help="Windows that are made of them.")] = 4000,
    processes: Annotated[int, typer.Option(help="That speak.")] = 2,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    epochs: Annotated[int, typer.Option(help="Times that all windows are seen.")] = 12,
    out: Annotated[Path, typer.Option(help="Its file.")] = ROOT / "voice/treec_voice/together.npz",
) -> int:
    """Make windows of speech, fit the network and write it."""
    if not train._LINES:
        train.speak_lines(lines, processes, seed)
    whisper, rows, kinds = WhisperRecognizer(threads=1), [], []
    with progress("windows", count) as advance:
        for start in range(0, count, BATCH):
            made = [window(start + n, seed, train._LINES) for n in range(BATCH)]
            rows.append(read([sound for sound, _ in made], whisper))
            kinds += [kind for _, kind in made]
            advance()
    arrays: dict[str, Any] = fit(np.concatenate(rows), np.array(kinds), epochs, seed)
    np.savez_compressed(out, **arrays)
    print(f"{out}: {len(kinds)} windows, {out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))

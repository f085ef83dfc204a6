"""``python -m experiments.voice.train_judge``: fit the judge of stops in doubt.

Windows of the streams of `train`: behind stops, where the spotter's network doubts, and anywhere,
as Whisper's encoder reads them. The voices and the half of the corpus that `evaluate` uses take no
part.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.command import main
from experiments.voice.train import ROOT, SECONDS, speak_lines, stream_of_sound
from treec.cli.progress import progress
from treec_voice.doors import FRAME, RATE, Sound
from treec_voice.sound import frames_of
from treec_voice.spotter import StopSpotter
from treec_voice.stop_judge import DILATIONS, FRAMES, SKIPPED, WIDTH, window
from treec_voice.stop_network import NONE
from treec_voice.whisper import WhisperRecognizer

SOON, LATE = 0.08, 0.45
"""Seconds after the end of a stop between which it is looked at."""
BEFORE, AFTER = 0.5, 0.95
"""Seconds around the end of a stop in which nothing counts as none."""
FIRST = 0.9
"""Seconds of a stream before the first window."""
DOUBT = 0.03
"""The network's probability from which a moment is worth a window."""
CHANNELS = 32


def windows(number: int, seed: int) -> list[tuple[Sound, int]]:
    """Windows of a stream, each with what was said at its end."""
    sound, ends = stream_of_sound(number, seed)
    rng = np.random.default_rng((seed, 5, number))
    spotter = StopSpotter()
    likely = [sum(spotter.likely(frame)) for frame in frames_of(sound)]
    moments = [(end + rng.uniform(SOON, LATE), kind) for end, kind in ends for _ in range(2)]
    doubts = [(n + 1) * FRAME / RATE for n, it in enumerate(likely) if it > DOUBT]
    rng.shuffle(doubts)
    others = [*_apart(doubts)[:4], *rng.uniform(FIRST, SECONDS, 2)]
    moments += [
        (at, NONE) for at in others if not any(end - BEFORE < at < end + AFTER for end, _ in ends)
    ]
    return [(window(sound[: round(at * RATE)]), k) for at, k in moments if FIRST < at < SECONDS]


def _apart(times: list[float]) -> list[float]:
    kept: list[float] = []
    for at in times:
        if all(abs(at - other) > 0.15 for other in kept):
            kept.append(at)
    return kept


def read(sounds: list[Sound], whisper: WhisperRecognizer) -> Any:
    """Rows of Whisper's encoder, shape (windows, rows, 384), float16."""
    from faster_whisper.audio import pad_or_trim

    model = whisper.model
    frames = np.stack([pad_or_trim(model.feature_extractor(it), FRAMES) for it in sounds])
    return np.array(model.encode(frames))[:, SKIPPED:].astype(np.float16)


def fit(x: Any, y: Any, epochs: int, seed: int) -> dict[str, Any]:
    """The weights, for `StopJudge`, with the normalization folded in."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    inputs, labels = torch.from_numpy(x), torch.from_numpy(y)
    mean, spread = inputs[:3000].float().mean((0, 1)), inputs[:3000].float().std((0, 1)) + 1e-3
    given = (x.shape[2], CHANNELS, CHANNELS)
    layers: list[Any] = [
        nn.Conv1d(size, CHANNELS, WIDTH, dilation=dilation)
        for size, dilation in zip(given, DILATIONS, strict=True)
    ]
    when = nn.Parameter(torch.zeros(x.shape[1] - (WIDTH - 1) * sum(DILATIONS)))
    last = nn.Linear(2 * CHANNELS, 3)

    def judged(rows: Any) -> Any:
        z = ((rows - mean) / spread).transpose(1, 2)
        for layer in layers:
            z = torch.relu(layer(functional.dropout(z, 0.3)))
        weights = torch.log_softmax(when, 0)
        most = (z + 4 * weights).amax(2).clamp(min=0)
        return last(torch.cat([(z * weights.exp()).sum(2), most], 1))

    size = 64
    steps = epochs * (len(x) // size + 1)
    weights = [when, *last.parameters(), *(it for layer in layers for it in layer.parameters())]
    optimizer = torch.optim.AdamW(weights, 2e-3, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, steps)
    for epoch in range(epochs):
        total = 0.0
        order = torch.from_numpy(rng.permutation(len(x)))
        for at in range(0, len(x), size):
            batch = order[at : at + size]
            rows = inputs[batch].float()
            rows = rows + 0.1 * torch.randn(rows.shape)
            loss = functional.cross_entropy(
                judged(rows), labels[batch], torch.tensor([1.0, 1.5, 1.5])
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rate.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(x):.4f}", flush=True)
    arrays: dict[str, Any] = {}
    for number, layer in enumerate(layers):
        weight, bias = layer.weight.detach(), layer.bias.detach()
        if number == 0:
            weight = weight / spread[None, :, None]
            bias = bias - (weight * mean[None, :, None]).sum((1, 2))
        flat = weight.permute(2, 1, 0).reshape(-1, CHANNELS)
        arrays[f"weight{number}"] = flat.numpy().astype(np.float16)
        arrays[f"bias{number}"] = bias.numpy()
    arrays["when"] = torch.log_softmax(when, 0).detach().numpy()
    arrays["weight"] = last.weight.T.detach().numpy().astype(np.float16)
    arrays["bias"] = last.bias.detach().numpy()
    return arrays


def command(
    lines: Annotated[int, typer.Option(help="Sentences that are spoken.")] = 9000,
    streams: Annotated[int, typer.Option(help="Streams that are made of them.")] = 2000,
    processes: Annotated[int, typer.Option(help="That speak.")] = 2,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    epochs: Annotated[int, typer.Option(help="Times that all windows are seen.")] = 12,
    out: Annotated[Path, typer.Option(help="The judge.")] = ROOT / "voice/treec_voice/judge.npz",
) -> int:
    """Make windows of streams of speech, fit the judge and write it."""
    speak_lines(lines, processes, seed)
    whisper = WhisperRecognizer(threads=1)
    rows, kinds = [], []
    with progress("streams", streams) as advance:
        for number in range(streams):
            if found := windows(number, seed):
                rows.append(read([it for it, _ in found], whisper))
                kinds += [kind for _, kind in found]
            advance()
    np.savez_compressed(out, **fit(np.concatenate(rows), np.array(kinds), epochs, seed))
    print(f"{out}: {len(kinds)} windows, {out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))

"""The network that hears stops, as a run has it: when it counts at once, and when in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from treec_voice.doors import FRAME, Spotted
from treec_voice.sound import frames_of
from treec_voice.spotter import StopSpotter


def spotted(monkeypatch: pytest.MonkeyPatch, likely: Sequence[tuple[float, float]]) -> list[bool]:
    """Whether each stop that is told is a sure one, where the network says this of the frames."""
    given: Iterator[tuple[float, float]] = iter(likely)
    spotter = StopSpotter(sure=0.9, doubt=0.3)
    monkeypatch.setattr(spotter, "likely", lambda frame: next(given))
    silence = np.zeros(FRAME, np.float32)
    told: list[Spotted | None] = [spotter(silence) for _ in likely]
    return [one.sure for one in told if one is not None]


NOTHING, DOUBT, STOP, DENIED = (0.0, 0.0), (0.6, 0.0), (0.99, 0.0), (0.01, 0.98)


@pytest.mark.parametrize(
    ("likely", "told"),
    [
        ([NOTHING, STOP, STOP, STOP, NOTHING], [False, True]),
        ([NOTHING, STOP, NOTHING, NOTHING], [False]),  # a single frame
        ([NOTHING, DOUBT, DOUBT, DOUBT, NOTHING], [False, False]),  # looked at again
        ([NOTHING, DENIED, DENIED, DENIED], [False]),  # "don't stop": the words tell
        ([NOTHING, DOUBT, DOUBT, STOP, STOP, STOP], [False, True]),
        ([STOP] * 30, [True, True]),  # said on and on
    ],
)
def test_a_stop_counts_at_once_where_the_network_is_sure_and_else_in_doubt(
    monkeypatch: pytest.MonkeyPatch, likely: list[tuple[float, float]], told: list[bool]
) -> None:
    assert spotted(monkeypatch, likely) == told


def test_silence_noise_and_tones_are_no_stop() -> None:
    rng = np.random.default_rng(0)
    t = np.arange(16_000) / 16_000
    sounds = [0 * t, rng.normal(0, 0.1, 16_000), 0.3 * np.sin(2 * np.pi * 440 * t)]
    frames = frames_of(np.concatenate(sounds).astype(np.float32))
    assert not [*filter(None, map(StopSpotter(), frames))]

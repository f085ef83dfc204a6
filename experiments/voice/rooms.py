"""Kitchens of our own making: noise at a level, and a room's echo."""

from __future__ import annotations

import numpy as np

from treec_voice.doors import RATE, Sound

REVERBERATION = 0.4
"""Seconds in which the room's echo falls by 60 dB."""


def kitchen_noise(count: int, rng: np.random.Generator) -> Sound:
    """A fan (pink), water (2 to 6 kHz, coming and going) and dishes (ringing, about one a second).

    Power 1 on average.
    """
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    white = np.fft.rfft(rng.normal(size=count))
    fan = np.fft.irfft(white / np.sqrt(np.maximum(frequency, 40.0)), count)
    band = np.where((frequency > 2000) & (frequency < 6000), 1.0, 0.0)
    water = np.fft.irfft(np.fft.rfft(rng.normal(size=count)) * band, count)
    t = np.arange(count) / RATE
    water *= 0.5 + 0.5 * np.sin(2 * np.pi * t / 3.7 + rng.uniform(0, 6))
    sound = fan / np.std(fan) + 0.5 * water / (np.std(water) + 1e-9)
    for _ in range(rng.poisson(count / RATE)):
        at = int(rng.integers(count))
        ring = np.arange(min(count - at, RATE // 3)) / RATE
        pitch = rng.uniform(900, 4500)
        hit = np.exp(-ring * rng.uniform(12, 40)) * np.sin(2 * np.pi * pitch * ring)
        sound[at : at + len(ring)] += rng.uniform(2, 5) * hit
    return np.asarray(sound / np.sqrt(np.mean(sound**2)), np.float32)


def in_room(sound: Sound, rng: np.random.Generator, seconds: float = REVERBERATION) -> Sound:
    """A sound with the echo of a room: noise that decays, 6 dB below the direct path."""
    t = np.arange(round(seconds * RATE)) / RATE
    tail = rng.normal(size=len(t)) * np.exp(-6.9 * t / seconds)
    tail[: RATE // 200] = 0.0
    tail *= 0.5 / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    size = len(sound) + len(tail)
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(tail, size), size)
    return np.asarray(wet[: len(sound)], np.float32)


def mixed(sound: Sound, decibels: float | None, rng: np.random.Generator) -> Sound:
    """A sound with kitchen noise at so many dB below the speech in it; None for almost none."""
    loud = sound[np.abs(sound) > 0.02]
    power = float(np.mean(loud**2)) if len(loud) else 0.01
    level = 0.001 if decibels is None else np.sqrt(power / 10 ** (decibels / 10))
    noise = kitchen_noise(len(sound), rng)
    return np.asarray(np.clip(sound + level * noise, -1, 1), np.float32)

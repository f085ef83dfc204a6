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


def any_noise(count: int, rng: np.random.Generator) -> Sound:
    """One of many noises, power 1: a kitchen, a hum, hiss, knocks in a row, tones, or some."""
    t = np.arange(count) / RATE
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    sound = np.zeros(count)
    for draw in rng.choice(5, int(rng.integers(1, 4)), replace=False):
        if draw == 0:
            one = np.asarray(kitchen_noise(count, rng), np.float64)
        elif draw == 1:  # any colour, coming and going
            colour = np.maximum(frequency, 50.0) ** rng.uniform(-1.0, 0.3)
            colour *= (frequency > rng.choice((0, 500, 2500))) + 1e-3
            one = np.fft.irfft(np.fft.rfft(rng.normal(size=count)) * colour, count)
            one *= 1 + rng.uniform(0, 1) * np.sin(2 * np.pi * rng.uniform(0.2, 5) * t)
        elif draw == 2:  # a motor
            pitch = rng.uniform(45, 400)
            one = sum(np.sin(2 * np.pi * pitch * n * t) / n**1.2 for n in range(1, 9))
        elif draw == 3:  # chopping, knocking, clattering
            one = 1e-3 * rng.normal(size=count)
            step = rng.uniform(0.12, 1.0)
            for at in np.arange(rng.uniform(0, step), count / RATE, step):
                begun = int((at + rng.uniform(0, 0.05)) * RATE)
                ring = np.arange(min(max(count - begun, 0), RATE // 4)) / RATE
                hit = rng.normal(size=len(ring)) * np.exp(-ring * rng.uniform(20, 200))
                tone = np.sin(2 * np.pi * rng.uniform(100, 5000) * ring)
                one[begun : begun + len(ring)] += hit + tone * np.exp(-ring * rng.uniform(15, 90))
        else:  # a beep now and then, a slide, music
            pitch = rng.uniform(200, 3000) * (1 + rng.uniform(-0.3, 0.3) * t / t[-1])
            gate = np.sin(2 * np.pi * rng.uniform(0.3, 4) * t) > rng.uniform(-0.5, 0.9)
            one = np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * gate
        sound += rng.uniform(0.2, 1.0) * one / (np.std(one) + 1e-9)
    return np.asarray(sound / (np.std(sound) + 1e-9), np.float32)


def through_microphone(sound: Sound, rng: np.random.Generator) -> Sound:
    """A sound as a microphone of some colour hears it."""
    frequency = np.fft.rfftfreq(len(sound), 1 / RATE)
    bumps = np.interp(frequency, np.linspace(0, RATE / 2, 9), rng.uniform(-8, 8, 9))
    gain = 10 ** (bumps / 20)
    gain[frequency > rng.choice((3600, 5500, 8000, 8000))] *= 0.05
    gain[frequency < rng.choice((0, 100, 300))] *= 0.1
    return np.asarray(np.fft.irfft(np.fft.rfft(sound) * gain, len(sound)), np.float32)


def in_room(
    sound: Sound, rng: np.random.Generator, seconds: float = REVERBERATION, echo: float = 0.5
) -> Sound:
    """A sound with the echo of a room: noise that decays, by default 6 dB below the direct path."""
    t = np.arange(round(seconds * RATE)) / RATE
    tail = rng.normal(size=len(t)) * np.exp(-6.9 * t / seconds)
    tail[: RATE // 200] = 0.0
    tail *= echo / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    size = -(-(len(sound) + len(tail)) // 16384) * 16384  # quick to transform
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(tail, size), size)
    return np.asarray(wet[: len(sound)], np.float32)


def mixed(sound: Sound, decibels: float | None, rng: np.random.Generator) -> Sound:
    """A sound with kitchen noise at so many dB below the speech in it; None for almost none."""
    loud = sound[np.abs(sound) > 0.02]
    power = float(np.mean(loud**2)) if len(loud) else 0.01
    level = 0.001 if decibels is None else np.sqrt(power / 10 ** (decibels / 10))
    noise = kitchen_noise(len(sound), rng)
    return np.asarray(np.clip(sound + level * noise, -1, 1), np.float32)

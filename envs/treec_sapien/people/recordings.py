"""Recordings of motion: read, brought to 25 Hz and to seven joints, cut into episodes.

An episode is one person in one recording. Positions are metres, z up, in the recording's own frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec import read_arrays
from treec_sapien.people import comad
from treec_sapien.people.amass import is_amass, read_amass
from treec_sapien.people.comad import read_comad
from treec_sapien.people.skeleton import JOINTS, RATE, WINDOW

Floats = npt.NDArray[np.float64]

GAP = 0.2
"""Longest gap (s) over which missing positions are interpolated; a longer one ends an episode."""

HIP_BELOW_NECK = 0.5
"""Metres; stands for the root where a recording has no hip."""

LONGEST_ARM = 1.0
"""Metres that no upper arm has; positions in centimetres or millimetres have longer ones."""

CAMERA_RATE = 30.0
"""Frames a second of recordings that do not say theirs (RGB-D cameras)."""


class MotionFileError(ValueError):
    """A file has no motion that can be read; the message says what is missing."""


_FROM_CAMERA = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)))
"""From a camera's axes (x right, y down, z away from it) to x, y and z up."""


@dataclass(frozen=True)
class MotionEpisode:
    """A person's motion: joints (n, 7, 3), the root (n, 3), at 25 Hz.

    ``recording`` names the recording, which two people may share. ``partner`` (n, 7, 3) is the
    other person, ``thing`` (n, 3) what is handed over; None where there is none.
    """

    recording: str
    person: str
    joints: Floats
    root: Floats
    partner: Floats | None = None
    thing: Floats | None = None

    def __len__(self) -> int:
        return len(self.joints)


def read_recordings(path: Path) -> list[MotionEpisode]:
    """Read an ``.npz`` of handovers (giver, receiver) or of one person (positions).

    Both have ``lengths`` (frames of each recording) and ``joints`` (names); metres, z up. Positions
    without ``fps`` may be in a camera's axes (x right, y down, z away from it), as is
    inferred from how the upper arms hang. CoMaD's and AMASS' own files are read, too (`comad`,
    `amass`). Raises MotionFileError.
    """
    if path.suffix == ".json":
        return _comad(path)
    try:
        fields = read_arrays(path)
    except FileNotFoundError:
        raise MotionFileError(f"no such file: {path}") from None
    except ValueError as error:
        raise MotionFileError(f"{path} is not an .npz file: {error}") from None
    if is_amass(fields):
        try:
            rate, joints, root = read_amass(fields)
        except (TypeError, ValueError) as error:
            raise MotionFileError(f"{path}: {error}") from None
        return _clean(f"{path.stem}/0", "positions", rate, joints, root, None, None)
    people = [name for name in ("giver", "receiver", "positions") if name in fields]
    if not people:
        raise MotionFileError(
            f"{path} has neither 'giver' and 'receiver' nor 'positions': it has "
            f"{', '.join(sorted(fields)) or 'nothing'}"
        )
    for needed in ("lengths", "joints"):
        if needed not in fields:
            raise MotionFileError(f"{path} has no '{needed}'")
    return _episodes(path, fields, people)


def _comad(path: Path) -> list[MotionEpisode]:
    try:
        people = read_comad(path)
    except FileNotFoundError:
        raise MotionFileError(f"no such file: {path}") from None
    except (OSError, ValueError) as error:
        raise MotionFileError(f"{path}: {error}") from None
    episodes: list[MotionEpisode] = []
    for name, (joints, root) in people.items():
        _check_metres(path, joints)
        partner = next((it[0] for other, it in people.items() if other != name), None)
        episodes += _clean(f"{path.stem}/0", name, comad.RATE, joints, root, partner, None)
    return episodes


def _episodes(path: Path, fields: dict[str, Any], people: Sequence[str]) -> list[MotionEpisode]:
    order = [str(name) for name in _list(path, fields, "joints")]
    rate = _rate(path, fields)
    lengths = _list(path, fields, "lengths")
    if not np.issubdtype(lengths.dtype, np.integer) or (lengths < 0).any():
        raise MotionFileError(f"{path}: 'lengths' must be whole numbers, 0 or more")
    total = int(lengths.sum())
    bodies: dict[str, tuple[Floats, Floats]] = {}
    for name in people:
        positions = _numbers(path, fields, name, (len(order), 3), total)
        if name == "positions" and "fps" not in fields and _is_of_camera(positions, order):
            positions = positions @ _FROM_CAMERA.T
        bodies[name] = _seven(path, positions, order)
        _check_metres(path, bodies[name][0])
    thing = _numbers(path, fields, "object", (3,), total) if "object" in fields else None
    names = _list(path, fields, "names") if "names" in fields else np.arange(len(lengths))
    if len(names) != len(lengths):
        raise MotionFileError(
            f"{path}: there are {len(names)} 'names' and {len(lengths)} 'lengths'"
        )
    episodes: list[MotionEpisode] = []
    start = 0
    for name, length in zip(names, lengths, strict=True):
        part = slice(start, start + int(length))
        start += int(length)
        recording = f"{path.stem}/{name}"
        for person, (joints, root) in bodies.items():
            others = [it for it in bodies if it != person]
            partner = bodies[others[0]][0][part] if others else None
            own = thing[part] if thing is not None else None
            episodes += _clean(recording, person, rate, joints[part], root[part], partner, own)
    return episodes


def _list(path: Path, fields: dict[str, Any], name: str) -> npt.NDArray[Any]:
    values = np.asarray(fields[name])
    if values.ndim != 1:
        raise MotionFileError(f"{path}: '{name}' is {values.shape}; it must be a list")
    return values


def _numbers(
    path: Path, fields: dict[str, Any], name: str, each: tuple[int, ...], total: int
) -> Floats:
    """Return an array of numbers with so many frames, each of a shape."""
    try:
        values = np.asarray(fields[name], np.float64)
    except (TypeError, ValueError):
        raise MotionFileError(f"{path}: '{name}' must be numbers") from None
    if values.shape[1:] != each or not values.ndim:
        shape = ", ".join(map(str, ("frames", *each)))
        raise MotionFileError(f"{path}: '{name}' is {values.shape}; it must be ({shape})")
    if len(values) != total:
        raise MotionFileError(
            f"{path}: '{name}' has {len(values)} frames, and 'lengths' adds up to {total}"
        )
    return values


def _rate(path: Path, fields: dict[str, Any]) -> float:
    if "fps" not in fields:
        return CAMERA_RATE
    try:
        rate = float(fields["fps"])
    except (TypeError, ValueError):
        raise MotionFileError(f"{path}: 'fps' must be a number") from None
    if not 0 < rate < np.inf:
        raise MotionFileError(f"{path}: 'fps' is {rate:g}; it must be above 0")
    return rate


def _is_of_camera(positions: Floats, order: Sequence[str]) -> bool:
    """Whether positions (n, k, 3) are in a camera's axes: the upper arms hang along y.

    They hang down on average, whatever people do; only who holds the elbows up all the time is
    mistaken.
    """
    arms = []
    for side in ("left", "right"):
        ends = [f"{side}_shoulder", f"{side}_elbow"]
        if not set(ends) <= set(order):
            return False
        shoulder, elbow = (positions[:, order.index(end)] for end in ends)
        arms.append(elbow - shoulder)
    hang = np.concatenate(arms)
    hang = hang[np.isfinite(hang).all(axis=1)]
    if not len(hang):
        return False
    mean = hang.mean(axis=0)
    return bool(mean[1] > 0 and np.abs(mean).argmax() == 1)


def _seven(path: Path, positions: Floats, order: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the seven joints and the root: the left hip, or a place below the neck."""
    at = {name: index for index, name in enumerate(order)}
    missing = [name for name in JOINTS if name not in at and name != "neck"]
    if missing:
        raise MotionFileError(f"{path} has no joint '{missing[0]}'")
    columns = {name: positions[:, at[name]] for name in JOINTS if name in at}
    if "neck" not in at:
        columns["neck"] = (columns["left_shoulder"] + columns["right_shoulder"]) / 2
    joints = np.stack([columns[name] for name in JOINTS], axis=1)
    if "left_hip" in at:
        return joints, positions[:, at["left_hip"]]
    return joints, columns["neck"] - np.array((0.0, 0.0, HIP_BELOW_NECK))


def _check_metres(path: Path, joints: Floats) -> None:
    """Refuse seven joints (n, 7, 3) in centimetres or millimetres, judged by the upper arm.

    Raises MotionFileError.
    """
    arm = np.linalg.norm(joints[:, 1] - joints[:, 3], axis=1)
    arm = arm[np.isfinite(arm)]
    if len(arm) and np.median(arm) > LONGEST_ARM:
        raise MotionFileError(
            f"{path}: left upper arms are {np.median(arm):.0f} m long: positions must be in metres"
        )


def _clean(
    recording: str,
    person: str,
    rate: float,
    joints: Floats,
    root: Floats,
    partner: Floats | None,
    thing: Floats | None,
) -> list[MotionEpisode]:
    """Fill short gaps, cut at long ones, resample.

    A partner or a thing that is in no frame of a recording is not there.
    """
    if partner is not None and not np.isfinite(partner).any():
        partner = None
    if thing is not None and not np.isfinite(thing).any():
        thing = None
    parts = [joints.reshape(len(joints), -1), root]
    parts += [it.reshape(len(it), -1) for it in (partner, thing) if it is not None]
    filled = fill_gaps(np.concatenate(parts, axis=1), round(GAP * rate))
    whole = np.isfinite(filled).all(axis=1)
    episodes = []
    for begin, end in _runs(whole):
        data = resample(filled[begin:end], rate, RATE)
        if len(data) < WINDOW:
            continue
        n, at = len(data), 24
        other = None if partner is None else data[:, at : at + 21].reshape(n, 7, 3)
        at += 0 if partner is None else 21
        own = None if thing is None else data[:, at : at + 3]
        episodes.append(
            MotionEpisode(
                recording, person, data[:, :21].reshape(n, 7, 3), data[:, 21:24], other, own
            )
        )
    return episodes


def fill_gaps(data: Floats, longest: int) -> Floats:
    """Interpolate missing values (NaN) over at most ``longest`` frames in each column (n, c)."""
    out = data.copy()
    for column in out.T:
        missing = ~np.isfinite(column)
        if not missing.any() or missing.all():
            continue
        there = np.flatnonzero(~missing)
        for begin, end in _runs(missing):
            if begin > 0 and end < len(column) and end - begin <= longest:
                column[begin:end] = np.interp(np.arange(begin, end), there, column[there])
    return out


def resample(data: Floats, rate: float, to: float) -> Floats:
    """Interpolate a signal (n, c) at ``rate`` linearly in time at ``to`` frames a second."""
    if rate == to or len(data) < 2:
        return data
    at = np.arange(0.0, (len(data) - 1) / rate + 1e-9, 1.0 / to) * rate
    before = np.minimum(at.astype(np.int64), len(data) - 2)
    share = (at - before)[:, None]
    resampled: Floats = data[before] * (1 - share) + data[before + 1] * share
    return resampled


def _runs(true: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return begin and end of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], true, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def by_file(episodes: Iterable[MotionEpisode]) -> dict[str, list[MotionEpisode]]:
    """Return the episodes of each file, by the name that their recordings begin with."""
    files: dict[str, list[MotionEpisode]] = {}
    for it in episodes:
        files.setdefault(it.recording.partition("/")[0], []).append(it)
    return files


def split(
    episodes: Sequence[MotionEpisode], seed: int, shares: tuple[float, float] = (0.7, 0.1)
) -> tuple[list[MotionEpisode], list[MotionEpisode], list[MotionEpisode]]:
    """Split each file's recordings into training, validation and test; the rest is test.

    People of one recording, and pieces of it, are never in two parts. A file is split as it is
    without the others.
    """
    part: dict[str, int] = {}
    for own in by_file(episodes).values():
        names = sorted({it.recording for it in own})
        order = np.random.default_rng(seed).permutation(len(names))
        ends = [round(len(names) * share) for share in (shares[0], sum(shares))]
        for n, at in enumerate(order):
            part[names[int(at)]] = int(np.searchsorted(ends, n, "right"))
    parts: tuple[list[MotionEpisode], list[MotionEpisode], list[MotionEpisode]] = ([], [], [])
    for it in episodes:
        parts[part[it.recording]].append(it)
    return parts

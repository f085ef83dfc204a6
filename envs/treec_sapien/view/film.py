"""A film of a run, stored as poses of the pieces; pictures are made from it afterwards.

The file holds the stage and then, for each frame, the pieces that moved since the previous one:
about a kilobyte a frame while a robot is at work. So the run stays fast, pictures can be taken from
any viewpoint, and need neither the scene's files nor SAPIEN.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Floats
from treec_sapien.view.solids import SolidStage, StageSolid

EVERY = 0.25
"""Default interval of frames in simulated seconds."""

STILL = 2e-4
"""A piece has not moved if no number of its pose changed by more (m; quaternion)."""

_MAGIC = b"treec film 1\n"
_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<dH")
_MOVE = np.dtype([("piece", "<u2"), ("pose", "<f4", 7)])


class WrongFilm(ValueError):
    """A file that is not a film, or one of another version."""


class FilmRecorder:
    """Writes a film. An existing one of the same stage is continued from ``now`` seconds."""

    def __init__(
        self, file: Path, stage: SolidStage, every: float = EVERY, now: float = 0.0
    ) -> None:
        self._every = every
        self._due = now
        self._last: npt.NDArray[np.float32] | None = None
        head = _MAGIC + _pack(stage)
        kept = _up_to(file, head, now)
        self._file = file.open("r+b" if kept else "wb", buffering=0)
        self._file.truncate(kept)
        self._file.seek(kept)
        if not kept:
            self._file.write(head)

    def due(self, now: float) -> bool:
        """Whether it is time for a frame."""
        return now >= self._due - 1e-6

    def keep(self, now: float, poses: Floats) -> None:
        """Write a frame."""
        self._due = now + self._every
        new = poses.astype(np.float32)
        if self._last is None:
            self._last = np.full_like(new, np.inf)
        moved = np.flatnonzero((np.abs(new - self._last) > STILL).any(axis=1))
        rows = np.zeros(len(moved), _MOVE)
        rows["piece"], rows["pose"] = moved, new[moved]
        self._file.write(_HEAD.pack(now, len(moved)) + rows.tobytes())
        self._last[moved] = new[moved]

    def close(self) -> None:
        """End the film."""
        self._file.close()


@dataclass(frozen=True)
class Film:
    """A recorded film: the stage, times (n,) in seconds, and poses (n, pieces, 7)."""

    stage: SolidStage
    times: Floats
    poses: npt.NDArray[np.float32]

    def at(self, t: float) -> int:
        """Return the index of the last frame not after ``t``."""
        return max(0, int(np.searchsorted(self.times, t + 1e-6, "right")) - 1)


def read_film(file: Path) -> Film:
    """Read a film; a truncated last frame is dropped. Raises WrongFilm."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise WrongFilm(f"{file} cannot be read: {error.strerror}") from error
    stage, start = _stage(data, file)
    times: list[float] = []
    poses: list[npt.NDArray[np.float32]] = []
    now = np.zeros((len(stage.pieces), 7), np.float32)
    for t, rows, _ in _moments(data, start):
        now = now.copy()
        now[rows["piece"]] = rows["pose"]
        times.append(t)
        poses.append(now)
    if not times:
        raise WrongFilm(f"{file}: no frames")
    return Film(stage, np.array(times), np.stack(poses))


def _up_to(file: Path, head: bytes, now: float) -> int:
    """The bytes of a film of the same stage before ``now``; 0 without a film."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return 0
    if not data.startswith(head):
        return 0
    length = len(head)
    for t, _, end in _moments(data, len(head)):
        if t < now - 1e-6:
            length = end
    return length


def _moments(data: bytes, at: int) -> Sequence[tuple[float, Any, int]]:
    """Time, moved pieces and end offset of each complete frame."""
    moments = []
    while at + _HEAD.size <= len(data):
        t, count = _HEAD.unpack_from(data, at)
        end = at + _HEAD.size + count * _MOVE.itemsize
        if end > len(data):
            break
        moments.append((t, np.frombuffer(data, _MOVE, count, at + _HEAD.size), end))
        at = end
    return moments


def _pack(stage: SolidStage) -> bytes:
    plain = {
        "pieces": stage.pieces,
        "parts": dict(stage.parts),
        "solids": [asdict(solid) for solid in stage.solids],
    }
    text = zlib.compress(json.dumps(plain).encode(), 6)
    return _LENGTH.pack(len(text)) + text


def _stage(data: bytes, file: Path) -> tuple[SolidStage, int]:
    """The stage at a film's beginning and the offset where it ends."""
    start = len(_MAGIC) + _LENGTH.size
    if not data.startswith(_MAGIC) or len(data) < start:
        raise WrongFilm(f"{file} is not a film of this version of treec")
    (length,) = _LENGTH.unpack_from(data, len(_MAGIC))
    try:
        plain = json.loads(zlib.decompress(data[start : start + length]))
        pieces = tuple((str(thing), str(link)) for thing, link in plain["pieces"])
        parts = {name: (owner, link) for name, (owner, link) in plain["parts"].items()}
        return SolidStage(pieces, tuple(map(_solid, plain["solids"])), parts), start + length
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise WrongFilm(f"{file} is damaged: {error}") from error


def _solid(plain: dict[str, Any]) -> StageSolid:
    pose = Pose(tuple(plain["pose"]["p"]), tuple(plain["pose"]["q"]))
    return StageSolid(
        plain["kind"],
        plain["piece"],
        tuple(plain["colour"]),
        pose,
        tuple(plain["half"]),
        tuple(map(tuple, plain["corners"])),
        tuple(map(tuple, plain["faces"])),
    )

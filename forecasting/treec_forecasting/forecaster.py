"""A trained forecaster: a folder with its file, its weights, and how it was made."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ValidationError

from treec.arrays import read_arrays
from treec.files.modules import package_folder
from treec.requirements import needs_extra
from treec.source.diagnostics import suggestion
from treec_forecasting.files import ForecastFile
from treec_forecasting.gate import Gate, earlier, features, taken
from treec_forecasting.windows import MotionWindows, facing, seen_from
from treec_sapien.people.skeleton import FUTURE, PAST

WEIGHTS, GATE, MADE = "weights.npz", "gate.npz", "made.json"

SHIPPED = package_folder("treec_forecasting_weights") or Path("treec_forecasting_weights")
"""The folder of the forecasters that are part of treec, one folder each."""

BATCH = 1024

LEVELS = (0.5, 0.8, 0.95)
"""Shares of joints for which a radius is told."""


class ForecasterError(ValueError):
    """A folder has no forecaster that can be used; the message says what is wrong."""


class Calibration(BaseModel):
    """How wide the radii are by recordings that a network was not fitted to (:mod:`.calibration`).

    ``radii``: for who ``moves`` and who ``stays`` (both gates are at most half open), a row for
    each of `LEVELS` with as many spreads for each of the 25 frames as that share of the joints is
    within.
    """

    radii: dict[Literal["moves", "stays"], list[list[float]]] = {}


class Recordings(BaseModel):
    """What a forecaster was made with, as its card says: files by name.

    ``trained_on`` has their SHA-256, ``held_out`` the recordings of each that it was neither fitted
    to nor validated with. ``before`` is of the forecaster that it began with.
    """

    trained_on: dict[str, str] = {}
    held_out: dict[str, list[str]] = {}
    before: Recordings | None = None

    def unseen(self, sha: str) -> frozenset[str] | None:
        """Return the recordings of a file that were held out; None if it was not trained on."""
        held_out = None if self.before is None else self.before.unseen(sha)
        for name, of in self.trained_on.items():
            if of == sha:
                kept = frozenset(self.held_out.get(name, ()))
                held_out = kept if held_out is None else held_out & kept
        return held_out


@dataclass(frozen=True)
class Forecasts:
    """Joints and root (w, 25, 8, 3) in the scene (m); the spread (w, 25, 7; m) if it has one."""

    points: npt.NDArray[np.float32]
    spread: npt.NDArray[np.float32] | None
    milliseconds: float
    """Of one window, as they were computed together."""
    quantiles: npt.NDArray[np.float32] | None = None
    """Spreads (w, levels, 25) within which that share of the joints is; None without a spread."""
    gates: npt.NDArray[np.float32] | None = None
    """How far the gates of the parts and of the body are open (w, 2); None without a gate."""

    @property
    def moves(self) -> npt.NDArray[np.bool_]:
        """Who (w) is not forecast to stay."""
        if self.gates is None:
            return np.ones(len(self.points), np.bool_)
        moves: npt.NDArray[np.bool_] = (self.gates > 0.5).any(axis=1)
        return moves


class Forecaster:
    """A network with its weights, and its gate if it has one."""

    def __init__(
        self, spec: ForecastFile, made: Mapping[str, Any], network: Any, gate: Gate | None = None
    ) -> None:
        self.spec, self.made, self.gate = spec, made, gate
        self._network = network.eval()
        calibration = Calibration.model_validate(made.get("calibration", {}))
        exponential = np.repeat(-np.log(1 - np.array(LEVELS))[:, None], FUTURE, axis=1)
        radii = [calibration.radii.get(it, exponential) for it in ("stays", "moves")]
        self.radii = np.array(radii, np.float32)
        """Spreads (2, levels, 25) that hold a share of who stays and of who moves."""

    def state(self) -> dict[str, Any]:
        """Return its weights by name."""
        weights: dict[str, Any] = self._network.state_dict()
        return weights

    def forecast(self, motion: MotionWindows, starts: npt.NDArray[np.int64]) -> Forecasts:
        """Forecast the second after the first ten frames of windows; nothing later is looked at.

        With a gate, up to 20 frames before are, if they are of the same episode.
        """
        began = time.perf_counter()
        if self.gate is None:
            moved, spread = self.ungated(motion, starts)
            gates = None
        else:
            moved, spread, seen = self.judged(motion, starts)
            gates = self.gate.opened(seen)
            moved = taken(moved, gates)
        points = motion.frames[starts + PAST - 1][:, None, :8] + moved
        spent = 1000 * (time.perf_counter() - began) / max(1, len(starts))
        forecasts = Forecasts(points, spread, spent, None, gates)
        if spread is None:
            return forecasts
        return replace(forecasts, quantiles=self.radii[forecasts.moves.astype(np.int64)])

    def judged(
        self, motion: MotionWindows, starts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None, npt.NDArray[np.float32]]:
        """Return what `ungated` does, and the features by which a gate judges it."""
        before, there = earlier(motion, starts)
        every, at = np.unique(np.concatenate([starts[None], before]), return_inverse=True)
        now, *then = at.reshape(len(before) + 1, len(starts))
        moved, spread = self.ungated(motion, every)
        own = None if spread is None else spread[now]
        seen = features(motion, starts, moved[now], own, before, there, moved[np.array(then)])
        return moved[now], own, seen

    def ungated(
        self, motion: MotionWindows, starts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        """Return how far joints and root move (w, 25, 8, 3) by the network alone; the spread."""
        import torch

        torch.set_num_threads(1)
        moved = np.empty((len(starts), FUTURE, 8, 3), np.float32)
        spreads: list[npt.NDArray[np.float32]] = []
        for at in range(0, len(starts), BATCH):
            part = starts[at : at + BATCH]
            past = motion.frames[part[:, None] + np.arange(PAST)]
            origin, turn = facing(past)
            seen = seen_from(past, origin, turn)
            has = motion.has[part]
            seen[:, :, 8:15] *= has[:, None, :1, None]
            seen[:, :, 15:] *= has[:, None, 1:, None]
            with torch.inference_mode():
                out, spread = self._network(torch.from_numpy(seen), torch.from_numpy(has))
            back = np.swapaxes(turn, 1, 2).astype(np.float32)
            ahead = out.numpy() - seen[:, -1:, :8]
            moved[at : at + BATCH] = np.einsum("wtki,wij->wtkj", ahead, back)
            if spread is not None:
                spreads.append(spread.numpy())
        return moved, np.concatenate(spreads) if spreads else None


def save(
    folder: Path,
    spec: ForecastFile,
    state: Mapping[str, Any],
    made: Mapping[str, Any],
    gate: Gate | None = None,
) -> None:
    """Write a forecaster; floating-point weights in half precision. Equal ones give equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: values.detach().cpu().numpy() for name, values in state.items()}
    _write_arrays(folder / WEIGHTS, weights)
    (folder / GATE).unlink(missing_ok=True)
    if gate is not None:
        _write_arrays(folder / GATE, vars(gate))
    card = {**made, "forecast": spec.model_dump(mode="json", exclude_none=True)}
    (folder / MADE).write_text(json.dumps(card, indent=2, sort_keys=True) + "\n", "utf-8")


def _write_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    import zipfile

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(arrays):
            values = arrays[name]
            if values.dtype == np.float32:
                values = values.astype(np.float16)
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                np.lib.format.write_array(file, values)  # type: ignore[no-untyped-call]


def load(folder: Path, *, gate: bool = True) -> Forecaster:
    """Read a forecaster, with its gate or without. Raises ForecasterError."""
    spec, made = read_card(folder)
    state = read_weights(folder)
    try:
        from treec_forecasting.networks import make_network
    except ImportError as error:
        raise ForecasterError(needs_extra("forecasting", "forecast", error)) from None
    import torch

    with torch.device("meta"):  # takes no memory
        shapes = make_network(spec.network.kind, spec.network.parameters()).state_dict()
    for name, wanted in shapes.items():
        if name not in state or state[name].shape != tuple(wanted.shape):
            there = state[name].shape if name in state else "not there"
            raise ForecasterError(
                f"{folder / WEIGHTS} does not fit its network: '{name}' is {there}, and "
                f"{tuple(wanted.shape)} in {MADE}"
            )
    network = make_network(spec.network.kind, spec.network.parameters())
    try:
        network.load_state_dict(
            {
                name: torch.from_numpy(
                    value.astype(np.float32) if value.dtype == np.float16 else value
                )
                for name, value in state.items()
            }
        )
    except (RuntimeError, TypeError) as error:
        raise ForecasterError(f"{folder / WEIGHTS} does not fit its network: {error}") from None
    return Forecaster(spec, made, network, _read_gate(folder) if spec.gate and gate else None)


def _read_gate(folder: Path) -> Gate:
    try:
        return Gate.of(_read_arrays(folder / GATE))
    except (KeyError, ValueError) as error:
        raise ForecasterError(f"{folder / GATE} is not a gate: {error}") from None


def read_card(folder: Path) -> tuple[ForecastFile, Mapping[str, Any]]:
    """Return a forecaster's file and how it was made. Raises ForecasterError."""
    try:
        made = json.loads((folder / MADE).read_text("utf-8"))
        Recordings.model_validate(made)
        Calibration.model_validate(made.get("calibration", {}))
        return ForecastFile.model_validate(made["forecast"]), made
    except FileNotFoundError:
        raise ForecasterError(
            f"{folder} has no forecaster: 'treec forecast train' writes one ({MADE}, {WEIGHTS})"
        ) from None
    except OSError as error:
        raise ForecasterError(f"{folder / MADE} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        why = f"{error}"
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            why = f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
        raise ForecasterError(f"{folder / MADE} is not a forecaster's card: {why}") from None


def read_weights(folder: Path) -> dict[str, npt.NDArray[Any]]:
    """Return a forecaster's weights by name. Raises ForecasterError."""
    return _read_arrays(folder / WEIGHTS)


def _read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        return read_arrays(path)
    except FileNotFoundError:
        message = f"{path.parent} has no {path.name}: its training did not end"
        raise ForecasterError(message) from None
    except ValueError as error:
        raise ForecasterError(f"{path} cannot be read: {error}") from None


def digest(folder: Path) -> str:
    """Return the SHA-256 of a forecaster's weights."""
    return sha_of(folder / WEIGHTS)


def sha_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def unseen_by_all(cards: Iterable[Mapping[str, Any]], path: Path) -> frozenset[str] | None:
    """Return the recordings of a file that all held out who were trained on it; None: nobody was.

    ``cards`` say how forecasters were made.
    """
    sha = sha_of(path)
    unseen = [Recordings.model_validate(made).unseen(sha) for made in cards]
    kept = [it for it in unseen if it is not None]
    return frozenset.intersection(*kept) if kept else None


def shipped() -> Sequence[str]:
    """Return the names of the forecasters that are part of treec."""
    return sorted(it.parent.name for it in SHIPPED.glob(f"*/{MADE}"))


def find(name: str, *roots: Path) -> Path:
    """Return a forecaster's folder: one of treec's by name, or a path from one of ``roots``.

    Raises ForecasterError.
    """
    for folder in (SHIPPED, *roots):
        if name and (folder / name / MADE).is_file():
            return folder / name
    hint = suggestion(name, shipped(), "treec has, beside folders of trained ones")
    raise ForecasterError(f"unknown forecaster '{name}'; {hint}")

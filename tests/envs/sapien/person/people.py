"""Kitchens with a person who reaches out over the table, and hosts for workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.skills.sapien.kitchens import AGENTS, PLACES, thing
from treec import EnvironmentSetup, Outcome, WorkOrder
from treec.world.clock import VirtualClock
from treec_forecasting.files import ForecasterFile
from treec_forecasting.live import LiveForecaster, open_model
from treec_forecasting.synthetic import write_motion
from treec_sapien.environment import SapienKitchen
from treec_sapien.person.tracking import TrackingNoise
from treec_sapien.worker import Physical

POT = (-0.28, 0.25)
REACHES = (*POT, 0.92)


def person(folder: Path, motion: str = "reach", seed: int = 3, **spec: Any) -> dict[str, Any]:
    """Somebody beside the table who reaches into the pot."""
    path = folder / f"{motion}_{seed}.npz"
    if not path.is_file():
        write_motion(path, motion, 1, seed)
    return {"motion": str(path), "reach": list(REACHES), "yaw": -90, **spec}


def kitchen_with(
    people: Mapping[str, Any], more: Mapping[str, Any] | None = None, **things: Any
) -> SapienKitchen:
    """R1 at a table with a ladle and a pot, and people."""
    agents = {"R1": AGENTS["R1"], "user": AGENTS["user"]}
    own = things or {"ladle": thing("ladle", -0.25, -0.22), "pot": thing("pot", *POT)}
    setup = EnvironmentSetup("sapien", "test", {**PLACES, **own}, agents, seed=1, people=people)
    return SapienKitchen(replace(setup, **(more or {})))


def forecast(kitchen: SapienKitchen, model: str = "steady", **noise: float) -> LiveForecaster:
    """Let the person be forecast."""
    spec = ForecasterFile.model_validate(
        {"forecaster": "test", "model": model, "joints": {"simulator": noise}}
    )
    user = kitchen.people["user"]
    assert spec.joints.noise is not None
    user.track(TrackingNoise(**spec.joints.noise.model_dump()))
    live = user.forecast = LiveForecaster(spec, open_model(model, Path()))
    user.rate = spec.rate
    return live


class Noting:
    """A host that keeps what it is told, with the time."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self.environment = kitchen
        self.clock = VirtualClock()
        self.outcome: Outcome | None = None
        self.notes: list[tuple[float, str, Mapping[str, Any]]] = []

    def sense(self, order_id: str, effects: object) -> None: ...

    def finish(self, order_id: str, outcome: Outcome) -> None:
        self.outcome = outcome

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        self.notes.append((self.environment.now, text, record))

    def begin_external(self, name: str, *, takes: float = 0.0, limit: float = 0.0) -> Any:
        raise NotImplementedError

    def texts(self) -> list[str]:
        """What was noted in words."""
        return [text for _, text, _ in self.notes if text]


def do(
    host: Noting, worker: Physical, skill: str, *, seconds: float = 60.0, **args: str
) -> Outcome | None:
    """Let R1 do a skill that has asked for the user's forecast; None if it takes longer."""
    kitchen = host.environment
    order = WorkOrder(
        f"{skill}{kitchen.ticks}",
        skill,
        "R1",
        {"agent": "R1", **args},
        1.0,
        needs={"forecast": {"person": "user"}},
    )
    host.outcome = None
    worker.start(order, host)
    end = kitchen.now + seconds
    while host.outcome is None and kitchen.now < end:
        kitchen.step(kitchen.now + 0.1)
    if host.outcome is None:
        worker.cancel()
    return host.outcome

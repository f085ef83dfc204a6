"""Appliances and taps: whether they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec import Sensor
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


def running(kitchen: SapienKitchen, sensor: Sensor, thing: str) -> bool | SensorSilence:
    """Whether an appliance is on, or water runs into a basin."""
    machines = [machine for machine in kitchen.machines.values() if machine.where == thing]
    return any(machine.running for machine in machines) if machines else UNSENSED

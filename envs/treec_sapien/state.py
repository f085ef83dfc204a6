"""Saved states of a kitchen: SAPIEN's packed state and everything it leaves out.

SAPIEN packs poses, velocities and drive targets. It does not pack the drives' settings, nor does it
notice when a state is unpacked into another number of bodies. So a hash of the layout is stored
with it, and everything else that changes over time here.

A state is restored into a kitchen in which no time has passed yet: the result is then deterministic
to the last bit. (PhysX keeps contacts between steps that no state includes: an uninterrupted run
differs from a restored one in the seventh digit.)
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sapien

from treec import write_atomic
from treec_sapien.bodies.pose import Pose
from treec_sapien.sense.contacts import Contacts

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

FORMAT = 1
FILE = "sapien.json"


class WrongState(ValueError):
    """A state saved from another kitchen, or no state at all."""


@dataclass(frozen=True)
class SavedState:
    """One moment. ``packed`` is SAPIEN's; ``drives`` are by articulation and joint."""

    format: int
    layout: str
    ticks: int
    packed: bytes
    drives: Mapping[str, Mapping[str, Mapping[str, float]]]
    machines: Mapping[str, Mapping[str, Any]]
    memory: Mapping[str, Any]


def layout_hash(kitchen: SapienKitchen) -> str:
    """Hash what a packed state depends on: bodies in order, robots, people, SAPIEN's version."""
    bodies = {name: repr(placed.body) for name, placed in kitchen.layout.bodies.items()}
    robots = [
        [robot.name, robot.kind, robot.urdf.read_text("utf-8"), list(robot.joints)]
        for robot in kitchen.robots.values()
    ]
    whole = [sapien.__version__, list(bodies.items()), robots]
    if kitchen.people:  # their capsules are bodies, too
        whole.append({name: person.size for name, person in kitchen.people.items()})
    return sha256(json.dumps(whole).encode()).hexdigest()


def save(kitchen: SapienKitchen) -> SavedState:
    """Return the kitchen's present state."""
    return SavedState(
        FORMAT,
        kitchen.layout_hash,
        kitchen.ticks,
        kitchen.scene.physx_system.pack(),
        {name: _drives(articulation) for name, articulation in _articulations(kitchen)},
        {
            name: {"running": m.running, "down": dict(m.down), "seconds": dict(m.seconds)}
            for name, m in kitchen.machines.items()
        },
        {
            "last_hand": dict(kitchen.last_hand),
            "bound": dict(kitchen.bound),
            "stood": {name: [agent, it.p, it.q] for name, (agent, it) in kitchen.stood.items()},
            "laid": dict(kitchen.laid),
            "looked_from": [
                [*key, [[when, spot.tolist()] for when, spot in looks]]
                for key, looks in kitchen.looked_from.items()
            ],
            "spilled": sorted(kitchen.spilled),
            "people": {name: it.save(kitchen.now) for name, it in kitchen.people.items()},
            "contacts": [[*one, *other, force] for one, other, force in kitchen.contacts.pairs],
        },
    )


def restore(kitchen: SapienKitchen, saved: SavedState) -> None:
    """Restore a newly built kitchen to a saved state. Raises WrongState for another's state."""
    if saved.format != FORMAT:
        raise WrongState(f"a state of format {saved.format}: this treec reads format {FORMAT}")
    if saved.layout != kitchen.layout_hash:
        raise WrongState("the state belongs to other bodies, robots or people")
    kitchen.scene.physx_system.unpack(saved.packed)
    for name, articulation in _articulations(kitchen):
        for joint in articulation.active_joints:
            drive = saved.drives[name][joint.name]
            joint.set_drive_properties(drive["stiffness"], drive["damping"], drive["force"])
            joint.set_friction(drive["friction"])
            joint.set_armature([drive["armature"]])
    kitchen.ticks = saved.ticks
    for name, machine in kitchen.machines.items():
        state = saved.machines[name]
        machine.running = state["running"]
        machine.down, machine.seconds = dict(state["down"]), dict(state["seconds"])
    kitchen.last_hand = dict(saved.memory["last_hand"])
    kitchen.bound = dict(saved.memory["bound"])
    kitchen.stood = {
        name: (agent, Pose((p[0], p[1], p[2]), (q[0], q[1], q[2], q[3])))
        for name, (agent, p, q) in saved.memory.get("stood", {}).items()
    }
    kitchen.laid = dict(saved.memory.get("laid", {}))
    kitchen.looked_from = {
        (agent, item): [(when, np.array(spot)) for when, spot in looks]
        for agent, item, looks in saved.memory.get("looked_from", ())
    }
    kitchen.spilled = set(saved.memory["spilled"])
    free = {
        name: built.links["body"]
        for name, built in kitchen.bodies.items()
        if built.articulation is None
    }
    for name, person in kitchen.people.items():
        person.resume(saved.memory["people"][name], kitchen.now, free)
    touching = (((a, b), (c, d), force) for a, b, c, d, force in saved.memory["contacts"])
    kitchen.contacts = Contacts(kitchen.ticks, touching)


def save_to(kitchen: SapienKitchen, folder: Path) -> None:
    """Write the state to a run's folder, atomically."""
    data = asdict(save(kitchen))
    data["packed"] = base64.b64encode(data["packed"]).decode()
    write_atomic(folder / FILE, json.dumps(data))


def load_from(folder: Path) -> SavedState | None:
    """Read the state saved in a run's folder; None if there is none. Raises WrongState."""
    try:
        data = json.loads((folder / FILE).read_text("utf-8"))
        return SavedState(**{**data, "packed": base64.b64decode(data["packed"])})
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise WrongState(f"{folder / FILE} is not a saved state: {error}") from error


def _articulations(kitchen: SapienKitchen) -> list[tuple[str, Any]]:
    bodies = [(n, b.articulation) for n, b in kitchen.bodies.items() if b.articulation is not None]
    return [*bodies, *((name, robot.articulation) for name, robot in kitchen.robots.items())]


def _drives(articulation: Any) -> dict[str, dict[str, float]]:
    return {
        joint.name: {
            "stiffness": float(joint.stiffness),
            "damping": float(joint.damping),
            "force": float(joint.force_limit),
            "friction": float(joint.friction),
            "armature": float(joint.armature[0]),
        }
        for joint in articulation.active_joints
    }

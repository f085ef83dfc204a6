"""What hands hold: a thing in contact with both fingers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec import Sensor
from treec_sapien.agent_arms import AgentArm
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


def in_hand(kitchen: SapienKitchen, hand: AgentArm) -> str | None:
    """Return the free body that a hand holds; of several, the one held hardest."""
    fingers: list[dict[str, float]] = []
    for links in hand.arm.gripper.links:
        pressed: dict[str, float] = {}
        for link in links:
            for (name, _), impulse in kitchen.contacts.of(hand.robot.name, link).items():
                pressed[name] = pressed.get(name, 0.0) + impulse
        fingers.append(pressed)
    first, second = fingers
    both = {n: min(first[n], second[n]) for n in first if n in second and kitchen.is_free(n)}
    return max(both, key=lambda name: (both[name], name)) if both else None


def holders(kitchen: SapienKitchen, item: str) -> list[str]:
    """Return the agents that hold an item, the one whose order was last about it first."""
    agents = [a for a, hand in kitchen.hands.items() if in_hand(kitchen, hand) == item]
    agents += [name for name, person in kitchen.people.items() if item in person.held]
    last = kitchen.last_hand.get(item)
    return sorted(agents, key=lambda agent: agent != last)


def holding(kitchen: SapienKitchen, sensor: Sensor, agent: str) -> str | SensorSilence | None:
    """What an agent's hand holds; None if it is empty."""
    hand = kitchen.hands.get(agent)
    return UNSENSED if hand is None else in_hand(kitchen, hand)


def held(kitchen: SapienKitchen, sensor: Sensor, item: str) -> bool | SensorSilence:
    """Whether an item is in one hand or two."""
    return bool(holders(kitchen, item)) if kitchen.is_free(item) else UNSENSED

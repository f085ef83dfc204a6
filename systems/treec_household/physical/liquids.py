"""What is in the vessels of a kitchen with physics: declared, since no liquid is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

_KNOWN: WeakKeyDictionary[SapienKitchen, dict[str, str]] = WeakKeyDictionary()


def liquids(kitchen: SapienKitchen) -> dict[str, str]:
    """Vessel → what is in it: at first what the scene says; workers change it."""
    if kitchen not in _KNOWN:
        _KNOWN[kitchen] = {
            effect.args[0]: str(effect.value)
            for effect in kitchen.setup.facts
            if effect.fact == "filled" and effect.value is not None and effect.source != "unknown"
        }
    return _KNOWN[kitchen]

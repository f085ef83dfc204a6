"""Materials of bodies: friction, restitution and colour.

Friction is relative to a common surface (PhysX takes the mean of the two in contact): dry wood on
wood about 0.5, rubber and silicone about 1, PTFE 0.1. Colours are for pictures: red, green, blue
and opacity, 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Material:
    """Static and dynamic friction, restitution, and a colour."""

    static: float
    dynamic: float
    restitution: float
    colour: tuple[float, float, float, float]


MATERIALS: dict[str, Material] = {
    "wood": Material(0.6, 0.5, 0.05, (0.71, 0.53, 0.35, 1.0)),
    "light wood": Material(0.6, 0.5, 0.05, (0.85, 0.72, 0.53, 1.0)),
    "dark wood": Material(0.6, 0.5, 0.05, (0.47, 0.32, 0.21, 1.0)),
    "stone": Material(0.6, 0.5, 0.05, (0.60, 0.60, 0.62, 1.0)),
    "white": Material(0.5, 0.4, 0.05, (0.93, 0.93, 0.91, 1.0)),  # lacquered board or sheet
    "steel": Material(0.5, 0.4, 0.05, (0.70, 0.72, 0.75, 1.0)),
    "dark steel": Material(0.5, 0.4, 0.05, (0.34, 0.36, 0.39, 1.0)),
    "handle": Material(1.0, 0.9, 0.0, (0.22, 0.23, 0.26, 1.0)),  # rubber-coated, for grasping
    "grip": Material(1.0, 0.9, 0.0, (0.22, 0.23, 0.26, 1.0)),
    "black": Material(0.6, 0.5, 0.05, (0.13, 0.13, 0.14, 1.0)),
    "window": Material(0.4, 0.3, 0.05, (0.45, 0.60, 0.68, 0.45)),
    "glass": Material(0.5, 0.4, 0.05, (0.70, 0.85, 0.90, 0.55)),
    "china": Material(0.5, 0.4, 0.05, (0.96, 0.95, 0.92, 1.0)),
    "blue china": Material(0.5, 0.4, 0.05, (0.36, 0.52, 0.72, 1.0)),
    "plastic": Material(0.5, 0.4, 0.05, (0.85, 0.83, 0.78, 1.0)),
    "card": Material(0.6, 0.5, 0.0, (0.80, 0.68, 0.50, 1.0)),
    "tin": Material(0.5, 0.4, 0.05, (0.77, 0.77, 0.78, 1.0)),
    "skin": Material(0.8, 0.7, 0.0, (0.80, 0.30, 0.22, 1.0)),  # fruit and vegetables
    "crumb": Material(0.8, 0.7, 0.0, (0.85, 0.67, 0.42, 1.0)),  # bread
    "signal": Material(0.8, 0.7, 0.0, (0.85, 0.33, 0.15, 1.0)),  # buttons and knobs
}

COLOURS: dict[str, tuple[float, float, float]] = {
    "red": (0.78, 0.20, 0.16),
    "orange": (0.92, 0.52, 0.14),
    "yellow": (0.93, 0.79, 0.25),
    "green": (0.38, 0.61, 0.27),
    "dark green": (0.20, 0.42, 0.23),
    "blue": (0.25, 0.42, 0.68),
    "purple": (0.47, 0.28, 0.50),
    "brown": (0.50, 0.34, 0.21),
    "pink": (0.91, 0.62, 0.58),
    "white": (0.95, 0.94, 0.91),
    "cream": (0.94, 0.89, 0.74),
    "grey": (0.55, 0.55, 0.56),
    "black": (0.16, 0.15, 0.15),
}
"""Values of `colour:` in a scene. It paints everything but wood, steel and handles."""

"""What the paper reports of its sixty trials (MOSAIC, Figure 3; arXiv v1, Figure 7)."""

from __future__ import annotations

RECIPES = {
    "Toss Salad": (8, 92.5),
    "Tuna Sandwich": (8, 96.0),
    "Vegetable Soup": (8, 96.0),
    "Corn Soup": (6, 90.0),
    "Caesar Salad": (5, 86.7),
    "Chicken Soup": (6, 91.4),
}
"""Of each recipe: whole trials of ten, and the share of subtasks completed (%)."""

WHOLE, TRIALS, SUBTASKS = 41, 60, 91.6
"""The same of all."""

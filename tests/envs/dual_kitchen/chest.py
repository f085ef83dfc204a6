"""The kind `chest`, for a room's objects."""

from __future__ import annotations

from tests.envs.dual_kitchen.room import chest as build

__all__ = ["build"]

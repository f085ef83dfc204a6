"""Skills without a motion of their own: going, looking, and what their repairs bring about."""

from __future__ import annotations

from treec_sapien.worker import Physical, PhysicalAct, Steps


class Stay(Physical):
    """Nothing moves: a robot drives to a thing as part of what it does with it, and sees all."""

    def do(self, act: PhysicalAct) -> Steps:
        """Let one control step pass."""
        yield

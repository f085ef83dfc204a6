"""The paper's figures, for comparison: MOSAIC's Tables 5 and 6 (appendix E), in mm."""

from __future__ import annotations

HANDOVER = {
    "Base": (56.3, 88.0, 88.5, 139.4, 54.0, 83.8, 85.2, 133.0),
    "Scratch": (40.4, 62.8, 64.2, 100.3, 38.9, 59.6, 61.9, 95.4),
    "FineTuned": (32.9, 56.2, 51.8, 89.2, 31.7, 53.5, 50.1, 85.2),
    "FineTuned-T": (31.4, 55.0, 50.0, 87.4, 30.2, 52.4, 48.3, 83.4),
}
"""Table 5, handover on CoMaD: ADE and FDE of all joints, of wrists, then of transitions."""

NOISE = {
    "0": (66.1, 95.9, 97.5, 137.8),
    "0.001": (59.9, 90.6, 88.0, 131.0),
    "0.01": (55.2, 83.2, 80.1, 126.8),
    "0.1": (151.1, 175.6, 136.0, 176.8),
}
"""Table 6, handover tracked by a camera: ADE and FDE of all joints, of wrists, by the standard
deviation (m) of the noise in training."""

WHY = (
    "The paper's figures are of CoMaD, motion capture of three kitchen tasks, after training on "
    "AMASS; neither is to be had here. Other people, other motions, another tracker: they cannot "
    "be compared directly."
)

TABLE_3 = {
    "Current": {"margin": 13.5, "reaction": 135.4, "collisions": 2, "goal": 1.54, "path": 31.5},
    "Base": {"margin": 19.9, "reaction": 64.9, "collisions": 0, "goal": 1.67, "path": 32.7},
    "Ours": {"margin": 23.1, "reaction": 48.9, "collisions": 0, "goal": 1.15, "path": 22.4},
}
"""Table 3: safety margin (cm), time to react (ms), collisions of 10, time to goal (s), path."""

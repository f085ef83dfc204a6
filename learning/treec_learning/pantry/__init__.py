"""MOSAIC's kinematic simulator: Stretch's gripper reaches for a thing among others in a pantry."""

"""What the package adds to treec: its environment."""

from treec import Extension

EXTENSION = Extension("rig", environments={"rig": "rig.environment:open_rig"})

"""What HELPER adds to treec."""

from treec.extensions import Extension

EXTENSION = Extension(name="helper")

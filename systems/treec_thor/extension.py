"""The extension that registers AI2-THOR as an environment of the household."""

from treec import Extension

EXTENSION = Extension(
    name="thor",
    environments={"thor": "treec_thor.environment:open_thor"},
)

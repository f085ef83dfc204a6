"""The extension that registers SAPIEN as an environment, and its films."""

from treec import Extension

EXTENSION = Extension(
    name="sapien",
    environments={"sapien": "treec_sapien.environment:open_environment"},
    films={"sapien": "treec_sapien.view.run_film:open_film"},
)

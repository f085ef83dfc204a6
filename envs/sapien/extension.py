"""The extension that registers SAPIEN as an environment, and its films."""

from treec import Extension

EXTENSION = Extension(
    name="sapien",
    environments={"sapien": "treec.envs.sapien.environment:open_environment"},
    films={"sapien": "treec.envs.sapien.view.run_film:open_film"},
)

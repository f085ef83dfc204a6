"""The extension that registers SAPIEN: an environment, its films, and what scenes say of bodies."""

from treec.extensions import Command, Extension, Rules

EXTENSION = Extension(
    name="sapien",
    environments={"sapien": "treec_sapien.environment:open_environment"},
    films={"sapien": "treec_sapien.view.run_film:open_film"},
    rules=(Rules("treec_sapien.check", ("bodies", "body", "people")),),
    commands={"env": Command("treec_sapien.cli.env:app", "Draw scenes.", "Robots")},
)

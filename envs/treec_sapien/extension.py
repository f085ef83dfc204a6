"""The extension that registers SAPIEN: an environment, its films, robots and bodies of scenes."""

from treec.extensions import Command, Extension, Kind, Rules

EXTENSION = Extension(
    name="sapien",
    environments={"sapien": "treec_sapien.environment:open_environment"},
    kinds=(
        Kind(
            "robot",
            "treec_sapien.robots.files:RobotFile",
            order=131,
            skeleton="treec_sapien.check.robots:skeleton",
        ),
    ),
    films={"sapien": "treec_sapien.view.run_film:open_film"},
    rules=(Rules("treec_sapien.check", ("bodies", "body", "people", "robot")),),
    commands={"env": Command("treec_sapien.cli.env:app", "Draw scenes.", "Robots")},
)

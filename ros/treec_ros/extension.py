"""The extension of ROS 2: the environment `ros`, its bindings, definitions, and commands."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, Rules

EXTENSION = Extension(
    name="ros",
    kinds=(Kind("interfaces", "treec_ros.files:InterfacesFile", order=150),),
    environments={
        "ros": "treec_ros.environment:open_ros",
        "remote": "treec_ros.remote:open_remote",
    },
    workers={"remote": "treec_ros.remote:RemoteSkill"},
    bindings={"ros": "treec_ros.files:BINDINGS"},
    commands={
        "ros": Command(
            "treec_ros.cli.ros:app",
            "Examine the ROS 2 side of a system, or offer treec as a node.",
            "Robots",
        ),
    },
    monitors={"py_trees_ros": "treec_ros.py_trees_view:open_monitor"},
    rules=(Rules("treec_ros.check", ("ros", "interfaces")),),
)

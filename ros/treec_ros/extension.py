"""The extension of ROS 2: the environment `ros`, its bindings, definitions, and commands."""

from __future__ import annotations

from treec.extensions import Extension, Kind, Rules

EXTENSION = Extension(
    name="ros",
    kinds=(Kind("interfaces", "treec_ros.files:InterfacesFile", order=150),),
    environments={"ros": "treec_ros.environment:open_ros"},
    bindings={"ros": "treec_ros.files:BINDINGS"},
    rules=(Rules("treec_ros.check", ("skill", "domain", "interfaces")),),
)

"""What colcon needs beside pyproject.toml: the package's place in the index of ament."""

from setuptools import setup

setup(
    data_files=[
        ("share/ament_index/resource_index/packages", ["resource/treec_ros"]),
        ("share/treec_ros", ["package.xml"]),
    ]
)

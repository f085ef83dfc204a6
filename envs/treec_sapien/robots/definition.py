"""A robot as its file defines it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from treec_sapien.robots.files import RobotFile


@dataclass(frozen=True)
class RobotDefinition:
    """A robot's file, and the folder that holds it. Its text is its name."""

    file: RobotFile
    folder: Path

    def __str__(self) -> str:
        return self.file.robot

    @cached_property
    def text(self) -> str:
        """The file as JSON."""
        return self.file.model_dump_json()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RobotDefinition):
            return NotImplemented
        return self.folder == other.folder and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.folder, self.text))

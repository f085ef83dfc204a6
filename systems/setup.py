"""Adds the files at the root of the repository to the package `treec_kitchen` when it is built.

A wheel and an sdist hold them below ``treec_kitchen``; an editable install uses them in place.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    *("trees", "prompts", "skills", "templates"),
    *("envs/kitchen", "envs/dual_kitchen", "envs/household"),
)
SETTINGS = "treec.toml"


def add_files(package: Path) -> None:
    """Copy the files of the pack into the folder of the package, unless an sdist brought them."""
    if not (ROOT / "trees").is_dir():
        return
    package.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / SETTINGS, package / SETTINGS)
    for name in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, package / name, dirs_exist_ok=True, ignore=ignored)


class BuildWithFiles(build_py):
    """Builds the packages, and adds the pack's files unless the install is editable."""

    def run(self) -> None:
        """Build."""
        super().run()
        if not self.editable_mode:
            add_files(Path(self.build_lib) / "treec_kitchen")


class DistributeWithFiles(sdist):
    """Makes an sdist that can be built without the repository."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Add the pack's files to the sources."""
        super().make_release_tree(base_dir, files)
        add_files(Path(base_dir) / "treec_kitchen")


setup(cmdclass={"build_py": BuildWithFiles, "sdist": DistributeWithFiles})

"""The wheel, built once, and an environment that has it and not the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs.make_house import FOLDERS

ROOT = Path(__file__).parents[2]
FILES = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "treec.toml",
    "trees",
    "prompts",
    "skills",
    "templates",
)


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    folder: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def site(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def run(self, cwd: Path, *command: object) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with nothing of the checkout to be found."""
        return subprocess.run(
            [str(self.bin / str(command[0])), *map(str, command[1:])],
            cwd=cwd,
            env={"PATH": str(self.bin), "HOME": str(self.folder), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def install(self, *wheels: Path) -> None:
        """Install wheels without their dependencies."""
        python = ["--python", str(self.bin / "python")]
        pip(*python, "install", "--no-deps", "--no-index", "--no-compile", *map(str, wheels))


def pip(*args: str) -> None:
    """Run pip; it never needs the network."""
    quiet = ("--disable-pip-version-check", "--quiet")
    done = subprocess.run(
        [sys.executable, "-m", "pip", *args, *quiet],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PIP_NO_INDEX": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def build(source: Path, target: Path) -> Path:
    """The wheel of a project, by its builder alone: pip would begin five processes more."""
    code = "import sys; from setuptools import build_meta as b; b.build_wheel(sys.argv[1])"
    target.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", code, str(target)]
    subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300, check=True)
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that git knows, to build from: builds leave folders behind."""
    source = tmp_path_factory.mktemp("source")
    names = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS, *FILES],
        cwd=ROOT,
        text=True,
    )
    for name in names.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    return source


@pytest.fixture(scope="session")
def wheel(sources: Path) -> Path:
    """The wheel of the core."""
    return build(sources, sources / "built/core")


@pytest.fixture(scope="session")
def brought_wheels(sources: Path) -> list[Path]:
    """The wheels of what the core's brings with it."""
    return [build(sources / name, sources / "built" / name) for name in ("asking", "hearing")]


@pytest.fixture(scope="session")
def kitchen_wheel(sources: Path) -> Path:
    """The wheel of the systems with their files."""
    return build(sources / "systems", sources / "built/systems")


def environment(folder: Path, *wheels: Path) -> Installed:
    """An environment with wheels of ours, and what the tests' own has besides ours."""
    venv.create(folder, with_pip=False)
    made = Installed(folder)
    made.install(*wheels)
    others = folder / "others"
    others.mkdir()
    for path in sys.path:
        if path.endswith(("site-packages", "dist-packages")) and Path(path).is_dir():
            for entry in Path(path).iterdir():
                link = others / entry.name
                if not entry.name.startswith(("treec", "__editable__")) and not link.exists():
                    link.symlink_to(entry)
    (made.site / "dependencies.pth").write_text(f"{others}\n", "utf-8")
    return made


@pytest.fixture(scope="session")
def base(
    wheel: Path, brought_wheels: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """An environment with what `pip install treec` brings of our packages."""
    return environment(tmp_path_factory.mktemp("base"), wheel, *brought_wheels)


@pytest.fixture(scope="session")
def installed(
    sources: Path,
    wheel: Path,
    brought_wheels: list[Path],
    kitchen_wheel: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Installed:
    """An environment with the core and the systems, and what these need."""
    project = tomllib.loads((sources / "systems/pyproject.toml").read_text("utf-8"))["project"]
    files = {
        tomllib.loads(file.read_text("utf-8"))["project"]["name"]: file
        for file in sources.glob("*/pyproject.toml")
    }
    needs = [need.partition("==")[0] for need in project["dependencies"]]
    others = [build(files[it].parent, sources / "built" / it) for it in needs if it in files]
    return environment(
        tmp_path_factory.mktemp("environment"), wheel, *brought_wheels, kitchen_wheel, *others
    )

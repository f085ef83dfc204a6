"""What a user has who installs the wheel: one package with all files, and everything works."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from tests.package.conftest import ROOT, Installed, build
from tests.support.packs import SHED, write

pytestmark = pytest.mark.package

TEMPLATES = sorted(path.parent.name for path in (ROOT / "templates").glob("*/treec.toml"))
SYSTEM = """system: mine
about: The kitchen team with a prompt of our own.
uses: [treec/mosaic, treec/kitchen, treec/kitchen/recipes, ./prompts]
root: mosaic_main
domain: team_kitchen
scene: kitchen
"""
ACTION = """action: Praise
about: Thank somebody for being kind.
offer: {to: Execution, when: acts.remark and 'lovely' in user_input, because: They were kind.}
sees: [acts, user_input]
may: [say]
answers: [remark]
offline:
  - do:
      - say: Thank you!
"""
TYPED = """from treec import Effect, ExternalWork, Host, NodePorts, Outcome, Worker


def told(outcome: Outcome) -> bool:
    return outcome.ok


def first(ports: NodePorts) -> object:
    return ports.get("value")


def begin(ports: NodePorts, host: Host) -> list[object]:
    ports.clock.call_at(ports.clock.now() + 1.0, ports.wake)
    host.begin_external("a driver", takes=2.0).done()
    work: ExternalWork = ports.begin_external("a scale", limit=5.0)
    with work:
        work.post(1)
    return work.take()


class Arm(Worker):
    pass
"""


def ok(installed: Installed, cwd: Path, *command: object) -> str:
    done = installed.run(cwd, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_repositorys_files(wheel: Path) -> None:
    package = ROOT / "src/treec"
    there = {
        Path("treec", os.path.relpath(os.path.join(folder, name), package)).as_posix()
        for folder, folders, names in os.walk(package, followlinks=True)
        for name in names
        if "__pycache__" not in folder
    }
    names = zipfile.ZipFile(wheel).namelist()
    held = {name for name in names if ".dist-info/" not in name}
    assert held == there


def test_one_name_is_installed(installed: Installed) -> None:
    found = {path.name for path in installed.site.iterdir()} - {"sheds_pack"}  # another test's
    assert {name for name in found if not name.endswith((".dist-info", ".pth"))} == {"treec"}
    code = "import importlib.util as u, sys; print([n for n in sys.argv[1:] if u.find_spec(n)])"
    rooms = (
        "engine",
        "envs",
        "forecasting",
        "learning",
        "perception",
        "skills",
        "trees",
        "prompts",
        "systems",
        "templates",
    )
    assert ok(installed, installed.folder, "python", "-c", code, *rooms) == "[]\n"


def test_sources_are_found_where_they_are_installed(installed: Installed) -> None:
    """What an editor's go-to-definition looks up."""
    names = ("treec.Worker", "treec.envs.symbolic.Effects", "treec.hearing.ear.Ear")
    code = (
        "import inspect, pydoc, sys\n"
        "for name in sys.argv[1:]: print(inspect.getsourcefile(pydoc.locate(name)))"
    )
    for path in ok(installed, installed.folder, "python", "-c", code, *names).splitlines():
        assert Path(path).is_relative_to(installed.site)
        assert Path(path).is_file()
    assert (installed.site / "treec/py.typed").is_file()


@pytest.mark.slow  # 40 s: mypy reads all that treec imports, without a cache
def test_mypy_strict_passes_on_a_file_that_imports_treec(
    installed: Installed, tmp_path: Path
) -> None:
    write(tmp_path, {"own.py": TYPED})
    mypy = ("python", "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "own.py")
    assert "Success" in ok(installed, tmp_path, *mypy)
    write(tmp_path, {"own.py": TYPED.replace("Outcome, Worker", "Outcme, Worker")})
    assert installed.run(tmp_path, *mypy).returncode == 1


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.few(0, thorough=1)
def test_what_init_makes_checks_runs_and_has_tests(
    installed: Installed, tmp_path: Path, template: str
) -> None:
    made = ok(installed, tmp_path, "treec", "init", "my_robot", "--from", template)
    folder = tmp_path / "my_robot"
    assert "nothing is wrong" in ok(installed, folder, "treec", "check")
    (line,) = (line for line in made.splitlines() if "--scenario" in line)
    ok(installed, folder, *line.split(), "--fast")
    tests = list((folder / "tests").glob("test_*.py"))
    assert tests
    assert "passed" in ok(installed, folder, "python", "-m", "pytest", "-p", "no:cacheprovider")


def test_a_shipped_system_runs_in_an_empty_folder(installed: Installed, tmp_path: Path) -> None:
    run = ("treec", "run", "mosaic", "--scenario", "caesar_salad", "--fast")
    assert "as expected" in ok(installed, tmp_path, *run)
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert "3 agents" in ok(installed, tmp_path, "treec", "report")


def test_a_library_uses_shipped_packs_and_its_own_prompts(
    installed: Installed, tmp_path: Path
) -> None:
    files = {"treec.toml": "", "my.system.yaml": SYSTEM, "prompts/praise.action.yaml": ACTION}
    write(tmp_path, files)
    assert "nothing is wrong" in ok(installed, tmp_path, "treec", "check")
    wrong = SYSTEM.replace("kitchen/recipes", "kitchen/recipies")
    write(tmp_path, {"my.system.yaml": wrong})
    done = installed.run(tmp_path, "treec", "check")
    assert "did you mean 'treec/kitchen/recipes'?" in done.stdout


def test_the_shipped_pack_is_listed_and_checks(installed: Installed, tmp_path: Path) -> None:
    told = ok(installed, tmp_path, "treec", "packs", "--output-format", "json")
    (pack,) = json.loads(told)
    assert pack["folder"] == str(installed.site / "treec")
    assert {"mosaic", "dag_plan"} <= set(pack["systems"])
    assert set(pack["templates"]) == set(TEMPLATES)
    assert "nothing is wrong" in ok(installed, tmp_path, "treec", "check", "--library", "treec")


def test_a_pack_of_ones_own_is_built_installed_and_found(
    installed: Installed, tmp_path: Path
) -> None:
    files = {f"src/sheds_pack/{name}": text for name, text in SHED.items()}
    files["src/sheds_pack/__init__.py"] = ""
    files["pyproject.toml"] = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "garden-sheds"
version = "2.1"

[project.entry-points."treec.packs"]
sheds = "sheds_pack"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
"*" = ["*.yaml", "*.toml"]
"""
    installed.install(build(write(tmp_path / "project", files), tmp_path / "built"))
    empty = tmp_path / "empty"
    empty.mkdir()
    try:
        assert "sheds 2.1: Garden sheds" in ok(installed, empty, "treec", "packs")
        ok(installed, empty, "treec", "run", "sheds_work", "--scenario", "one_hole", "--fast")
    finally:
        (entry,) = installed.site.glob("garden_sheds-*.dist-info/entry_points.txt")
        entry.unlink()

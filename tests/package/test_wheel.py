"""What a user has who installs the wheel: one package with all files, and everything works."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from docs.make_house import FOLDERS
from tests.package.conftest import ROOT, Installed, build
from tests.support.packs import SHED, write

pytestmark = pytest.mark.package

TEMPLATES = {
    pack: sorted(path.parent.name for path in (ROOT / folder).glob("*/treec.toml"))
    for pack, folder in (("treec", "engine/treec/templates"), ("treec-kitchen", "templates"))
}
SYSTEM = """system: mine
about: The kitchen team with a prompt of our own.
uses: [treec-kitchen/mosaic, treec-kitchen/team_kitchen, treec-kitchen/recipes, ./prompts]
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


def files_of(wheel: Path) -> set[str]:
    """The files in a wheel, without its metadata."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def tracked(*folders: str) -> set[str]:
    """The files that git knows below folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    names = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    return {name for name in names if (ROOT / name).is_file()}


def test_the_core_s_wheel_holds_the_core_and_is_small(wheel: Path) -> None:
    there = {name.removeprefix("engine/") for name in tracked("engine/treec")}
    assert files_of(wheel) == there
    assert wheel.stat().st_size <= 2_000_000
    assert not [name for name in there if name.endswith((".npz", ".safetensors"))]


def test_the_kitchen_s_wheel_holds_the_systems_and_their_files(kitchen_wheel: Path) -> None:
    files = tracked("trees", "prompts", "skills", "templates", "treec.toml")
    files |= tracked("envs/kitchen", "envs/dual_kitchen", "envs/household")
    systems = {name.removeprefix("systems/") for name in tracked("systems/treec_*")}
    assert files_of(kitchen_wheel) == systems | {f"treec_kitchen/{name}" for name in files}


@pytest.mark.few(2, thorough=2)
@pytest.mark.parametrize("project", [it for it in FOLDERS if it not in ("engine", "systems")])
def test_no_wheel_holds_experiments(
    sources: Path, wheel: Path, kitchen_wheel: Path, project: str, tmp_path: Path
) -> None:
    """Nor tests, documents or labelled phrases."""
    for made in (wheel, kitchen_wheel, build(sources / project, tmp_path)):
        names = files_of(made)
        assert not [name for name in names if not name.startswith("treec")]
        assert not [name for name in names if "experiments." in name or name.endswith(".xz")]


def test_an_sdist_of_the_kitchen_builds_the_same_wheel(
    sources: Path, kitchen_wheel: Path, tmp_path: Path
) -> None:
    code = "import sys; from setuptools import build_meta as b; print(b.build_sdist(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(tmp_path)]
    made = subprocess.run(
        command, cwd=sources / "systems", capture_output=True, text=True, check=True
    )
    with tarfile.open(tmp_path / made.stdout.splitlines()[-1]) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    assert files_of(build(folder, tmp_path / "built")) == files_of(kitchen_wheel)


def test_what_the_base_install_brings_of_ours(base: Installed) -> None:
    found = {path.name for path in base.site.iterdir()}
    names = {name for name in found if not name.endswith((".dist-info", ".pth"))}
    assert names == {"treec", "treec_asking", "treec_hearing"}
    code = "import importlib.util as u, sys; print([n for n in sys.argv[1:] if u.find_spec(n)])"
    rooms = ("engine", "envs", "treec_sapien", "treec_mosaic", "treec_kitchen", "trees", "prompts")
    assert ok(base, base.folder, "python", "-c", code, *rooms) == "[]\n"


def test_the_repository_holds_no_symbolic_links() -> None:
    rows = subprocess.check_output(["git", "ls-files", "-s"], cwd=ROOT, text=True).splitlines()
    assert [row for row in rows if row.startswith("120000")] == []


def test_sources_are_found_where_they_are_installed(installed: Installed) -> None:
    """What an editor's go-to-definition looks up."""
    names = ("treec.Worker", "treec.envs.symbolic.Effects", "treec_hearing.ear.Ear")
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


@pytest.mark.parametrize("template", [*TEMPLATES["treec"], *TEMPLATES["treec-kitchen"]])
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
    wrong = SYSTEM.replace("treec-kitchen/recipes", "treec-kitchen/recipies")
    write(tmp_path, {"my.system.yaml": wrong})
    done = installed.run(tmp_path, "treec", "check")
    assert "did you mean 'treec-kitchen/recipes'?" in done.stdout


def test_the_shipped_packs_are_listed_and_check(installed: Installed, tmp_path: Path) -> None:
    printed = ok(installed, tmp_path, "treec", "packs", "--output-format", "json")
    core, kitchen = json.loads(printed)
    assert core["folder"] == str(installed.site / "treec")
    assert kitchen["folder"] == str(installed.site / "treec_kitchen")
    assert {"mosaic", "dag_plan"} <= set(kitchen["systems"])
    for pack in (kitchen, core):
        assert sorted(pack["templates"]) == TEMPLATES[pack["pack"]]
        assert "nothing is wrong" in ok(installed, tmp_path, "treec", "check", "-L", pack["pack"])


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

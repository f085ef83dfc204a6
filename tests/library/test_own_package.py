"""A library's own Python: named in treec.toml, looked at while checking, imported by a run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forget import forget_packs
from tests.support.packs import SHED, distribution, installed, write
from treec.check import check_library
from treec.cli import main
from treec.files.library import Library, load_library
from treec.files.own_package import PackageConflict, provide

LIBRARY = {name: text for name, text in SHED.items() if name.endswith(".yaml")}
WORKER = "from treec.envs.symbolic import Effects\n\n\nclass Dig(Effects): ...\n"
RUN = ("run", "sheds_work", "--scenario", "one_hole", "--fast")


def library(root: Path, package: str, **files: str) -> Path:
    """A library whose skill has a worker of its own in ``package``."""
    skill = LIBRARY["skills/dig.skill.yaml"]
    own = {
        "treec.toml": f'[library]\npackage = "{package}"\n',
        "skills/dig.skill.yaml": skill.replace("treec.envs.symbolic:Effects", f"{package}.dig:Dig"),
        f"{package}/dig.py": WORKER,
    }
    return write(root, {**LIBRARY, **own, **files})


def messages(root: Path) -> list[str]:
    return [f"{p.span}: {p.code}: {p.message}" for p in check_library(load_library(root))]


def test_checking_executes_nothing_of_it(tmp_path: Path) -> None:
    raising = "raise RuntimeError('executed while checking')\n"
    files = {"sheds_a/__init__.py": raising, "sheds_a/dig.py": raising + WORKER}
    assert messages(library(tmp_path, "sheds_a", **files)) == []
    assert "sheds_a" not in sys.modules


@pytest.mark.parametrize("declared", [True, False])
def test_checking_executes_no_kinds_of_bodies_of_the_library(
    tmp_path: Path, declared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = LIBRARY["envs/shed.scene.yaml"].replace("objects: {}", "bodies: sheds_k.bodies")
    objects = "objects:\n  box: {type: Thing, body: {kind: crate}, pose: [0, 0, 0]}\n"
    domain = LIBRARY["envs/shed.domain.yaml"] + "types:\n  Thing: {}\n"
    files = {
        "envs/shed.scene.yaml": scene + objects,
        "envs/shed.domain.yaml": domain,
        "sheds_k/bodies.py": "raise RuntimeError('executed while checking')\n",
    }
    if not declared:
        files["treec.toml"] = ""
        files["skills/dig.skill.yaml"] = LIBRARY["skills/dig.skill.yaml"]
        monkeypatch.syspath_prepend(str(tmp_path))  # as `python -m treec` in the library does
    root = library(tmp_path, "sheds_k", **files)
    provide(load_library(root).package)
    assert messages(root) == []
    assert not [name for name in sys.modules if name.startswith("sheds_k")]


def test_a_run_imports_it_and_sys_path_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(sys.path)
    root = library(tmp_path, "sheds_b", **{"sheds_b/__init__.py": ""})
    assert main([*RUN, "--library", str(root)]) == 0, capsys.readouterr()
    assert sys.path == before
    assert Path(str(sys.modules["sheds_b.dig"].__file__)) == root / "sheds_b/dig.py"


def test_a_package_without_init_is_one_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = library(tmp_path, "sheds_c")
    assert main([*RUN, "--library", str(root)]) == 0, capsys.readouterr()


def test_a_library_of_its_package_s_name_is_no_package_for_the_folder_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `treec init NAME` makes it, and `python -m treec check -L NAME` finds it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    root = library(tmp_path / "sheds_l", "sheds_l")
    assert messages(root) == []
    assert main([*RUN, "--library", str(root)]) == 0, capsys.readouterr()


def test_a_module_that_is_not_there_is_told(tmp_path: Path) -> None:
    root = library(tmp_path, "sheds_d")
    (root / "sheds_d/dig.py").rename(root / "sheds_d/digs.py")
    (told,) = messages(root)
    assert told.endswith("TC211: unknown module 'sheds_d.dig'")


def test_a_folder_that_treec_toml_does_not_name_is_no_package(tmp_path: Path) -> None:
    root = library(tmp_path, "sheds_e", **{"treec.toml": ""})
    (problem,) = check_library(load_library(root))
    assert problem.message == "unknown module 'sheds_e'"
    assert problem.help == (
        'if it is the library\'s own, name it in treec.toml: [library] package = "sheds_e"'
    )


@pytest.mark.parametrize("name", ["envs", "skills", "trees", "engine"])
def test_an_empty_package_of_a_rooms_name_hides_nothing(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, an empty envs/__init__.py took the shipped environments away."""
    root = write(tmp_path, {**LIBRARY, "treec.toml": "", f"{name}/__init__.py": ""})
    assert messages(root) == []
    assert main([*RUN, "--library", str(root)]) == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("json", "the package 'json' is installed already, from "),
        ("treec", "the package 'treec' is installed already, from "),
        ("nowhere_to_be_found", "unknown package 'nowhere_to_be_found'"),
        ("no-name", "'no-name' cannot be the name of a Python package"),
    ],
)
def test_a_package_that_cannot_be_used_is_told_in_treec_toml(
    tmp_path: Path, name: str, told: str
) -> None:
    files = {} if name.startswith("no") else {f"{name}/dig.py": WORKER}
    settings = f'[library]\npackage = "{name}"\n'
    root = write(tmp_path, {**LIBRARY, **files, "treec.toml": settings})
    (first,) = messages(root)
    assert first.startswith(f"treec.toml:2:11: TC106: {told}")


def test_an_installed_package_may_be_the_librarys_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    distribution(site, "hands", "hands", "sheds_f", {"dig.py": WORKER})
    root = library(tmp_path / "mine", "sheds_f")
    (root / "sheds_f/dig.py").unlink()
    (root / "sheds_f").rmdir()
    with installed(monkeypatch, site):
        assert messages(root) == []
    forget_packs()


def test_two_libraries_do_not_get_each_others_modules(tmp_path: Path) -> None:
    first = load_library(library(tmp_path / "one", "sheds_g"))
    second = load_library(library(tmp_path / "two", "sheds_g"))
    provide(first.package)
    provide(second.package)  # nothing of the first has been imported yet
    __import__("sheds_g.dig")
    assert sys.modules["sheds_g.dig"].__file__ == str(second.root / "sheds_g/dig.py")
    with pytest.raises(PackageConflict, match="use a process for each library"):
        provide(first.package)
    assert check_library(first) == []  # which package is loaded changes nothing for a check


def test_nobody_changes_sys_path() -> None:
    root = Path(__file__).parents[2]
    change = re.compile(r"\bsys\.path\.(?:append|insert|extend|remove)\b|\bsys\.path\s*[+\[]?=[^=]")
    wrong = [
        str(file.relative_to(root))
        for folder in ("engine", "systems", "envs", "skills", "docs")
        for file in (root / folder).rglob("*.py")
        if change.search(file.read_text("utf-8"))
    ]
    assert wrong == ["engine/treec/foreign.py"]  # it puts back what code of others took away


@pytest.mark.thorough
def test_another_process_finds_it_too(tmp_path: Path) -> None:
    """Workers of evaluations are spawned: they load the library anew."""
    root = library(tmp_path, "sheds_h")
    code = (
        "import sys; from pathlib import Path\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from tests.library.test_own_package import worker_module\n"
        "if __name__ == '__main__':\n"
        "    with ProcessPoolExecutor(1, get_context('spawn')) as pool:\n"
        "        print(pool.submit(worker_module, sys.argv[1]).result())\n"
    )
    script = write(tmp_path / "script", {"go.py": code}) / "go.py"
    done = subprocess.run(
        [sys.executable, str(script), str(root)],
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == str(root / "sheds_h/dig.py"), done.stderr


def worker_module(root: str) -> str:
    from treec.compile.standalone import idle_runtime
    from treec.files.view import View
    from treec.nodes.runtime import load

    library: Library = load_library(Path(root))
    system = library.find_system("sheds_work")
    assert system is not None
    idle_runtime(View(library, system))
    return str(sys.modules[load("sheds_h.dig:Dig").__module__].__file__)


ENVIRONMENT = """\
from treec import Effect


class Yard:
    busy = False

    def __init__(self, setup): ...

    def step(self, until):
        return until

    def sense(self):
        return ()

    def notify(self, effects): ...

    def close(self): ...
"""


def yard(root: Path, package: str, code: str = "yard:Yard") -> Path:
    """A library with an environment of its own, without a distribution."""
    skill = LIBRARY["skills/dig.skill.yaml"]
    runs = f"yard: {package}.dig:Dig, symbolic: treec.envs.symbolic:Effects"
    return library(
        root,
        package,
        **{
            "skills/dig.skill.yaml": skill.replace("symbolic: treec.envs.symbolic:Effects", runs),
            "treec.toml": f'[library]\npackage = "{package}"\n\n'
            f'[environments]\nyard = "{package}.{code}"\n',
            f"{package}/yard.py": ENVIRONMENT,
        },
    )


def test_an_environment_of_its_own_needs_no_distribution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = yard(tmp_path, "sheds_y")
    assert messages(root) == []
    where = ("--library", str(root), "--runs", str(tmp_path / "runs"))
    assert main([*RUN, *where, "--env", "yard"]) == 0, capsys.readouterr()
    assert main([*RUN, *where, "--env", "yrd"]) == 2
    assert "unknown environment 'yrd'; did you mean 'yard'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "told", "help"),
    [
        ("yard:Yrd", "unknown name 'Yrd' in 'sheds_z.yard'", "did you mean 'Yard'?"),
        ("yrd:Yard", "unknown module 'sheds_z.yrd'", "did you mean 'sheds_z.yard'?"),
    ],
)
def test_an_environment_that_is_not_there_is_told_in_treec_toml(
    tmp_path: Path, code: str, told: str, help: str
) -> None:
    (problem,) = check_library(load_library(yard(tmp_path, "sheds_z", code)))
    assert (str(problem.span), problem.code) == ("treec.toml:5:8", "TC217")
    assert (problem.message, problem.help) == (told, help)


@pytest.mark.thorough
def test_a_second_clone_is_used_beside_an_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own modules are meant, not those of the clone that pip has installed."""
    first = yard(tmp_path / "first", "sheds_w")
    second = yard(tmp_path / "second", "sheds_w")
    (second / "sheds_w/yard.py").write_text(f"{ENVIRONMENT}\nHERE = 2\n")
    monkeypatch.syspath_prepend(str(first))  # as `pip install --editable` has it
    assert messages(second) == []
    code = (
        f"import sys; sys.path.insert(0, {str(first)!r}); import treec; "
        f"treec.open({str(second)!r}).run('sheds_work', scenario='one_hole', env='yard'); "
        "import sheds_w.yard; assert sheds_w.yard.HERE == 2"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

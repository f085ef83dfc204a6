"""The house stands as docs/architecture.md draws it: arrows point down, checking is light."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treec
from docs.make_house import (
    CORE,
    FLOORS,
    FOLDERS,
    FOUNDATION,
    NOT_ROOMS,
    OUTSIDE,
    PAGE,
    ROOT,
    SYSTEMS,
    arrows,
    below,
    floor_of,
    imports,
    is_for_typing,
    main,
    modules,
    statements,
    system_arrows,
)
from treec.graph import cyclic_components

ROOMS = [room for floor in FLOORS for room in floor]
HEAVY = ("litellm", "httpx", "torch", "sapien", "mplib", "transformers", "mediapipe", "networkx")
NOT_NEEDED = ("py_trees", "rich", "rapidfuzz")
"""Light enough to be dependencies, but neither checking nor drawing uses them."""


def _top(module: str) -> str:
    """The package that a module lies in."""
    return module.partition(".")[0]


def drawn() -> dict[str, set[str]]:
    """Room → the rooms it uses, as the page's table says."""
    rows = re.findall(r"^\| `treec/(\w+)` \|.*\|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {room: set(re.findall(r"`(\w+)`", uses)) for room, uses in rows}


def test_every_room_has_its_floor() -> None:
    found = {path.name for path in (ROOT / CORE).iterdir() if (path / "__init__.py").is_file()}
    assert found - set(NOT_ROOMS) == set(ROOMS)


def test_every_system_is_drawn() -> None:
    found = {
        path.parent.relative_to(ROOT).as_posix()
        for room in FOLDERS
        for path in (ROOT / room).glob("*/extension.py")
    }
    assert found <= {*SYSTEMS, *OUTSIDE}
    for name in SYSTEMS:
        assert f"| `{name.rpartition('/')[2]}` |" in PAGE.read_text("utf-8")


def test_skills_and_environments_do_not_use_perception() -> None:
    """They get what was seen through `needs:`."""
    wrong = [
        f"{item.path}:{item.line}"
        for package in OUTSIDE
        for file in modules(package)
        for item in imports(file)
        if _top(item.target) == "treec_perception"
    ]
    assert not wrong


@pytest.mark.thorough
def test_perception_does_not_use_forecasting() -> None:
    """Forecasts are made of what cameras see; cameras know nothing of forecasts."""
    assert "treec_perception" in system_arrows()["forecasting/treec_forecasting"]
    assert "treec_forecasting" not in system_arrows()["perception/treec_perception"]


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_down(room: str) -> None:
    for used, item in arrows()[room].items():
        where = f"{item.path}:{item.line}"
        assert used in ROOMS, f"{where} imports {item.target}, which is no room"
        assert floor_of(used) > floor_of(room), f"{where}: {room} may not use {used}"


@pytest.mark.parametrize("room", ROOMS)
def test_the_page_draws_the_arrows_that_there_are(room: str) -> None:
    there = arrows()[room]
    missing = [f"{used} ({there[used].path}:{there[used].line})" for used in there]
    assert drawn()[room] == set(there), f"{room} uses {missing}: run 'python docs/make_house.py'"


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_the_picture_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_the_engine_imports_nothing_that_stands_on_it() -> None:
    wrong = [
        f"{item.path}:{item.line} imports {item.target}"
        for file in modules(CORE)
        for item in imports(file)
        if _top(item.target).startswith("treec_")
    ]
    assert not wrong


@pytest.mark.few(8, thorough=1000)
@pytest.mark.parametrize("package", [CORE, *SYSTEMS, *OUTSIDE[1:]])
def test_no_package_uses_what_is_never_installed(package: str) -> None:
    """No wheel holds these folders."""
    wrong = [
        f"{item.path}:{item.line} imports {item.target}"
        for file in modules(package)
        for item in imports(file)
        if _top(item.target) in ("experiments", "tests", "docs", "benchmarks")
    ]
    assert not wrong


@pytest.mark.parametrize("package", OUTSIDE)
def test_what_stands_on_the_engine_uses_its_exports(package: str) -> None:
    """All but rules of the check and commands, which use what a stranger's do."""
    used = [
        item
        for file in modules(package)
        if file.name != "extension.py" and file.parent.name not in ("check", "cli")
        for item in imports(file)
        if _top(item.target) == "treec"
    ]
    wrong = [
        f"{item.path}:{item.line} imports {item.target}: export it in treec/__init__.py"
        for item in used
        if item.target.removeprefix("treec.") not in treec.__all__
    ]
    assert [*modules(package)]
    assert not wrong


def test_what_stands_below_all_rooms_uses_none_of_them() -> None:
    for name in FOUNDATION:
        targets = {item.target for item in imports(ROOT / CORE / f"{name}.py")}
        ours = {target for target in targets if _top(target) == "treec"}
        assert ours <= {f"treec.{other}" for other in FOUNDATION}


def _modules_used() -> dict[str, set[str]]:
    """Module → modules of ours that it imports, inside functions too; not what types alone need."""
    folders = {package: package.rpartition("/")[2] for package in (CORE, *SYSTEMS, *OUTSIDE[1:])}
    files = {
        ".".join((name, *file.relative_to(ROOT / folder).with_suffix("").parts)): file
        for folder, name in folders.items()
        for file in modules(folder)
    }
    files = {name.removesuffix(".__init__"): file for name, file in files.items()}
    used: dict[str, set[str]] = {}
    for name, file in files.items():
        found = used[name] = set()
        for node in _without_typing(file):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                package = name if file.name == "__init__.py" else name.rpartition(".")[0]
                above = package.rsplit(".", node.level - 1)[0] if node.level else ""
                module = ".".join(filter(None, (above, node.module)))
                below = {f"{module}.{alias.name}" for alias in node.names}
                found.update(below & set(files) or {module})
        found.discard(name)
    return used


def _without_typing(file: Path) -> list[ast.stmt]:
    every = statements(file)
    typing = {
        id(inner)
        for node in every
        if isinstance(node, ast.If) and is_for_typing(node)
        for statement in node.body
        for inner in (statement, *below(statement))
    }
    return [node for node in every if id(node) not in typing]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert cyclic_components(_modules_used()) == []


def test_each_export_is_typed_and_there() -> None:
    """What type checkers are told is what `__getattr__` gives."""
    typed = [item.target for item in imports(ROOT / CORE / "__init__.py") if item.typing_only]
    tree = ast.parse((ROOT / CORE / "__init__.py").read_text("utf-8"))
    told = {
        f"{node.module}:{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in typed
        for alias in node.names
    }
    assert told == {f"{module}:{name}" for name, module in treec._EXPORTS.items()}
    for name in treec.__all__:
        assert getattr(treec, name) is not None


def test_importing_the_engine_costs_nothing() -> None:
    needed = {item.target for item in imports(ROOT / CORE / "__init__.py") if not item.typing_only}
    assert needed <= {"__future__", "importlib", "typing"}


@pytest.mark.parametrize("package", [CORE, *OUTSIDE[1:]])
def test_every_module_says_what_it_is(package: str) -> None:
    for file in modules(package):
        assert ast.get_docstring(ast.parse(file.read_text("utf-8"))), file.relative_to(ROOT)


@pytest.fixture
def poison(tmp_path: Path) -> dict[str, str]:
    """An environment in which importing a package that is not needed breaks the program off."""
    for name in (*HEAVY, *NOT_NEEDED):
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('poisoned: {name}')\n", "utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "100"}


def run(env: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "treec", *args],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_poison_works(poison: dict[str, str]) -> None:
    """Else the tests below would promise nothing."""
    code = """
import sys
for name in sys.argv[1:]:
    try:
        __import__(name)
    except RuntimeError as error:
        print(error)
"""
    names = (*HEAVY, *NOT_NEEDED)
    done = subprocess.run(
        [sys.executable, "-c", code, *names], env=poison, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"poisoned: {name}" for name in names]


WAREHOUSE = ("warehouse_main", "-L", f"{CORE}/templates/warehouse")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("check",), "nothing is wrong"),
        (("check", "--output-format", "json"), "[]"),
        (("render", *WAREHOUSE), "robot_worker"),
        (("render", "warehouse", *WAREHOUSE[1:]), "Dispatch"),
        (("explain", "TC203"), "TC203"),
        (("schema", "tree"), '"$schema"'),
    ],
    ids=" ".join,
)
@pytest.mark.few(1)
def test_what_only_reads_imports_nothing_heavy(
    poison: dict[str, str], command: tuple[str, ...], says: str
) -> None:
    done = run(poison, *command)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:]
    assert says in done.stdout


@pytest.mark.thorough
def test_drawing_to_a_file_imports_nothing_heavy(poison: dict[str, str], tmp_path: Path) -> None:
    for ending in ("svg", "dot", "txt"):
        out = tmp_path / f"picture.{ending}"
        done = run(poison, "render", *WAREHOUSE, "-o", str(out))
        assert (done.returncode, done.stderr) == (0, "")
        assert "robot_worker" in out.read_text("utf-8")


DOCUMENTED = {
    *("acompletion", "adecisions", "cost_per_token"),
    *("get_llm_provider", "validate_environment"),
    *("suppress_debug_info", "telemetry", "turn_off_message_logging"),
}
"""What LiteLLM's documentation tells its users to call and to set."""


@pytest.mark.parametrize("package", [CORE, *OUTSIDE[1:]])
def test_models_are_reached_from_the_package_of_models_alone(package: str) -> None:
    wrong = [
        f"{item.path}:{item.line} imports {item.target}"
        for file in modules(package)
        for item in imports(file)
        if item.target.split(".")[0] in ("litellm", "httpx", "openai", "needle")
    ]
    assert not wrong


def test_of_litellm_only_documented_names_are_used() -> None:
    used: dict[str, str] = {}
    for file in modules("models/treec_models"):
        tree = ast.parse(file.read_text("utf-8"))
        for item in imports(file):
            if item.target.split(".")[0] == "litellm" and file.stem != "litellm_model":
                used[f"an import in {file.stem}"] = file.stem
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(id="litellm"), attr=name):
                    used[name] = file.stem
                case ast.Constant(value=str(text)) if text.startswith("litellm."):
                    used[text] = file.stem
                case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "litellm":
                    used[f"from {module}"] = file.stem
    assert set(used) == DOCUMENTED

"""An extension that cannot be used: which package is to blame, and nothing else is lost."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.support.extensions import install
from treec.files.library import load_library
from treec.run.monitors import attach_monitors
from treec.run.run import CannotRun, Run
from treec_asking.open_model import CannotAsk, ModelChoice, open_model
from treec_hearing.network_error import NetworkError
from treec_hearing.reading import network_of

__all__ = ["treec"]

EMPTY = "from treec import Extension\n"


@pytest.mark.parametrize(
    ("module", "says"),
    [
        (
            "import not_there_at_all\n",
            "EXTENSION: needs the package 'not_there_at_all', which is not installed",
        ),
        ("import sys\nsys.exit()\n", "SystemExit: it called exit() (bad_extension.py:2)"),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt (bad_extension.py:1)"),
        (
            "class Own(BaseException): ...\nraise Own('no')\n",
            "bad_extension:EXTENSION: Own: no (bad_extension.py:2)",
        ),
        (
            "import sys\ndef __getattr__(name): sys.exit(0)\n",
            "SystemExit: it called exit(0) (bad_extension.py:2)",
        ),
        ("EXTENSION = 7\n", "bad_extension:EXTENSION is not an Extension but 7"),
        (
            f"{EMPTY}EXTENSION = Extension('bad', kinds=['tree'])\n",
            "a Kind is expected, not 'tree'",
        ),
        (
            f"{EMPTY}EXTENSION = Extension('bad', tests={{'x': 'nothing'}})\n",
            "'x' in 'tests' must be package.module:name, not 'nothing'",
        ),
        (
            f"{EMPTY}EXTENSION = Extension('bad', commands={{'check': 'bad:command'}})\n",
            "the command 'check' is already declared by treec itself",
        ),
        (
            f"{EMPTY}EXTENSION = Extension('bad', rules=['not_there_at_all'])\n",
            "not_there_at_all: ModuleNotFoundError",
        ),
        (
            f"{EMPTY}EXTENSION = Extension('bad', reports={{'bad': 'bad.report:parts'}})\n",
            "bad.report:parts: unknown module 'bad'",
        ),
    ],
    ids=[
        "import",
        "exit",
        "interrupt",
        "own",
        "asked",
        "type",
        "kind",
        "target",
        "clash",
        "rule",
        "missing",
    ],
)
def test_a_broken_extension_is_told_with_its_package(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, says: str
) -> None:
    install(tmp_path, monkeypatch, "bad", "", module=module)
    good = "tests={'even_number': 'tests.extensions.test_broken:is_even'}"
    install(tmp_path, monkeypatch, "good", good)
    library = tmp_path / "library"
    library.mkdir()
    (library / "treec.toml").write_text("")
    (library / "d.domain.yaml").write_text(
        "domain: d\nabout: Numbers.\nstate: {n: {type: integer, default: 2}}\n"
        "derived: {fits: n is even_number}\n"
    )
    result = treec("check", "-L", library)
    assert "the extension 'bad' of the package 'bad 1.0'" in result.err
    assert says in result.err
    assert "Traceback" not in result.err
    sums_up = "nothing is wrong in them; an extension has a problem"
    assert result.out == f"1 definitions in 1 files: {sums_up}\n"
    assert result.status == 0  # it is somebody else's


def test_a_file_of_a_kind_whose_model_is_missing_is_told_at_its_place(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "shelves", "kinds=(Kind('shelf', 'not_there:Shelf'),)")
    library = tmp_path / "library"
    library.mkdir()
    (library / "treec.toml").touch()
    (library / "a.shelf.yaml").write_text("shelf: a\n", "utf-8")
    result = treec("check", "-L", library)
    said = "a.shelf.yaml:1:1: error TC104: a shelf file cannot be read: "
    assert (result.status, said in result.out) == (1, True), result
    assert "not_there" in result.out


def test_a_librarys_own_broken_extension_ends_its_check(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = install(tmp_path, monkeypatch, "bad", "", module="import not_there_at_all\n")
    (site / "treec.toml").write_text('[library]\npackage = "bad_extension"\n')
    result = treec("check", "-L", site)
    assert "needs the package 'not_there_at_all'" in result.err
    assert result.status == 1


LEAVES = """
import sys
from contextlib import ExitStack
from treec import Extension

HERE = "leaves_extension"
EXTENSION = Extension(
    "leaves",
    models={"leaves": f"{HERE}:leave", "empty": f"{HERE}:nothing"},
    scorers={"leaves": f"{HERE}:leave"},
    monitors={"leaves": f"{HERE}:leave", "enters": f"{HERE}:Enters", "ends": f"{HERE}:Ends"},
)

def leave(*args):
    sys.exit(0)

def nothing(*args):
    return None

class Ends:
    def __init__(self, run, address): ...
    def __enter__(self): ...
    def __exit__(self, *error):
        sys.exit(0)

class Enters(Ends):
    __enter__ = leave
"""


def test_what_an_extension_opens_is_told_where_it_exits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(tmp_path, monkeypatch, "leaves", "", module=LEAVES)
    with pytest.raises(CannotAsk, match=r"leaves 1\.0'.*it called exit\(0\)"):
        open_model(ModelChoice("leaves/x"))
    with pytest.raises(CannotAsk, match="it gave None, not a Transport"):
        open_model(ModelChoice("empty/x"))
    run = cast(Run, SimpleNamespace(shown=ExitStack()))
    for name in ("leaves", "enters"):
        with pytest.raises(CannotRun, match=rf"monitor {name}: .*it called exit\(0\)"):
            attach_monitors(run, [name])
    attach_monitors(run, ["ends"])
    run.shown.close()
    assert "it called exit(0)" in caplog.text


def test_a_network_whose_reader_exits_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "leaves", "", module=LEAVES)
    (tmp_path / "words.leaves").write_text("")
    (tmp_path / "treec.toml").write_text("")
    (tmp_path / "words.hearing.yaml").write_text(
        "hearing: words\nabout: Words.\nnetwork: words.leaves\n"
    )
    library = load_library(tmp_path)
    entry = library.find("hearing", "words")
    assert entry is not None
    with pytest.raises(NetworkError, match=r"it called exit\(0\)"):
        network_of(library, entry)


def is_even(value: int) -> bool:
    return value % 2 == 0


def test_a_library_of_no_system_needs_nothing_else(treec: Treec) -> None:
    result = treec("check", "-L", ROOT / "tests" / "data" / "depot")
    assert (result.status, result.err) == (0, "")

"""A library that has not changed is not checked twice; whatever is wrong with the cache, it is."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tests.support.packs import PACK, SHED, distribution, installed, write
from treec import check
from treec.check import cache
from treec.check.cache import errors_of
from treec.cli import main
from treec.extensions import Extension
from treec.files.library import Library, load_library
from treec.source.diagnostics import Diagnostic

LIBRARY = {name: text for name, text in SHED.items() if name.endswith(".yaml")}
WORKER = "class Dig:\n    def start(self, order, host): ...\n    def cancel(self): ...\n"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The roots of the libraries that are really checked, in a cache of the test's own."""
    monkeypatch.setenv("TREEC_CACHE", str(tmp_path / "cache"))
    done: list[Path] = []
    real: Callable[..., list[Diagnostic]] = check.check_library

    def counted(library: Library, *systems: object, **options: object) -> list[Diagnostic]:
        done.append(library.root)
        return real(library, *systems, **options)

    monkeypatch.setattr(check, "check_library", counted)
    return done


@pytest.fixture
def root(tmp_path: Path) -> Path:
    skill = SHED["skills/dig.skill.yaml"].replace("treec.envs.symbolic:Effects", "hands.dig:Dig")
    own = {
        "treec.toml": '[library]\npackage = "hands"\n',
        "skills/dig.skill.yaml": skill,
        "hands/dig.py": WORKER,
    }
    return write(tmp_path / "mine", {**LIBRARY, **own})


def errors(root: Path) -> list[str]:
    return [error.code for error in errors_of(load_library(root))]


def kept(root: Path) -> Path:
    (file,) = cache.folder().glob("*.json")
    return file


def with_motion(root: Path, people: str, file: str) -> Path:
    """A library with a scenario of a person who moves, and a file of recordings."""
    shutil.copytree(Path(__file__).parent / "base", root)
    scenario = root / "scenarios/tea_time.scenario.yaml"
    scenario.write_text(f"{scenario.read_text('utf-8')}people: {people}\n", "utf-8")
    with zipfile.ZipFile(scenario.with_name(file), "w") as arrays:
        for name in ("positions", "lengths", "joints"):
            arrays.writestr(f"{name}.npy", b"")
    return scenario.with_name(file)


def test_a_recording_that_is_gone_is_noticed(tmp_path: Path, checks: list[Path]) -> None:
    root = tmp_path / "room"
    wave = with_motion(root, "{user: {motion: wave.npz, person: positions}}", "wave.npz")
    assert [errors(root), errors(root), len(checks)] == [[], [], 1]
    wave.unlink()
    assert errors(root) == ["TC533"]


def test_who_is_not_in_a_recording_is_told(tmp_path: Path, checks: list[Path]) -> None:
    root = tmp_path / "room"
    wave = with_motion(root, "{user: {motion: wav.npz, person: giver}}", "wave.npz")
    (missing,) = errors_of(load_library(root))
    assert missing.help == "did you mean 'wave.npz'?"
    wave.rename(wave.with_name("wav.npz"))
    (absent,) = errors_of(load_library(root))
    assert absent.message == "unknown person 'giver' in 'wav.npz'"


def test_an_unchanged_library_is_checked_once(root: Path, checks: list[Path]) -> None:
    assert [errors(root), errors(root), len(checks)] == [[], [], 1]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("trees/digging.tree.yaml", "tree: digging\nabout: Dig.\nroot:\n  - skill: dgi\n", "TC302"),
        ("hands/dig.py", "class Digs: ...\n", "TC211"),
        ("hands/dig/__init__.py", "", "TC211"),
        ("treec.toml", "", "TC211"),
        ("trees/more.skill.yaml", SHED["skills/dig.skill.yaml"], "TC605"),
    ],
)
def test_a_change_is_found(
    root: Path, checks: list[Path], path: str, text: str, found: str
) -> None:
    assert errors(root) == []
    stat = (root / "hands/dig.py").stat()
    write(root, {path: text})
    os.utime(root / path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # the time alone is no proof
    assert found in errors(root)
    assert len(checks) == 2


def test_errors_are_never_kept(root: Path, checks: list[Path]) -> None:
    write(root, {"hands/dig.py": ""})
    assert [errors(root), errors(root), len(checks)] == [["TC211"], ["TC211"], 2]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"\xff\x00" * 99),
        lambda file: file.write_text(file.read_text("utf-8")[:-9], "utf-8"),
        lambda file: file.write_text(file.read_text("utf-8").replace("files", "filse"), "utf-8"),
        lambda file: file.write_text("[]\n{}", "utf-8"),
        lambda file: (file.unlink(), file.mkdir()),
    ],
    ids=["empty", "garbage", "torn", "altered", "another shape", "a folder"],
)
def test_a_spoilt_cache_is_ignored(
    root: Path, checks: list[Path], spoil: Callable[[Path], object]
) -> None:
    assert errors(root) == []
    spoil(kept(root))
    write(root, {"hands/dig.py": ""})
    assert errors(root) == ["TC211"]
    write(root, {"hands/dig.py": WORKER})
    assert errors(root) == []
    assert len(checks) == 3


def test_what_is_kept_of_another_library_is_not_taken(
    root: Path, tmp_path: Path, checks: list[Path]
) -> None:
    assert errors(root) == []
    right = kept(root)
    write(root, {"hands/dig.py": "class Digs: ...\n"})
    key = cache._key(load_library(root), None)
    right.rename(right.with_name(f"{key}.json"))
    assert errors(root) == ["TC211"]


def test_a_cache_that_cannot_be_written_is_none(
    root: Path, checks: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"file": ""})
    monkeypatch.setenv("TREEC_CACHE", str(tmp_path / "file"))
    assert [errors(root), errors(root), len(checks)] == [[], [], 2]


def test_the_files_of_a_pack_count(
    tmp_path: Path, checks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    package = distribution(site, "garden-sheds", "sheds", "sheds_pack", SHED)
    system = SHED["trees/shed_system.system.yaml"]
    files = {
        "treec.toml": "",
        "my.system.yaml": system.replace("[trees, skills, envs]", "[sheds/tools/all, sheds/envs]"),
    }
    root = write(tmp_path / "mine", files)
    with installed(monkeypatch, site):
        monkeypatch.setenv("TREEC_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(check, "check_library", check.check_library)
        assert errors(root) == []
        assert cache._is_cached(str(cache._key(load_library(root), None)))
        write(package, {"treec.toml": PACK.replace('["skills", "trees"]', '["skills"]')})
        from tests.support.forget import forget_packs

        forget_packs()
        assert "TC604" in errors(root)


RULES = {
    "__init__.py": "",
    "words.txt": "dig",
    "tc950_label.py": '''"""Label that is missing.

Wrong:

    a: 1

Right:

    b: 1
"""
CODE = "TC950"


def check(view):
    """Read a list beside the library's files."""
    view.library.file("labels.txt")
    return iter(())
''',
}


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with a rule of its own; its folder."""
    from tests.support.extensions import using
    from treec import extensions

    name = tmp_path.name  # of each test another module
    folder = write(tmp_path / "site" / name, RULES)
    monkeypatch.syspath_prepend(str(folder.parent))
    info = folder.parent / "yard_rules-1.0.dist-info"
    write(info, {"METADATA": "Metadata-Version: 2.1\nName: yard-rules\nVersion: 1.0\n"})
    source = extensions.Source("yard", Distribution.at(info))
    theirs = (source, Extension("yard", rules=(f"{name}.tc950_label",)))
    others = extensions.registry().extensions
    with using():
        monkeypatch.setattr(extensions, "_registry", extensions.Registry([*others, theirs]))
        yield folder


def test_with_rules_of_another_package_a_library_is_checked_once(
    root: Path, rules: Path, checks: list[Path]
) -> None:
    assert [errors(root), errors(root), len(checks)] == [[], [], 1]


@pytest.mark.parametrize("name", ["tc950_label.py", "words.txt"])
def test_the_files_of_a_package_with_rules_count(
    name: str, root: Path, rules: Path, checks: list[Path]
) -> None:
    assert [errors(root), len(checks)] == [[], 1]
    (rules / name).write_text((rules / name).read_text("utf-8") + "\n\n", "utf-8")
    assert [errors(root), len(checks)] == [[], 2]


def test_a_file_that_a_rule_of_another_package_looks_at_counts(
    root: Path, rules: Path, checks: list[Path]
) -> None:
    assert [errors(root), len(checks)] == [[], 1]
    (root / "labels.txt").write_text("crate", "utf-8")
    assert [errors(root), errors(root), len(checks)] == [[], [], 2]


def test_a_new_version_of_any_distribution_counts_where_other_packages_have_rules(
    root: Path, rules: Path, checks: list[Path]
) -> None:
    assert [errors(root), len(checks)] == [[], 1]
    (rules.parent / "something-2.0.dist-info").mkdir()
    assert [errors(root), errors(root), len(checks)] == [[], [], 2]


def test_with_a_rule_that_raises_nothing_is_kept(
    root: Path, rules: Path, checks: list[Path]
) -> None:
    path = rules / "tc950_label.py"
    path.write_text(path.read_text("utf-8").replace("return iter(())", "raise KeyError"), "utf-8")
    assert [errors(root), errors(root), len(checks)] == [[], [], 2]


def test_two_runs_of_one_library_check_it_once(
    root: Path, checks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    worker = "from treec.envs.symbolic import Effects\n\n\nclass Dig(Effects): ...\n"
    write(root, {"hands/dig.py": worker})
    run = ["run", "sheds_work", "--scenario", "one_hole", "--fast", "--library", str(root)]
    assert [main(run), main(run)] == [0, 0], capsys.readouterr()
    assert checks == [root]

"""`treec.installed` reads what `importlib.metadata` reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.metadata import MetadataPathFinder, distribution, entry_points
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.forget import forget_installed
from treec import installed
from treec.extensions import EXTENSIONS
from treec.installed import put_off

TEXT = """\
# a comment
[treec.extensions]
yard = yard.declared:Yard.EXTENSION [extra]

[console_scripts]
yard=yard:main
"""
METADATA = "Metadata-Version: 2.1\nName: The.Yard\nVersion: 1.2\nProvides-Extra: a\n\nName: text\n"


@pytest.fixture(autouse=True)
def _read_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process of its own: once imported, importlib_metadata replaces what Python has."""
    own = [it for it in sys.meta_path if not type(it).__module__.startswith("importlib_metadata")]
    monkeypatch.setattr(sys, "meta_path", own)
    found = staticmethod(MetadataPathFinder.find_distributions)
    monkeypatch.setattr(PathFinder, "find_distributions", found, raising=False)
    forget_installed()
    yield
    forget_installed()


def package(folder: Path, name: str = "the_yard-1.2.dist-info") -> None:
    (folder / name).mkdir()
    (folder / name / "entry_points.txt").write_text(TEXT)
    (folder / name / "METADATA").write_text(METADATA)


@pytest.mark.parametrize("group", [EXTENSIONS, "treec.packs", "console_scripts", "nowhere"])
def test_it_reads_what_python_reads(group: str) -> None:
    ours = installed.entry_points(group)
    theirs = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    assert [(it.name, it.value, it.module, it.attr) for it in ours] == [
        (it.name, it.value, it.module, it.attr or "") for it in theirs
    ]
    for one, other in zip(ours, theirs, strict=True):
        assert one.dist is not None
        assert other.dist is not None
        assert (one.dist.name, one.dist.version) == (other.dist.name, other.dist.version)


def test_the_first_package_of_a_name_is_the_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, name in (("a", "the_yard-1.2.dist-info"), ("b", "The.Yard.egg-info")):
        (tmp_path / folder).mkdir()
        package(tmp_path / folder, name)
        monkeypatch.syspath_prepend(tmp_path / folder)
    (point,) = (it for it in installed.entry_points(EXTENSIONS) if it.name == "yard")
    assert isinstance(point.dist, installed.Distribution)
    assert point.dist.folder == tmp_path / "b/The.Yard.egg-info"
    assert (point.dist.name, point.dist.version) == ("The.Yard", "1.2")


def test_a_value_names_an_object_in_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (point,) = (it for it in installed.entry_points(EXTENSIONS) if it.name == "yard")
    assert (point.module, point.attr) == ("yard.declared", "Yard.EXTENSION")


def test_archives_are_left_to_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path)
    with ZipFile(tmp_path / "yard.zip", "w") as archive:
        for path in tmp_path.glob("*/*"):
            archive.write(path, path.relative_to(tmp_path))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "yard.zip"), *sys.path])
    (point,) = (it for it in installed.entry_points(EXTENSIONS) if it.name == "yard")
    assert point.dist is not None
    assert point.dist.name == distribution("the.yard").metadata["Name"]


def test_a_package_that_is_put_off_is_executed_when_a_name_of_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "heavy_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("from heavy_package import light\nNAME = light.NAME + 1\n")
    (folder / "light.py").write_text("NAME = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    put_off("heavy_package")
    try:
        package = import_module("heavy_package")
        assert import_module("heavy_package.light").NAME == package.light.NAME == 1
        assert "NAME" not in vars(package)
        assert package.NAME == 2
        with pytest.raises(AttributeError, match="has no attribute 'OTHER'"):
            _ = package.OTHER
    finally:
        for name in ("heavy_package", "heavy_package.light"):
            sys.modules.pop(name, None)
    put_off("no_such_package")
    assert "no_such_package" not in sys.modules

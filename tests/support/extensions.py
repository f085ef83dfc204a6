"""A package with an extension, as pip would have installed it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from treec import extensions


def install(
    folder: Path,
    patch: pytest.MonkeyPatch,
    name: str,
    declares: str,
    *,
    metadata: str = "",
    module: str | None = None,
) -> Path:
    """Install the package ``name``, whose extension is what ``Extension(name, DECLARES)`` gives.

    ``module`` is the text of its module instead. Returns the folder that Python looks through.
    """
    site = folder / f"site_{name}"
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{metadata}")
    point = f"[treec.extensions]\n{name} = {name}_extension:EXTENSION\n"
    (info / "entry_points.txt").write_text(point)
    text = f"from treec import *\n\nEXTENSION = Extension({name!r}, {declares})\n"
    (site / f"{name}_extension.py").write_text(text if module is None else module)
    patch.syspath_prepend(str(site))
    patch.delitem(sys.modules, f"{name}_extension", raising=False)  # of another test
    importlib.invalidate_caches()
    discover(patch)
    return site


def discover(patch: pytest.MonkeyPatch) -> None:
    """Find the extensions anew, until the test ends."""
    patch.setattr(extensions, "_registry", None)
    for clear in extensions._caches:
        clear()

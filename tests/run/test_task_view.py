"""Which scenes a request may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.files.library import load_library
from treec.run.task_view import view_for
from treec.world.spec import RunSpec


@pytest.mark.needs_system("helper")
def test_scenes_of_a_pack_s_system_are_there_before_anything_was_checked(tmp_path: Path) -> None:
    """The check reads what a system uses, and is left out where its verdict is known."""
    library = load_library(tmp_path)
    system = library.resolve_system("helper")
    view, _ = view_for(library, system, RunSpec(scene="small_kitchen"), False)
    assert [scene.name for scene in view.scenes] == ["small_kitchen"]

from __future__ import annotations

from pathlib import Path

from treec.files.modules import clear_cache, find_module
from treec.files.own_package import OwnPackage


def test_a_module_in_folders_without_init_is_found(tmp_path: Path) -> None:
    worker = tmp_path / "hands_of_ours/pick/arm.py"
    worker.parent.mkdir(parents=True)
    worker.write_text("class Pick: ...\n", "utf-8")
    own = OwnPackage("hands_of_ours", tmp_path / "hands_of_ours")
    clear_cache()
    assert find_module("hands_of_ours.pick.arm", own) == (str(worker), None)
    missing = (None, "hands_of_ours.pick.leg")
    assert find_module("hands_of_ours.pick.leg", own) == missing
    assert find_module("hands_of_ours.pick.arm", None) == (None, "hands_of_ours")

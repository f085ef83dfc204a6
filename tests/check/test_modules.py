from __future__ import annotations

from pathlib import Path

from treec.check.modules import find_module, forget


def test_a_module_in_folders_without_init_is_found(tmp_path: Path) -> None:
    worker = tmp_path / "hands_of_ours/pick/arm.py"
    worker.parent.mkdir(parents=True)
    worker.write_text("class Pick: ...\n", "utf-8")
    forget()
    assert find_module("hands_of_ours.pick.arm", str(tmp_path)) == (str(worker), None)
    missing = (None, "hands_of_ours.pick.leg")
    assert find_module("hands_of_ours.pick.leg", str(tmp_path)) == missing


def test_a_librarys_own_folder_adds_to_the_package_of_that_name(tmp_path: Path) -> None:
    worker = tmp_path / "skills/wave/arm.py"
    worker.parent.mkdir(parents=True)
    worker.write_text("class Wave: ...\n", "utf-8")
    forget()
    assert find_module("skills.wave.arm", str(tmp_path)) == (str(worker), None)
    assert find_module("treec.skills.kitchen.talk", str(tmp_path))[1] is None

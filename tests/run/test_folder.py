from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from treec.run.folder import META, new_folder, write_meta

NOON = datetime(2026, 11, 21, 12, 0, 0)


def test_a_run_never_gets_the_folder_of_another(tmp_path: Path) -> None:
    names = [new_folder(tmp_path / "runs", "demo", NOON).name for _ in range(3)]
    assert names == ["20261121-120000-demo", "20261121-120000-demo-2", "20261121-120000-demo-3"]


def test_what_depends_on_the_machine_stands_beside_the_journal(tmp_path: Path) -> None:
    write_meta(tmp_path, {"library": "/somewhere/ä"})
    assert json.loads((tmp_path / META).read_text("utf-8")) == {"library": "/somewhere/ä"}

"""The code of docs/own_code.md passes the trials that the page speaks of."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import treec

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/own_code.md").read_text("utf-8"), re.S)


@pytest.mark.parametrize("name", ["Drive", "read", "Depot"])
def test_the_code_of_the_page_passes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = next(block for block in BLOCKS if re.search(rf"(class|def) {name}\b", block))
    file = tmp_path / "page_code.py"
    file.write_text(code, "utf-8")
    module = ModuleType("page_code")
    monkeypatch.setitem(sys.modules, "page_code", module)
    exec(compile(code, str(file), "exec"), module.__dict__)
    report = treec.check_deep(getattr(module, name))
    assert report.ok, report

"""The code of docs/own_code.md passes the trials that the page speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from treec_testing import check_environment, check_parser, check_worker

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/own_code.md").read_text("utf-8"), re.S)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "check"),
    [("Drive", check_worker), ("read", check_parser), ("Depot", check_environment)],
)
def test_the_code_of_the_page_passes(
    name: str, check: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = next(block for block in BLOCKS if re.search(rf"(class|def) {name}\b", block))
    (tmp_path / "page_code.py").write_text(code, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    check(f"page_code:{name}")

"""The answers of the warehouse that `treec init` writes, read as the operator reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import dialogues
from tests.support.library import copy_warehouse
from treec.files.library import load_library
from treec.files.view import View

FILES = sorted(Path(__file__).with_name("dialogues").glob("*.txt"))


@pytest.mark.few(1)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_people_hear(file: Path, tmp_path: Path) -> None:
    library = load_library(copy_warehouse(tmp_path / "depot"))
    dialogues.check(file, View(library, library.find("system", "warehouse")))


@pytest.mark.parametrize(
    ("tell", "why"),
    [
        (
            "tell: '{{ agent }} is at {{ battery(agent) }} percent: charge first.'\n",
            "Hauler is at 48",
        ),
        ("tell: '{{ action }} would leave it in the aisle'\n", "that would leave it in the aisle."),
        ("", "Nobody fetches with less than half a charge."),
    ],
)
def test_who_gives_an_order_that_a_contract_refuses_hears_why(
    tell: str, why: str, tmp_path: Path
) -> None:
    root = copy_warehouse(tmp_path / "depot")
    (root / "trees/contracts/half.contract.yaml").write_text(
        "contract: half\nabout: Nobody fetches with less than half a charge.\n"
        f"each: assign(agent)\nrequire: battery(agent) > 50\n{tell}",
        "utf-8",
    )
    library = load_library(root)
    view = View(library, library.find("system", "warehouse"))
    played = dialogues.play(["> Hauler, fetch crate 40"], view)
    assert played.splitlines()[1].startswith(f"    Sorry, that does not work: {why}")

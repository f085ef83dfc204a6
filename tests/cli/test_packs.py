"""``treec packs``: what is installed, what it holds, where it is from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.packs import SHED, distribution, installed


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    distribution(tmp_path, "garden-sheds", "sheds", "sheds_pack", SHED)
    distribution(tmp_path, "broken", "broken", "broken_pack", {"__init__.py": ""})
    with installed(monkeypatch, tmp_path):
        yield tmp_path


def test_packs_are_listed_those_that_cannot_be_used_too(treec: Treec, site: Path) -> None:
    result = treec("packs")
    assert result.status == 0
    assert "sheds 2.1: Garden sheds\n  from       garden-sheds, in " in result.out
    assert "1 system, 1 tree, 1 skill, 1 domain, 1 scene, 1 agent, 1 scenario" in result.out
    assert (
        "broken: the pack 'broken' of the distribution 'broken' cannot be used: no treec.toml"
        in result.out
    )
    assert "treec 0." in result.out


@pytest.mark.needs_system("mosaic", "dag_plan")
def test_the_shipped_pack_lists_its_systems(treec: Treec) -> None:
    listed = treec("packs").out
    assert (
        "  systems    dag_plan, dag_plan_tp_d, dag_plan_tp_s, helper, helper_household, mosaic"
        in listed
    )


def test_one_pack_is_shown_with_its_parts(treec: Treec, site: Path) -> None:
    result = treec("packs", "sheds")
    assert "systems:\n  sheds_work  Dig.\n" in result.out
    assert "  sheds/tools      What a shed holds (1 skill)\n" in result.out


def test_as_json(treec: Treec, site: Path) -> None:
    packs = {one["pack"]: one for one in json.loads(treec("packs", "--output-format", "json").out)}
    assert set(packs) == {"broken", "sheds", "treec", "treec-kitchen", "treec-ros"}
    assert packs["sheds"]["distribution"] == "garden-sheds"
    assert packs["sheds"]["holds"]["skill"] == 1
    one = json.loads(treec("packs", "sheds", "--output-format", "json").out)
    assert one["parts"]["sheds/tools"]["holds"] == {"skill": 1}
    assert one["systems"] == {"sheds_work": "Dig."}


def test_an_unknown_pack(treec: Treec, site: Path) -> None:
    result = treec("packs", "shed")
    assert result.status == 2
    assert result.err == "treec: unknown pack 'shed'; did you mean 'sheds'?\n"

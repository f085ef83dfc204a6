from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import small_world
from tests.support.small_world import BIG, install
from treec.nodes import environment
from treec.nodes.environment import EnvironmentUnavailable, environment_names, find_environment

HERE = small_world.__name__


def test_an_environment_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"small = {HERE}:open_small")
    assert find_environment("small") is small_world.open_small
    assert {"symbolic", "small"} <= set(environment_names())


def test_one_that_nobody_registers_is_none(tmp_path: Path) -> None:
    assert find_environment("large") is None


def test_of_an_unknown_one_the_nearest_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"small = {HERE}:open_small")
    assert "did you mean 'small'?" in str(environment.unknown_environment("smal"))


def test_what_is_not_installed_is_told_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "big = tests.support.needs_big:x", BIG)
    with pytest.raises(
        EnvironmentUnavailable, match=r"not_there_at_all.*pip install 'small\[big\]'"
    ):
        find_environment("big")


@pytest.mark.skipif(find_spec("rclpy") is not None, reason="ROS is here")
def test_what_needs_ros_names_the_extra_of_treec() -> None:
    with pytest.raises(EnvironmentUnavailable, match=r"'ros' needs .*pip install 'treec\[ros\]'$"):
        find_environment("ros")


def test_one_that_cannot_even_be_read_is_no_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"odd = {HERE}:nothing_of_this_name")
    with pytest.raises(EnvironmentUnavailable, match=r"'odd'.*nothing_of_this_name"):
        find_environment("odd")

"""Actions that an environment does not have are refused in words."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")


@pytest.mark.parametrize(
    ("name", "action", "says"),
    [
        ("StretchPantry", -1, "a whole number from 0 to 9, not -1"),
        ("StretchPantry", 10, "a whole number from 0 to 9, not 10"),
        ("StretchPantry", float("nan"), "a whole number from 0 to 9, not nan"),
        ("HandAtTarget", [float("nan")] * 7, "an action is 7 finite numbers"),
        ("HandAtTarget", [0.0] * 3, "an action is 7 finite numbers"),
    ],
)
def test_an_action_that_is_none_is_refused(name: str, action: Any, says: str) -> None:
    made = gymnasium.make(f"treec_learning.environments:treec/{name}-v0", disable_env_checker=True)
    made.reset(seed=0)
    with pytest.raises(ValueError, match=says):
        made.step(action)

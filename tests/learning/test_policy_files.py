"""Policies in files: what is saved is read again, and of a broken file is said what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from treec_learning.policy import (  # noqa: E402
    SHAPES,
    Policy,
    PolicyError,
    load_policy,
    save_policy,
)

SEEN, GIVEN = SHAPES["target"]


def policy(**more: Any) -> Policy:
    numbers = np.random.default_rng(3)
    sizes = ((SEEN, 8), (8, GIVEN))
    layers = [(numbers.normal(size=size), numbers.normal(size=size[1])) for size in sizes]
    return Policy(layers, {"learning": {"observation": "target", **more}})


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    before = policy()
    save_policy(tmp_path / "a.npz", before)
    after = load_policy(tmp_path / "a.npz")
    seen = np.random.default_rng(4).normal(size=(5, SEEN))
    assert np.allclose(after.logits(seen), before.logits(seen))
    inner = np.tanh(seen @ before.layers[0][0] + before.layers[0][1])
    assert np.allclose(after.logits(seen), inner @ before.layers[1][0] + before.layers[1][1])
    assert (after.act(seen) == after.logits(seen).argmax(axis=1)).all()
    assert np.allclose(after.motions(seen), np.clip(after.logits(seen), -1, 1))
    assert after.made == before.made
    assert (after.is_of_hands, after.observation) == (True, "target")
    assert not policy(observation="pantry").is_of_hands


def _saved(**changes: Any) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        save_policy(path, policy())
        with np.load(path) as file:
            arrays = {**dict(file), **changes}
        np.savez(path, **{name: one for name, one in arrays.items() if one is not None})

    return write


def _made(value: object) -> Any:
    return np.array(json.dumps(value))


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path: None, "no policy in FILE"),
        (lambda path: path.write_text("no"), "FILE is not a policy: "),
        (lambda path: path.write_text(""), "FILE is not a policy: "),
        (_saved(made=None), "FILE is not a policy: "),
        (_saved(made=np.array("{")), "FILE is not a policy: "),
        (_saved(bias1=None), "FILE is not a policy: "),
        *(
            (_saved(**change), "FILE is not a policy: its layers do not fit together")
            for change in (
                {"weight0": np.zeros((SEEN, 7))},
                {"weight0": np.zeros(SEEN)},
                {"bias0": np.zeros((8, 1))},
                {"weight0": None, "weight1": None},
            )
        ),
        *(
            (_saved(**change), "FILE is not a policy: it does not say what it sees")
            for change in (
                {"made": _made({})},
                {"made": _made([1])},
                {"made": _made({"learning": {"observation": "nothing"}})},
                {"weight0": np.zeros((SEEN + 1, 8))},
                {"weight1": np.zeros((8, GIVEN + 1))},
            )
        ),
    ],
)
def test_a_broken_file(write: Callable[[Path], object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    write(path)
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    said = str(caught.value).replace(str(path), "FILE")
    assert said.startswith(message)
    assert (said == message) or message.endswith(": ")

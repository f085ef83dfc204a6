"""The numbers of every kind of body, in `numbers.txt`, and what is wrong with bodies and scenes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.envs.bodies.test_kinds import BODIES, HERE
from tests.support import golden
from treec_sapien.bodies import problems
from treec_sapien.bodies.kinds import WrongBody, make
from treec_sapien.bodies.pose import Pose, frame, turn

_NOTHING = (None, False, 0.0, (), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def _written(value: object) -> str:
    """A value in few characters: numbers rounded, fields that say nothing left out."""
    if isinstance(value, float):
        return f"{round(value, 5) + 0.0:g}"
    if isinstance(value, tuple):
        return f"({' '.join(map(_written, value))})"
    if isinstance(value, dict):
        return f"{{{' '.join(f'{key}={_written(one)}' for key, one in value.items())}}}"
    if not is_dataclass(value) or isinstance(value, type):
        return str(value)
    own = {field.name: getattr(value, field.name) for field in fields(value)}
    said = " ".join(f"{k}={_written(one)}" for k, one in own.items() if one not in _NOTHING)
    return f"{type(value).__name__}({said})"


def _lines() -> Iterator[str]:
    for name, body in BODIES:
        yield name
        for field in fields(body):
            own = getattr(body, field.name)
            for one in own if isinstance(own, tuple) else [own] if own else ():
                if field.name == "links":
                    yield f"  link {one.name} {_written(one.mass)}"
                    yield from (f"    {_written(shape)}" for shape in one.shapes)
                else:
                    yield f"  {field.name}: {_written(one)}"


@pytest.mark.thorough
def test_numbers() -> None:
    golden.check(Path(__file__).with_name("numbers.txt"), "\n".join(_lines()) + "\n")


@pytest.mark.parametrize(
    ("kind", "options", "key", "message", "help"),
    [
        ("botle", {}, "kind", "unknown kind 'botle'", "did you mean 'bottle'?"),
        (
            *("bottle", {"diametre": 1.0}, "diametre"),
            *("unknown parameter 'diametre' of a bottle", "did you mean 'diameter'?"),
        ),
        ("cup", {"handle": 1}, "handle", "'1' is not true or false", "handle: true"),
        (
            *("bottle", {"diameter": -1.0}, ""),
            "cannot build this bottle: a cylinder of its body would have no size",
            "signature: diameter: 0.05, height: 0.18, mass: 0.3",
        ),
        (
            *("bottle", {"mass": 0.0}, ""),
            "cannot build this bottle: its body would have no mass",
            "signature: diameter: 0.05, height: 0.18, mass: 0.3",
        ),
    ],
)
@pytest.mark.thorough
def test_bodies_that_cannot_be(
    kind: str, options: dict[str, Any], key: str, message: str, help: str
) -> None:
    with pytest.raises(WrongBody) as caught:
        make(kind, options, HERE)
    assert (caught.value.key, str(caught.value), caught.value.help) == (key, message, help)


TABLE = {"pose": [0.0, 0.0, 0.0], "body": {"kind": "table", "size": [1.0, 0.6, 0.75]}}
ON_IT = {"pose": [0.0, 0.0, 0.75], "body": {"kind": "bottle"}}
PANDA = {"robot": "panda", "pose": [-0.45, 0.0, 0.75]}


def _scene(**things: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {"table": TABLE, **things}


def _shifted(x: float, y: float, z: float, **body: object) -> dict[str, Any]:
    return {"pose": [x, y, z], "body": {"kind": "bottle", **body}}


SCENES: dict[str, tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]] = {
    "right": (_scene(bottle=ON_IT), {"R1": PANDA}),
    "no pose": (_scene(bottle={"body": {"kind": "bottle"}}), {}),
    "no kind": (_scene(bottle={"pose": [0, 0, 0.75], "body": {}}), {}),
    "no colour": (_scene(bottle=_shifted(0, 0, 0.75, colour="reed")), {}),
    "part of nothing": (_scene(door={"body": {"of": "tabel", "part": "door"}}), {}),
    "no part": (_scene(door={"body": {"of": "table", "part": "door"}}), {}),
    "sunk": (_scene(bottle=_shifted(0, 0, 0.72)), {}),
    "in the floor": (_scene(bottle=_shifted(2, 0, -0.05)), {}),
    "in the air": (_scene(bottle=_shifted(0, 0, 0.80)), {}),
    "above the floor": (_scene(bottle=_shifted(2, 0, 0.2)), {}),
    "in each other": (_scene(one=ON_IT, two=_shifted(0.03, 0, 0.75)), {}),
    "out of reach": (_scene(bottle=_shifted(2, 0, 0.0)), {"R1": PANDA}),
    "high": (_scene(bottle=_shifted(0, 0, 2.75)), {"R1": PANDA}),
    "robot in a thing": (_scene(bottle=ON_IT), {"R1": {"robot": "stretch", "pose": [0, 0, 0]}}),
    "nothing near": (
        _scene(one=_shifted(2, 0, 0.0), two=_shifted(2, 0.2, 0.0)),
        {"R1": PANDA},
    ),
    "too large": (
        _scene(
            cup={"pose": [0, 0, 0.75], "body": {"kind": "cup"}},
            bottle={"at": "cup", **_shifted(0, 0, 0.76, diameter=0.1)},
        ),
        {},
    ),
}


@pytest.mark.thorough
def test_what_is_wrong_with_scenes() -> None:
    lines = []
    for name, (things, agents) in SCENES.items():
        lines.append(name)
        for it in problems(things, "treec_sapien.bodies", agents):
            lines.append(f"  {it.rule} {it.name} {it.keys}: {it.message}; {it.help}")
    golden.check(Path(__file__).with_name("problems.txt"), "\n".join(lines) + "\n")


@pytest.mark.thorough
def test_poses() -> None:
    quarter = Pose((1.0, 2.0, 3.0), turn((0.0, 0.0, 1.0), 90.0))
    assert _written((quarter @ quarter).p) == "(-1 3 6)"
    assert _written((quarter.inverse() @ quarter).q) == _written((1.0, 0.0, 0.0, 0.0))
    assert [_written(quarter.axis(n)) for n in range(3)] == ["(0 1 0)", "(-1 0 0)", "(0 0 1)"]
    for z, y in (((0, 0, -1), (0, 1, 0)), ((0, 0, -1), (1, 0, 0)), ((1, 0, 0), (0, 0, -1))):
        made = Pose(q=frame(z, y))
        assert (_written(made.axis(2)), _written(made.axis(1))) == (_written(z), _written(y))
    with pytest.raises(ValueError, match="two axes must not be parallel"):
        frame((0.0, 0.0, 1.0), (0.0, 0.0, 2.0))

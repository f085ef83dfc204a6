"""Every kind, held to what the spec promises of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from treec_sapien.bodies.kinds import WrongBody, kinds, make
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.solid import WorldSolid, depth, solid
from treec_sapien.bodies.spec import Body, GraspPoint, Shape

HERE = ("treec_sapien.bodies",)
KINDS = kinds(HERE)
VARIANTS = [
    ("bowl", {"lug": True}),
    ("plate", {"lug": True}),
    ("cup", {"handle": True}),
    ("round_food", {"neck": 0.02}),
]
BODIES = [(kind, make(kind, {}, HERE)) for kind in KINDS] + [
    (f"{kind} with {next(iter(options))}", make(kind, options, HERE)) for kind, options in VARIANTS
]
PAD = Shape("box", half_size=(0.011, 0.005, 0.02))
"""Half a finger: broad, thick, and as long as it stands beside what it holds."""


def each_grasp() -> Iterator[pytest.param]:  # type: ignore[valid-type]
    for name, body in BODIES:
        own = dict.fromkeys(body.grasps)
        own |= {grasp: None for handle in body.handles for grasp in handle.grasps}
        for number, grasp in enumerate(own):
            yield pytest.param(body, grasp, id=f"{name}-{grasp.name}-{number}")


def thickness(body: Body, grasp: GraspPoint, deeper: float = 0.0) -> float:
    """How thick the link is along a line between the fingers, by sampling it."""
    solids = [solid(shape, Pose()) for shape in body.link(grasp.link).shapes]
    step = 0.0005
    line = [i * step for i in range(-260, 261)]
    across = grasp.pose.axis(1)
    start = grasp.pose.apply((0.0, 0.0, deeper))

    def inside(along: float) -> bool:
        point = tuple(p + along * a for p, a in zip(start, across, strict=True))
        return any(
            math.dist(it.nearest((point[0], point[1], point[2])), point) < 1e-9 for it in solids
        )

    if not inside(0.0):  # around something hollow
        filled = [along for along in line if inside(along)]
        assert filled, "the fingers close on nothing"
        return filled[-1] - filled[0] + step
    ends = []
    for sign in (1, -1):
        along = 0.0
        while inside(along + sign * step):
            along += sign * step
        ends.append(along)
    return ends[0] - ends[1] + step


@pytest.mark.parametrize(("body", "grasp"), list(each_grasp()))
@pytest.mark.few(40)
def test_a_grasps_width_is_how_thick_the_thing_is_there(body: Body, grasp: GraspPoint) -> None:
    """At the tool point, or just below it, where the pads reach too."""
    found = max(thickness(body, grasp, deeper) for deeper in (0.0, 0.006))
    assert found == pytest.approx(grasp.width, abs=0.004)


@pytest.mark.few(40, thorough=1000)
@pytest.mark.parametrize(("body", "grasp"), list(each_grasp()))
def test_there_is_room_for_fingers_beside_it(body: Body, grasp: GraspPoint) -> None:
    for sign in (-1, 1):
        at = grasp.pose @ Pose((0.0, sign * (grasp.width / 2 + 0.003 + 0.005), -0.01))
        finger = solid(PAD, at)
        for link in body.links:
            where = body.at_start()[link.name]
            for shape in link.shapes:
                deep, _ = depth(finger, solid(shape, where))
                assert deep < 0.002, f"a finger is {deep * 1000:.1f} mm in the {link.name}"


@pytest.mark.parametrize(("name", "body"), BODIES, ids=[name for name, _ in BODIES])
def test_a_body_is_of_one_piece(name: str, body: Body) -> None:
    links = [link.name for link in body.links]
    assert links[0] == "body"
    assert len(set(links)) == len(links)
    assert {joint.child for joint in body.joints} == set(links[1:])
    for it in (*body.regions, *body.handles, *body.grasps, *body.parts):
        assert getattr(it, "link", "body") in links
    for joint in body.joints:
        assert joint.limits[0] <= joint.start <= joint.limits[1]
        assert joint.limits[0] < joint.limits[1]
    for control in body.controls:
        assert body.handle(control.handle).joint == control.joint
        low, high = body.joint(control.joint).limits
        assert low < control.on < high
    for part in body.parts:
        for region in part.regions:
            assert body.region(region)
    for door, at in body.opened.items():
        assert body.joint(door).limits[0] < at < body.joint(door).limits[1]


@pytest.mark.parametrize(("name", "body"), BODIES, ids=[name for name, _ in BODIES])
def test_the_origin_is_the_base(name: str, body: Body) -> None:
    """The lowest point is at z = 0, but of what hangs in a hole or on a wall."""
    solids = [solid(shape, Pose()) for link in body.links for shape in link.shapes]
    lowest = min(it.low[2] for it in solids)
    assert lowest == pytest.approx(0.0, abs=1e-6) or body.hangs


@pytest.mark.parametrize(("name", "body"), BODIES, ids=[name for name, _ in BODIES])
def test_what_can_be_moved_has_a_handle_and_opens_to_the_front(name: str, body: Body) -> None:
    for joint in body.joints:
        handles = [it for it in body.handles if it.joint == joint.name]
        assert handles or joint.spring, joint.name
        for handle in handles:
            assert handle.grasps or handle.push
            if joint.name in body.opened:
                shut, wide = body.at({}), body.at({joint.name: 0.4 * joint.limits[1]})
                at = handle.grasps[0].p
                assert wide[handle.link].apply(at)[1] < shut[handle.link].apply(at)[1] - 0.05


@pytest.mark.parametrize(("name", "body"), BODIES, ids=[name for name, _ in BODIES])
def test_what_is_put_into_the_middle_of_a_region_stands(name: str, body: Body) -> None:
    for region in body.regions:
        solids = [solid(shape, Pose()) for shape in body.link(region.link).shapes]
        x, y, z = region.p
        for height in (z, region.floor + 0.003):
            point = (x, y, height)
            assert all(it.nearest(point) != pytest.approx(point, abs=1e-9) for it in solids)
        below = (x, y, region.floor - 0.001)
        assert any(it.nearest(below) == pytest.approx(below, abs=1e-9) for it in solids), region


def test_a_solid_is_nearest_to_what_is_in_it() -> None:
    it: WorldSolid = solid(Shape("box", half_size=(0.1, 0.1, 0.1)), Pose())
    assert it.nearest((0.05, 0.0, 0.0)) == (0.05, 0.0, 0.0)


@pytest.mark.parametrize(
    ("kind", "options", "key", "message", "help"),
    [
        ("tabel", {}, "kind", "unknown kind 'tabel'", "did you mean 'table'?"),
        ("spec", {}, "kind", "unknown kind 'spec'", "kinds: "),  # a module, and no kind
        (
            "table",
            {"sise": [1, 1, 1]},
            "sise",
            "unknown parameter 'sise' of a table",
            "did you mean 'size'?",
        ),
        ("bowl", {"lug": 1}, "lug", "'1' is not true or false", "lug: true"),
        (
            "table",
            {"size": [1, 1]},
            "",
            "cannot build this table: not enough values to unpack (expected 3, got 2)",
            "signature: size: [1.4, 0.8, 0.75]",
        ),
        (
            "cup",
            {"height": -0.1},
            "",
            "cannot build this cup: a box of its body would have no size",
            "signature: diameter: 0.05",
        ),
        *(
            ("odd", {what: value}, "", f"cannot build this odd: {why}", "signature: size: 0.1, ")
            for what, value, why in (
                ("size", 0, "a box of its body would have no size"),
                ("radius", 100, "a sphere of its ball would have no size"),
                ("mass", 0, "its ball would have no mass"),
                ("mass", 1e4, "its ball would have no mass"),
                ("low", 1, "its slide could not move"),
                ("high", 100, "its slide could not move"),
                ("material", "wod", "unknown material 'wod'; did you mean 'wood'?"),
            )
        ),
    ],
)
def test_what_cannot_be_built_says_what_can(
    kind: str, options: dict[str, object], key: str, message: str, help: str
) -> None:
    packages = (*HERE, "tests.envs.bodies") if kind == "odd" else HERE
    with pytest.raises(WrongBody) as caught:
        make(kind, options, packages)
    assert caught.value.key == key
    assert str(caught.value) == message
    assert caught.value.help.startswith(help)

"""What is thicker than an opening is in there by no means."""

from __future__ import annotations

import pytest

from tests.envs.bodies.places import EVERY_SCENE, objects
from treec_sapien.bodies.fits import has_roof, instability_reason, oversize_reason, size
from treec_sapien.bodies.scene import read
from treec_sapien.bodies.spec import Body


def built(kind: str, **parameters: object) -> Body:
    body = {"kind": kind, **parameters}
    return read({"it": {"pose": [0, 0, 0], "body": body}}).bodies["it"].body


@pytest.mark.parametrize(
    ("item", "owner", "fits"),
    [
        (built("bottle", diameter=0.048), built("cup", diameter=0.05), False),
        (built("bottle", diameter=0.04), built("cup", diameter=0.05), True),
        (built("plate", diameter=0.24), built("juicer"), False),
        (built("plate", diameter=0.24), built("toaster"), False),
        (built("slice"), built("toaster"), True),
        (built("plate", diameter=0.24), built("microwave"), True),
        (built("long_food", length=0.2, thick=0.03), built("cup", diameter=0.06), True),
    ],
)
def test_a_thing_goes_in_by_its_thinnest_end(item: Body, owner: Body, fits: bool) -> None:
    assert (oversize_reason(item, owner, owner.regions[0]) == "") is fits


def test_below_a_board_height_counts_and_under_the_open_sky_nothing_does() -> None:
    shelf = built("shelf", size=[0.5, 0.26, 0.42], boards=[0.09, 0.29])
    lower, upper = (region.name for region in shelf.regions)
    assert (has_roof(shelf, lower), has_roof(shelf, upper)) == (True, False)
    pot = built("pot", diameter=0.3, height=0.25)
    assert "mm" in oversize_reason(pot, shelf, shelf.region(lower))
    assert oversize_reason(pot, shelf, shelf.region(upper)) == ""


def test_why_is_said_in_millimetres() -> None:
    bottle, cup = built("bottle", diameter=0.048), built("cup", diameter=0.05)
    assert [round(side, 3) for side in size(bottle)] == [0.048, 0.048, 0.18]
    assert oversize_reason(bottle, cup, cup.regions[0]) == (
        "it measures 48 x 48 mm where it is thinnest, the opening 42 x 42 mm"
    )


@pytest.mark.parametrize("name", EVERY_SCENE)
def test_what_the_kitchens_say_of_where_things_are_can_be(name: str) -> None:
    there = objects(name)
    layout = read(there)
    for item, placed in layout.bodies.items():
        place = there[item].get("at")
        part = layout.parts.get(place)
        owner = layout.bodies.get(place if part is None else part.owner)
        if placed.body.fixed or owner is None:
            continue
        regions = [r for r in owner.body.regions if part is None or r.name in part.part.regions]
        assert not all(oversize_reason(placed.body, owner.body, region) for region in regions), item


def test_on_round_and_narrow_things_nothing_lies() -> None:
    packet, plate = built("packet", size=[0.07, 0.07, 0.06]), built("plate", diameter=0.24)
    assert instability_reason(packet, built("round_food")) == "is round on top"
    assert (
        instability_reason(plate, built("bottle")) == "is 25 mm wide on top, and that thing 240 mm"
    )
    assert instability_reason(packet, built("packet", size=[0.07, 0.05, 0.1])) == ""
    assert instability_reason(packet, built("bowl", diameter=0.2)) == ""  # it lies in there
    mango = built("round_food", diameter=0.07)
    assert instability_reason(mango, built("ladle")) == "is 28 mm wide on top, and that thing 70 mm"
    assert instability_reason(plate, built("pot", diameter=0.2)).startswith("is open on top")

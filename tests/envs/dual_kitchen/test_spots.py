"""Where things are put: not where an open door comes by, nor before a button."""

from __future__ import annotations

from tests.envs.dual_kitchen.room import room
from treec_sapien.dual_kitchen.common import before_controls, swept_by_doors


def test_what_a_door_passes_when_it_shuts_is_no_spot() -> None:
    kitchen = room(
        {
            "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
            "it": {"pose": [0.3, 0.5, 0.75], "body": {"kind": "microwave"}},
        }
    )
    built = kitchen.bodies["it"]
    assert swept_by_doors(kitchen, 0.75, 0.85) == []  # it is shut
    joint = next(joint for joint in built.body.joints if joint.name in built.body.opened)
    q = built.articulation.qpos
    q[list(built.joints).index(joint.name)] = joint.limits[1]
    built.articulation.qpos = q
    boxes = swept_by_doors(kitchen, 0.75, 0.85)
    assert swept_by_doors(kitchen, 0.0, 0.7) == []  # below the table
    assert swept_by_doors(kitchen, 0.75, 0.85, but="it") == []

    def is_swept(x: float, y: float) -> bool:
        return any(low[0] < x < high[0] and low[1] < y < high[1] for low, high in boxes)

    low, high = built.links[joint.child].compute_global_aabb_tight()
    assert is_swept(*((low + high) / 2)[:2])
    assert not is_swept(-0.4, 0.3)


def test_a_hand_has_room_before_the_buttons_of_appliances() -> None:
    kitchen = room(
        {
            "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
            "it": {"pose": [0.3, 0.5, 0.75], "body": {"kind": "microwave"}},
        }
    )
    built = kitchen.bodies["it"]
    handle = built.body.handle(built.body.controls[0].handle)
    button = (built.pose(handle.link) @ handle.push).p
    low, high = before_controls(kitchen, 0.75, 0.95)[0]
    assert low[0] < button[0] < high[0]
    assert low[1] < button[1] - 0.2 < button[1] < high[1]  # its front looks to -y
    assert before_controls(kitchen, 0.0, 0.5) == []  # nothing below the table is worked at

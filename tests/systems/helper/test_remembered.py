"""Programs that are remembered from another scene."""

from __future__ import annotations

from treec_helper.remembered import for_scene


def test_names_of_another_scenes_things_are_left_to_their_classes() -> None:
    program = (
        'mug = InteractionObject("Mug", object_instance="Mug_7")\n'
        "sink = InteractionObject('SinkBasin', landmark='Mug',  object_instance = 'Sink_1')\n"
    )
    there = for_scene(program, {"Sink_1", "Mug_1"})
    assert there.splitlines()[0] == 'mug = InteractionObject("Mug")'
    assert there.splitlines()[1] == program.splitlines()[1]

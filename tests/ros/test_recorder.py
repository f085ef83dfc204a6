"""What a run sent and saw, kept beside its journal and exported with it."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import Yard, wait_until
from treec.run.salvage import read_sound
from treec_interchange.mcap.write import write_run

Make = Callable[..., Robot]


def exported(yard: Yard) -> tuple[bytes, dict[str, list[tuple[float, Any]]]]:
    """The run as a file, and its messages as the reader of ROS gives them, with their times."""
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory

    file = BytesIO()
    write_run(yard.records, yard.folder, file)
    found: dict[str, list[tuple[float, Any]]] = {}
    reader = make_reader(BytesIO(file.getvalue()), decoder_factories=[DecoderFactory()])
    for schema, channel, message in reader.iter_messages():
        if schema is not None and schema.encoding == "ros2msg":
            decoded = DecoderFactory().decoder_for(channel.message_encoding, schema)
            assert decoded is not None
            at = message.log_time / 1e9
            found.setdefault(channel.topic, []).append((at, decoded(message.data)))
    return file.getvalue(), found


def test_goals_feedback_results_calls_and_topics_are_exported_with_the_journal(
    yard: Yard, robot: Make
) -> None:
    yard.tree("sequence:\n  - skill: light\n    with: {agent: R1}\n  - tree: main")
    one = robot(behaviour="slow")

    def go_on() -> None:
        one.wait_for("begins")
        one.tell_charge(0.5)
        wait_until(lambda: yard.run.world.facts.get("battery", ("R1",)))
        one.go_on.set()

    assert yard.go("own", go_on).ok
    data, found = exported(yard)
    ((sent, goal),) = found["/R1/drive/_action/send_goal"]
    ((ended, result),) = found["/R1/drive/_action/get_result"]
    assert goal.goal.order == 5
    assert (result.status, list(result.result.sequence)) == (4, [0, 1, 2, 3, 4])
    assert len(found["/R1/drive/_action/feedback"]) >= 1
    feedback = found["/R1/drive/_action/feedback"][0][1]
    assert bytes(feedback.goal_id.uuid) == bytes(goal.goal_id.uuid)
    request, response = (message for _, message in found["/R1/lamp"])
    assert (request.data, response.success) == (True, True)
    assert found["/R1/battery"][0][1].percentage == 0.5
    times = [record.t for record in yard.records if record.kind == "skill.started"]
    assert times[-1] - 0.001 <= sent < ended <= yard.records[-1].t
    file = yard.folder / "run.mcap"
    file.write_bytes(data)
    assert list(read_sound(file).records) == list(yard.records)


def test_a_cancel_is_kept_and_nothing_without_it_being_wanted(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = robot(behaviour="slow")
    monkeypatch.setenv("TREEC_ROS_RECORD", "0")

    def stop() -> None:
        one.wait_for("begins")
        yard.run.loop.stop()

    yard.go("main", stop)
    assert exported(yard)[1] == {}


def test_messages_that_cannot_be_kept_are_sent_all_the_same(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*of: str) -> None:
        raise RuntimeError("a definition that cannot be read")

    robot()
    monkeypatch.setattr("treec_ros.recorder.schema_of", fail)
    assert yard.go("main").ok
    why = "RuntimeError: a definition that cannot be read"
    assert yard.words.count(f"messages are no longer kept: {why}") == 1

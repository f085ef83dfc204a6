"""Which nodes have worked since a version, whatever number of orders there were."""

from __future__ import annotations

from treec.nodes.events import SkillEnded, SkillStarted
from treec.nodes.work_log import WorkLog
from treec.world.events import Event, FactSet
from treec.world.journal import Journal
from treec.world.spec import RunSpec


def test_orders_that_have_ended_are_forgotten_and_their_work_counts() -> None:
    journal, log = Journal.in_memory(), WorkLog()
    journal.append(RunSpec(system="x").begin(), "run", 0.0)

    def follow(event: Event, by: str) -> int:
        record = journal.append(event, by, 0.0)
        log.follow(record)
        return record.n

    sizes = []
    for number in range(1, 50):
        id = f"s{number}"
        follow(SkillStarted(id, "go_to", "R1", {}), "main/go_to")
        last = follow(FactSet("near", ("R1",), "table", "expected"), id)
        assert log.since(last - 1)
        assert not log.since(last)
        follow(SkillEnded("go_to", "R1", {}, ok=True, id=id), "main/go_to")
        sizes.append(len(log._last))
    assert max(sizes) == sizes[0]
    assert log.since(0, "main")
    assert not log.since(0, "other")

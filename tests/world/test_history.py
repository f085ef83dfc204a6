"""The records of a resumed run, and their events by type."""

from __future__ import annotations

from treec.world.events import Commit, FactForget, FactSet, FactUnknown, RunBegin
from treec.world.history import IndexedRecords, events_of
from treec.world.journal import Journal


def test_an_index_finds_what_a_search_finds() -> None:
    journal = Journal.in_memory()
    journal.append(RunBegin("depot"), "run", 0.0)
    journal.append(FactUnknown("at", ("a",)), "x", 0.0)
    journal.append(Commit("facts", (FactSet("at", ("a",), 1), FactUnknown("at", ("b",)))), "x", 1.0)
    journal.append(FactSet("at", ("c",), 2), "x", 2.0)
    history = IndexedRecords(journal.records)
    for types in ((FactSet,), (FactSet, FactUnknown), (FactForget,), (FactForget, FactSet)):
        found = list(events_of(history, *types))
        assert found == list(events_of(journal.records, *types))
    assert [record.n for record, _ in events_of(history, FactSet, FactUnknown)] == [2, 3, 3, 4]

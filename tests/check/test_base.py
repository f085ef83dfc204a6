from __future__ import annotations

from treec.check.base import FieldPlace, places
from treec.files.entry import AnyEntry
from treec.files.validate import read_entry
from treec.source.text import SourceFile
from treec.source.yaml import read_documents


def entry_of(kind: str, text: str) -> AnyEntry:
    documents, problems = read_documents(SourceFile(f"x.{kind}.yaml", text))
    assert not problems
    entry, problems = read_entry(documents[0], kind)
    assert entry is not None, problems
    return entry


def found(entry: AnyEntry, kind: str) -> list[tuple[tuple[str | int, ...], object]]:
    return [(place.loc, place.value) for place in places(entry) if place.kind == kind]


def test_a_condition_before_its_repair_is_a_place_at_its_key() -> None:
    entry = entry_of(
        "skill",
        "skill: pick\nabout: a\nbefore:\n  - free(agent): put(agent)\n  - near(agent)\n",
    )
    expressions = [p for p in places(entry) if p.kind == "expression"]
    assert [(p.value, p.key) for p in expressions] == [
        ("free(agent)", True),
        ("put(agent)", False),
        ("near(agent)", False),
    ]
    spans = [p.span(0, 3) for p in expressions]
    assert [(s.line, s.column) for s in spans] == [(4, 5), (4, 18), (5, 5)]


def test_nodes_are_walked_through_lists_modifiers_and_bodies() -> None:
    entry = entry_of(
        "tree",
        "tree: t\n"
        "root:\n"
        "  - wait: {until: a}\n"
        "    on_failure: [{log: text}]\n"
        "  - parallel: {children: [{check: b, while: c}]}\n"
        "  - if: d\n"
        "    then: [{set: {x: $y.z}}]\n",
    )
    assert [value for _, value in found(entry, "expression")] == ["a", "c", "b", "d"]
    assert found(entry, "text") == [(("root", 0, "on_failure", 0, "log"), "text")]
    assert found(entry, "value") == [(("root", 2, "then", 0, "set"), {"x": "$y.z"})]


def test_values_of_python_nodes_are_places() -> None:
    entry = entry_of("tree", "tree: t\nroot:\n  - speak_slowly: {text: $x}\n")
    assert found(entry, "value") == [(("root", 0, "speak_slowly"), {"text": "$x"})]


def test_types_of_acts_are_places_at_any_depth() -> None:
    entry = entry_of(
        "reading", "reading: r\nabout: a\nacts:\n  request: {agent: Agent or none, args: {}}\n"
    )
    assert found(entry, "type") == [(("acts", "request", "agent"), "Agent or none")]


def test_what_is_not_written_is_no_place() -> None:
    entry = entry_of("skill", "skill: pick\nabout: a\n")
    assert places(entry) == ()


def test_a_shifted_place_points_behind_what_stands_before_it() -> None:
    entry = entry_of("action", "action: a\nabout: b\noffline:\n  - {for: x in what, do: []}\n")
    rule = entry.model.offline[0]
    place = FieldPlace(entry, ("offline", 0, "for"), "expression", "what", rule, "for_", shift=5)
    assert str(place.span()) == "x.action.yaml:4:16"
    assert place.span().end_column == 20
    assert place.problem("TC201", "m", offset=1, length=2).span.column == 17

"""The test cases of nodes: the examples of their prompts, and the files in tests/decisions.

The case of an example is asked without that example in the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from treec.files.entry import AnyEntry, Entry
from treec.files.library import Library
from treec.files.view import View
from treec.source.diagnostics import suggestion
from treec_testing.case_file import CaseFile
from treec_testing.decisions.authors import BESIDE
from treec_testing.decisions.cases import (
    CaseError,
    DecisionCase,
    NodeHome,
    find_node,
    node_homes,
    visible_names,
)
from treec_testing.decisions.situation import with_model
from treec_testing.recordings.recording import slug


def load_cases(library: Library) -> list[DecisionCase]:
    """All cases of nodes in a library. Raises CaseError for an invalid case file."""
    files = [file for file in case_files(library) if file.model.node is not None]
    homes = node_homes(library)
    cases: list[DecisionCase] = []
    for view, entry, name in homes:
        if library.pack_of(entry.path) is None:  # packs test their own examples
            cases += _examples(view, entry, name)
    by_id = {case.id: case for case in cases}
    for file in files:
        case = _from_file(library, file, homes)
        other = by_id.setdefault(case.id, case)
        if other is not case:
            raise CaseError(
                f"{case.where}: {case.id} is already the name of the case in {other.where}"
            )
        cases.append(case)
    return cases


def _examples(view: View, entry: AnyEntry, name: str) -> Iterator[DecisionCase]:
    counts: dict[str, int] = {}
    for number, example in enumerate(entry.model.examples):
        key = slug(example.about) or f"example-{number + 1}"
        counts[key] = counts.get(key, 0) + 1
        if counts[key] > 1:
            key = f"{key}-{counts[key]}"
        others = [e for i, e in enumerate(entry.model.examples) if i != number]
        model = entry.model.model_copy(update={"examples": others})
        span = entry.span("examples", number)
        declared = getattr(model, "args", {})
        args = {n: v for n, v in example.given.items() if n in declared}
        yield DecisionCase(
            id=f"{name}/{key}",
            about=example.about,
            where=f"{span.path}:{span.line}",
            view=view,
            entry=with_model(entry, model),
            given={n: v for n, v in example.given.items() if n not in args},
            args=args,
            expect=example.answer.model_dump(),
        )


def case_files(library: Library) -> list[Entry[CaseFile]]:
    """The case files of a library. Raises CaseError for an invalid one."""
    errors = [
        f"{d.span}: {d.message}{f'; {d.help}' if d.help else ''}"
        for d in library.diagnostics
        if d.severity == "error" and d.span.path.endswith((".case.yaml", ".exchange.yaml"))
    ]
    if errors:
        raise CaseError("\n".join(errors))
    return list(library.of_kind("case"))


def _from_file(library: Library, file: Entry[CaseFile], homes: list[NodeHome]) -> DecisionCase:
    model = file.model
    span = file.span("case")
    where = f"{span.path}:{span.line}"
    assert model.node is not None
    view, entry, name = find_node(library, model.node, model.system, where, homes)
    seen = visible_names(entry)
    wrong = next((n for n in model.given if n not in seen), None)
    if wrong is not None:
        help = suggestion(wrong, seen, "it sees")
        line = file.span("given", wrong, key=True).line
        raise CaseError(f"{span.path}:{line}: {model.node} does not see '{wrong}'; {help}")
    return DecisionCase(
        id=f"{name}/{model.case}",
        about=model.about,
        where=where,
        view=view,
        entry=entry,
        given=model.given,
        args=model.args,
        world=model.world,
        knows=model.knows,
        expect=model.expect,
        scored_by=model.scored_by,
    )


class Identified(Protocol):
    """What cases of nodes and of whole systems have in common."""

    @property
    def id(self) -> str:
        """Its name."""
        ...

    @property
    def where(self) -> str:
        """Its file and line."""
        ...


C = TypeVar("C", bound=Identified)


def select_cases(cases: Iterable[C], ids: Iterable[str]) -> list[C]:
    """Cases by id, a prefix of it, a pattern with `*`, their file or its folder; all if none."""
    patterns = list(ids)

    def fits(case: Identified, pattern: str) -> bool:
        file = case.where.rpartition(":")[0]
        return (
            case.id == pattern
            or case.id.startswith((pattern.rstrip("/") + "/", pattern + BESIDE))
            or fnmatchcase(case.id, pattern)
            or file == pattern
            or file.startswith(pattern.rstrip("/") + "/")
        )

    return [case for case in cases if not patterns or any(fits(case, p) for p in patterns)]

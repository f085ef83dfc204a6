"""Places of a name: where it is declared, where it is used, and how to change it everywhere.

What uses a name is found by the check: the declaration is renamed in memory, and every place where
the check then misses the old name is one. So nothing is taken for a use that only looks like it,
and a renaming is done only if the check of the changed library finds nothing wrong that was not
wrong before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from treec.check.edits import Edit, apply_edits, text_of
from treec.check.fixes import Checked
from treec.files.library import Library
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec.source.yaml import plain, read_documents
from treec_editor.arguments import argument_at
from treec_editor.declarations import Declaration, declarations, find_declarations
from treec_editor.hover import word_at
from treec_editor.place import place_at
from treec_editor.views import view_of

ROUNDS = 12
"""How often the check is asked for further places of a name."""
_TEXT = re.compile(r"[^\s'\"{}\[\]:#,&*!|>%@`][^\n:#'\"{}\[\]]*")


CheckedWithin = Callable[[Mapping[str, str], "Set[str] | None"], Sequence[Diagnostic]]
"""Checks texts in place of those of files; of what they reach some files, if those are named."""


class CannotRename(ValueError):
    """A name that cannot be changed; the message says why."""


@dataclass(frozen=True)
class NameUses:
    """Where a name is declared, and where it is used: spans of the name alone."""

    declaration: Declaration
    spans: tuple[Span, ...]


def declarations_at(library: Library, path: str, offset: int) -> list[Declaration]:
    """Return where the name at an offset of a file is declared; none if it is not declared."""
    documents, _ = read_documents(library.sources[path]) if path in library.sources else ([], [])
    place = place_at(documents, offset)
    if place is not None and place.is_key:
        data = plain(place.document.root)
        if (argument := argument_at(view_of(library, path), data, place.loc)) is not None:
            return [argument[1]]
    word = word_at(library, path, offset)
    if word is None:
        return []
    here = [one for it in library.entries if it.path == path for one in declarations(it)]
    declared = [one for one in here if one.span == word[1] and one.what != "option"]
    return declared or find_declarations(view_of(library, path).entries, word[0], path)


def uses_of(
    library: Library, declaration: Declaration, check: CheckedWithin, new: str = "renamed_by_treec"
) -> NameUses:
    """Return the places that use a name, as the check finds them."""
    spans, _ = _renamed(library, declaration, new, lambda texts: check(texts, None), check)
    return NameUses(declaration, tuple(spans))


def rename(
    library: Library, path: str, offset: int, new: str, check: Checked
) -> Mapping[str, list[Edit]]:
    """Return the edits that change the name at an offset of a file, by file.

    Raises CannotRename where the name is not declared in the library or in several places, where
    the new one is not a name or is taken, or something would be wrong afterwards.
    """
    found = declarations_at(library, path, offset)
    if not found:
        raise CannotRename("this name is not declared in the library")
    if len(found) > 1:
        places = ", ".join(str(one.span) for one in found)
        raise CannotRename(f"'{found[0].name}' is declared in several places: {places}")
    return renaming(library, found[0], new, check)


def renaming(
    library: Library, declaration: Declaration, new: str, check: Checked
) -> Mapping[str, list[Edit]]:
    """Return the edits that change a declared name, by file. Raises CannotRename."""
    if not _TEXT.fullmatch(new) or new != new.strip():
        raise CannotRename(f"'{new}' cannot be a name")
    if library.pack_of(declaration.span.path) is not None:
        raise CannotRename(f"'{declaration.name}' belongs to a pack: {declaration.span.path}")
    if (broken := _unread_use(library, declaration.name)) is not None:
        raise CannotRename(
            f"'{declaration.name}' stands in a file that cannot be read, correct it first: "
            f"{broken.span}: {broken.message}"
        )
    spans, wrong = _renamed(library, declaration, new, check)
    if wrong:
        first = wrong[0]
        raise CannotRename(
            f"'{declaration.name}' cannot become '{new}': {first.span}: {first.message}"
        )
    edits: dict[str, list[Edit]] = {}
    for span in spans:
        edits.setdefault(span.path, []).append(Edit(span, new))
    return edits


def _unread_use(library: Library, name: str) -> Diagnostic | None:
    """The first syntax error of a file in which the name stands: the check sees no use there."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for path, file in library.sources.items():
        if path.endswith(".yaml") and library.pack_of(path) is None and word.search(file.text):
            broken = [one for one in read_documents(file)[1] if one.severity == "error"]
            if broken:
                return broken[0]
    return None


def _renamed(
    library: Library,
    declaration: Declaration,
    new: str,
    check: Checked,
    within: CheckedWithin | None = None,
) -> tuple[list[Span], list[Diagnostic]]:
    """Rename until the check misses the old name nowhere; the spans, and what is wrong then.

    With ``within`` only the spans are wanted: once uses are known, files without another place
    where the name stands are not judged again.
    """
    texts = {path: file.text for path, file in library.sources.items()}
    before = Counter(map(_key, check({})))
    first = _name_in(library.sources[declaration.span.path], declaration.span, declaration.name)
    spans = [first or declaration.span]
    wrong: list[Diagnostic] = []
    for _ in range(ROUNDS):
        changed = {
            path: apply_edits(texts[path], [Edit(s, new) for s in spans if s.path == path])
            for path in {span.path for span in spans}
        }
        if within is None or len(spans) == 1:
            found = check(changed)
        elif left := _files_with_more(library, declaration.name, spans):
            found = within(changed, left)
        else:
            break
        after = Counter(map(_key, found))
        wrong = [problem for problem in found if _key(problem) in after - before]
        moved = _back(spans, declaration.name, new)
        missed = {
            span: names
            for problem in wrong
            if (file := library.sources.get(problem.span.path)) is not None
            and library.pack_of(problem.span.path) is None
            and (names := _names_in(file, span := moved(problem.span), declaration.name))
        }
        marked = {
            names[0]: span
            for span, names in missed.items()
            if len(names) == 1 and names[0] not in spans
        }
        if not marked:  # texts that hold the name several times, such as keys of `otherwise`
            spans += (more := {one for names in missed.values() for one in names} - {*spans})
            if more:
                continue
            break
        # Words that hold the name may only be wrong for as long as its own places are.
        own = [name for name, whole in marked.items() if whole == name]
        spans += own or marked
    return sorted(spans, key=lambda one: (one.path, one.line, one.column)), wrong


def _files_with_more(library: Library, name: str, spans: Sequence[Span]) -> set[str]:
    """The files in which a name stands more often than in these places."""
    known = Counter(span.path for span in spans)
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return {
        path
        for path, file in library.sources.items()
        if name in file.text and len(word.findall(file.text)) > known[path]
    }


def _back(spans: Sequence[Span], old: str, new: str) -> Callable[[Span], Span]:
    """Return how a span of the changed texts is one of the texts as they were."""
    longer = len(new) - len(old)

    def column(path: str, line: int, at: int) -> int:
        shift = 0
        for span in sorted(spans, key=lambda one: one.column):
            if (span.path, span.line) == (path, line) and span.column + shift < at:
                shift += longer
        return at - shift

    def moved(span: Span) -> Span:
        begin = column(span.path, span.line, span.column)
        end = column(span.path, span.end_line, span.end_column)
        return Span(span.path, span.line, begin, span.end_line, max(end, begin))

    return moved


def _name_in(file: SourceFile, span: Span, name: str) -> Span | None:
    """Return the span of a name inside of another, if it stands there just once."""
    found = _names_in(file, span, name)
    return found[0] if len(found) == 1 else None


def _names_in(file: SourceFile, span: Span, name: str) -> list[Span]:
    """Return the spans of a name inside of another."""
    start = file.offset(span.line, span.column)
    written = text_of(file, span)
    if len(written) < len(name):  # a diagnostic may mark only the name's beginning
        written = file.text[start : start + len(name)]
    found = re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", written)
    return [file.span(start + one.start(), len(name)) for one in found]


def _key(problem: Diagnostic) -> tuple[str, str, str]:
    return problem.span.path, problem.code, problem.message

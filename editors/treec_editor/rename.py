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
from typing import Protocol

from treec.check.edits import Edit, apply_edits, text_of
from treec.files.library import Library
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec.source.yaml import plain, read_documents
from treec_editor.arguments import argument_at
from treec_editor.declarations import Declaration, declarations, find_declarations, meant
from treec_editor.hover import word_at
from treec_editor.judging import NameSearch
from treec_editor.place import place_at
from treec_editor.views import view_of

ROUNDS = 12
"""How often the check is asked for further places of a name."""
_NEXT = r"(?= *(\w+|[^\s\w]|))"
"""What follows a name in its line: a word or a sign."""
_TEXT = re.compile(r"[^\s'\"{}\[\]:#,&*!|>%@`][^\n:#'\"{}\[\]]*")


class CheckedWithin(Protocol):
    """The check of texts in place of those of files, where a misspelt name is used."""

    def __call__(
        self,
        texts: Mapping[str, str],
        within: Set[str] | None = None,
        search: NameSearch | None = None,
    ) -> Sequence[Diagnostic]:
        """Judge what these texts reach, ``within`` some files.

        In a ``search`` only unknown names are looked for, in what has changed since its last
        round, and no file is judged for another system after a new problem has been found in it.
        """


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
    found = declared or find_declarations(view_of(library, path).entries, word[0], path)
    return found if place is None else meant(found, word[1], place.loc)


def uses_of(
    library: Library, declaration: Declaration, check: CheckedWithin, new: str = "renamed_by_treec"
) -> NameUses:
    """Return the places that use a name, as the check finds them."""
    spans, _ = _renamed(library, declaration, new, check, is_judged=False)
    return NameUses(declaration, tuple(spans))


def rename(
    library: Library, path: str, offset: int, new: str, check: CheckedWithin
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
    library: Library, declaration: Declaration, new: str, check: CheckedWithin
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
    spans, wrong = _renamed(library, declaration, new, check, is_judged=True)
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
    word = _word(name)
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
    check: CheckedWithin,
    *,
    is_judged: bool,
) -> tuple[list[Span], list[Diagnostic]]:
    """Rename until the check misses the old name nowhere; the spans, and what is wrong then.

    What the declaration reaches is judged once. Then only files are that have the name in further
    places; in the end, with ``is_judged``, those that are edited, have the new name or had
    problems: all others see declarations that differ by the name alone, which they do not use.
    """
    texts = {path: file.text for path, file in library.sources.items()}
    before = Counter(map(_key, check({})))
    first = _name_in(library.sources[declaration.span.path], declaration.span, declaration.name)
    spans = [first or declaration.span]
    wrong: list[Diagnostic] = []
    stands = {
        path: [one[1] for one in word.finditer(text)]
        for word in [_word(declaration.name, _NEXT)]
        for path, text in texts.items()
        if declaration.name in text
    }
    suspects: Set[str] = frozenset()
    ever: set[str] = set()
    search = NameSearch()
    for _ in range(ROUNDS):
        changed = {
            path: apply_edits(texts[path], [Edit(s, new) for s in spans if s.path == path])
            for path in {span.path for span in spans}
        }
        left = None if len(spans) == 1 else _with_more(library, stands, spans, suspects)
        if left is not None and not left:
            wrong = []
            break
        found = check(changed, left, search)
        after = Counter(map(_key, found))
        wrong = [problem for problem in found if _key(problem) in after - before]
        suspects = {problem.span.path for problem in wrong}
        ever |= suspects
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
    if is_judged and len(spans) > 1:
        there = _word(new)
        taken = {path for path, text in texts.items() if new in text and there.search(text)}
        for within in ({*changed, *ever, *taken}, None):  # a few files may miss what others have
            after = Counter(map(_key, found := check(changed, within)))
            wrong = [problem for problem in found if _key(problem) in after - before]
            if not wrong:
                break
    return sorted(spans, key=lambda one: (one.path, one.line, one.column)), wrong


def _with_more(
    library: Library,
    stands: Mapping[str, Sequence[str]],
    spans: Sequence[Span],
    suspects: Set[str],
) -> set[str]:
    """The files in which a name stands more often than in these places; what follows it is given.

    Of those without problems only the ones in which it stands as it is used, `at(` or `at:`, since
    the check missed nothing there: they can only repeat a text that has been edited since.
    """
    known = Counter(span.path for span in spans)
    follows = set()
    for span in spans:
        file = library.sources[span.path]
        end = file.offset(span.end_line, span.end_column)
        follows |= {match[1] for match in [re.compile(_NEXT).match(file.text, end)] if match}
    return {
        path
        for path, after in stands.items()
        if known[path] < (len(after) if path in suspects else sum(it in follows for it in after))
    }


def _word(name: str, then: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w){then}")


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

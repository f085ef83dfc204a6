"""The list of subtasks that a model or a person writes, read as a task graph.

Each item may name the items that it waits for, in any order of the list:

    - park cart
    - load crate onto cart, after: [park cart, wash crate]
    - wash crate

MOSAIC's form gives the order by nesting. It cannot express every graph, as an item stands below one
level only. Both forms may be mixed: an item waits for what it names and for what its nesting says.

A subtask that must happen after another is nested below it; subtasks that can happen at the same
time stand on one level. What waits for *several* subtasks is nested below the last of them:

1.  **Nesting means after.** What an item waits for stands on the level directly above it.
2.  **Siblings are parallel.** Items on one level never wait for each other.
3.  **Children wait for the whole run.** A *run* is a stretch of siblings with nothing deeper
    between them. Only its last one can have children, and these wait for all of the run.

So in

    - park cart
       + load crate onto cart
       + load pallet onto cart
          - scan cart
       + get label

both loadings come after parking, scanning comes after both loadings, and `get label`, a run of its
own, after parking alone. Rule 3 looks upward only: whatever is added below an item changes nothing
for it. It makes some items wait for more than they must (never for less): for a fetch that only
happens to stand above. An item that begins a run waits for none of its siblings, so write an item
with children of its own above those without, or edit `after` in the recipe.

Items begin with -, *, +, • or a number (1. 2) 1.1); tabs reach to the next multiple of four; quotes
and emphasis around the words are taken off, and so is a full stop. A line that directly follows an
item and is indented further goes on with its words. Words that repeat become subtasks of their own:
`scan cart`, then `scan cart (2)`, whether or not the list writes the number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from treec.frozen import frozen
from treec.graph import cyclic_components
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.text import SourceFile, Span
from treec_mosaic.recipes.list_rules import (
    BETWEEN_LEVELS,
    LEFT_OUT,
    NO_LIST,
    SENTENCES,
    WRONG_AFTER,
)

HEADING = "# Subtasks:"
TAB = 4
MOST_SENTENCES = 2
MOST_ITEMS, MOST_LEVELS = 1000, 50

_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_OURS = re.compile(r"[\s#*_]*subtasks?(?: as (?:a )?(?:nested )?list)?[\s:*_]*", re.IGNORECASE)
_AFTER = re.compile(r"\bafter\s*:", re.IGNORECASE)
_MORE = re.compile(r"[,;]\s*(?:makes\s*:|optional\s*(?:[,;.]|$))", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<words>.+?) \((?P<number>[2-9]|[1-9]\d)\)")
_ASKED = re.compile(r"[\s#*_]*raw recipe instruction list[\s.:*_]*", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(
    r"(?P<indent>[ \t\u00a0]*)"
    r"(?P<mark>[-*+•◦▪‣–—]|\d{1,4}(?:\.\d{1,4}){0,9}[.)]|\d{1,4}(?:\.\d{1,4}){1,9}|[A-Za-z][.)])"
    r"(?:(?P<gap>[ \t\u00a0]+)(?P<words>.*))?"
)
_SENTENCE = re.compile(r"\w[.;!] +\w|\S+(?: \S+){15}")
"""Several sentences, or a long one."""
_RULE = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*")
_BOX = re.compile(r"\[[ xX]?\]\s+")
_AROUND = ("**", "__", "``", "`", '"', "'", "“”", "‘’", "„“", "«»", "*", "_")
_MEANWHILE = re.compile(
    r"\W*(?:meanwhile|in the meantime|at the same time|simultaneously)\W+", re.IGNORECASE
)
_CAPITAL = re.compile(r"[A-Z](?=[a-z]*(?:\s|$))")


@frozen
class Item:
    """A subtask of the list, with the position of its words and the ids of its predecessors."""

    id: str
    words: str
    span: Span
    after: tuple[str, ...]
    named: tuple[str, ...] = ()
    """What it waits for, in the words of its `after`; the reader puts their ids into `after`."""
    more: str = ""
    """What stands behind its words: that it is optional, what it makes."""


@frozen
class NestedList:
    """All items in order, and the list's diagnostics; no items if there is an error."""

    items: tuple[Item, ...]
    problems: tuple[Diagnostic, ...]


_Key = tuple[int, int]
"""An item's depth: its indentation in columns, and the number of parts of its number."""


@dataclass
class _Level:
    key: _Key
    waits: tuple[str, ...]
    """What all of its items wait for."""
    run: list[str] = field(default_factory=list)
    """The siblings that the next deeper items wait for."""
    tail: list[str] = field(default_factory=list)
    """Its items and those below it that nothing waits for yet: the next numbered one does."""
    before: tuple[str, ...] = ()
    """What the last item waits for, and so does one that is done meanwhile."""


@dataclass
class _Line:
    number: int
    offset: int
    text: str


def read_list(file: SourceFile, plain: Callable[[str], str] = str) -> NestedList:
    """Read the nested list in a file.

    `plain` gives an item's words without amounts and times, by which `after` may name it, too.
    """
    lines, problem = _region(file)
    if problem is not None:
        return NestedList((), (problem,))
    reader = _ListReader(file, plain)
    for line in lines:
        if not reader.line(line):
            break
    found = reader.end()
    if any(problem.severity == "error" for problem in found.problems):
        return NestedList((), found.problems)
    return found


def _sections(file: SourceFile) -> Iterator[tuple[_Line | None, list[_Line]]]:
    """Yield each heading with the lines below it; lines above the first heading come with None."""
    heading: _Line | None = None
    lines: list[_Line] = []
    offset = 0
    for number, text in enumerate(file.text.split("\n"), 1):
        line = _Line(number, offset, text)
        offset += len(text) + 1
        if _HEADING.match(text) or _OURS.fullmatch(text):
            yield heading, lines
            heading, lines = line, []
        elif not _FENCE.match(text):
            lines.append(line)
    yield heading, lines


def _region(file: SourceFile) -> tuple[list[_Line], Diagnostic | None]:
    """Return the lines of the list, or the diagnostic that says why it cannot be found."""
    sections = list(_sections(file))
    ours = [(head, lines) for head, lines in sections if head and _OURS.fullmatch(head.text)]
    prompt = next((head for head, _ in sections if head and _ASKED.fullmatch(head.text)), None)
    if prompt is not None and not ours:
        span = file.span(prompt.offset, len(prompt.text))
        message = "this is the prompt of a model, not its answer: it has no list of subtasks"
        return [], NO_LIST.at(span, message, f"the answer has a heading '{HEADING}'")
    full = [(head, lines) for head, lines in ours or sections if any(map(_is_item, lines))]
    if not full:
        at = ours[-1][0] if ours else None
        span = file.span(at.offset, len(at.text)) if at else Span(file.path, 1, 1, 1, 2)
        where = "below this heading" if at else "here"
        help = "each subtask stands on a line of its own and begins with '- '"
        return [], NO_LIST.at(span, f"no list of subtasks {where}", help)
    if len(full) > 1 and not ours:
        head = full[1][0]
        assert head is not None, "only the first section has no heading"
        return [], NO_LIST.at(
            file.span(head.offset, len(head.text)),
            "this is the second list: which one holds the subtasks?",
            f"write '{HEADING}' above it",
        )
    return full[-1][1], None  # a model that writes the heading twice means its last answer


def _is_item(line: _Line) -> bool:
    return not _RULE.fullmatch(line.text) and bool(_match(line.text))


def _match(text: str) -> re.Match[str] | None:
    found = _ITEM.fullmatch(text)
    return found if found and (found["words"] or "").strip() else None


class _ListReader:
    """Reads a list line by line."""

    def __init__(self, file: SourceFile, plain: Callable[[str], str]) -> None:
        self.file = file
        self._plain = plain
        self.items: list[Item] = []
        self.problems: list[Diagnostic] = []
        self._levels: list[_Level] = []
        self._ids: set[str] = set()
        self._open: tuple[int, list[str], Span, bool, _Level] | None = None
        self._skipped: list[_Line] = []

    def line(self, line: _Line) -> bool:
        """Read a line; false if the list is too long or too deep."""
        found = None if _RULE.fullmatch(line.text) else _match(line.text)
        if found is not None:
            self._close()
            self._leave_out()
            return self._begin(line, found)
        if not line.text.strip() or _RULE.fullmatch(line.text):
            self._close()
        elif _ITEM.fullmatch(line.text):  # a bullet without words
            self._close()
            self.problems.append(self._left_out(line, "this item has no words: it is left out"))
        elif self._open is not None and _columns(line.text) > self._open[0]:
            self._open[1].append(line.text)
        else:
            self._close()
            if self.items:
                self._skipped.append(line)
        return True

    def end(self) -> NestedList:
        """Return the list; lines after it are ignored."""
        self._close()
        self.items = [self._resolve(item) for item in self.items]
        self._report_cycles()
        self._report_sentences()
        return NestedList(tuple(self.items), tuple(sorted(self.problems)))

    @cached_property
    def _plain_ids(self) -> dict[str, str]:
        """The ids of items by plain words that only one of them has."""
        words = [(self._plain(item.words).casefold(), item.id) for item in self.items]
        count = Counter(said for said, _ in words)
        return {said: id for said, id in words if count[said] == 1}

    def _resolve(self, item: Item) -> Item:
        """Return an item with the ids of the items that its `after` names."""
        ids = {other.id.casefold(): other.id for other in self.items}
        plain = self._plain_ids
        after = list(item.after)
        named = list(item.named)
        while named:
            name = next(
                (many for n in range(len(named), 1, -1) if (many := ", ".join(named[:n])) in ids),
                named[0],
            )
            del named[: name.count(", ") + 1]
            id = ids.get(name.casefold()) or plain.get(name.casefold())
            if id is None:
                near = did_you_mean(name, [other.id for other in self.items])
                message = f"'{item.id}' waits for '{name}', which is not in the list"
                help = f"did you mean '{near}'?" if near else "name items in their words"
                self.problems.append(WRONG_AFTER.at(item.span, message, help))
            elif id not in after:
                after.append(id)
        return replace(item, after=tuple(after), named=())

    def _report_sentences(self) -> None:
        """Report once that many items are a cookbook's sentences."""
        found = [item for item in self.items if _SENTENCE.search(item.words)]
        if len(found) * 2 > len(self.items) or len(found) > MOST_SENTENCES:
            are = "1 item is a sentence, not a subtask" if len(found) == 1 else ""
            many = are or f"{len(found)} items are sentences, not subtasks"
            many += ": a person does each as a whole"
            help = "write one thing to do a line, or import the page with --model"
            self.problems.append(SENTENCES.at(found[0].span, many, help))

    def _report_cycles(self) -> None:
        spans = {item.id: item.span for item in self.items}
        for cycle in cyclic_components({item.id: item.after for item in self.items}):
            first = min(cycle, key=lambda id: spans[id].line)
            others = " and ".join(f"'{id}'" for id in spans if id in cycle and id != first)
            message = f"'{first}' and {others} wait for each other" if others else ""
            message = message or f"'{first}' waits for itself"
            self.problems.append(WRONG_AFTER.at(spans[first], message, "remove one of these edges"))

    def _begin(self, line: _Line, found: re.Match[str]) -> bool:
        width = _columns(found["indent"] + ".")
        number = re.fullmatch(r"\d+((?:\.\d+)*)[.)]?", found["mark"])
        key = (width, 1 + (number[1].count(".") if number else 0))
        words = found["words"]
        start = line.offset + found.start("words") + len(words) - len(words.lstrip())
        span = self.file.span(start, len(words.strip()))
        level = self._level(key, span)
        self._open = (width, [words], span, number is not None, level)
        if len(self._levels) <= MOST_LEVELS and len(self.items) < MOST_ITEMS:
            return True
        most = f"{MOST_ITEMS} items and {MOST_LEVELS} levels"
        self.problems.append(NO_LIST.at(span, f"a list has at most {most}"))
        return False

    def _level(self, key: _Key, span: Span) -> _Level:
        """Return an item's level, opening it if necessary; deeper items end a run of siblings."""
        left: _Level | None = None
        closed = 0
        while self._levels and self._levels[-1].key > key:
            left = self._levels.pop()
            closed += 1
        above = self._levels[-1] if self._levels else None
        if above is not None and above.key == key:
            if closed:
                above.run = []
            return above
        if left is None:
            self._levels.append(_Level(key, tuple(above.run) if above else ()))
            return self._levels[-1]
        self.problems.append(
            BETWEEN_LEVELS.at(
                span,
                f"this item is indented by {key[0]}, between two levels: "
                f"read as a sibling of those at {left.key[0]}",
                "indent it as far as the items that it stands beside",
            )
        )
        if closed > 1:
            left.run = []
        left.key = key
        self._levels.append(left)
        return left

    def _close(self) -> None:
        """Finish the current item."""
        if self._open is None:
            return
        _, parts, span, is_numbered, level = self._open
        self._open = None
        text, named = _split_after(" ".join(parts))
        beside = _MEANWHILE.match(text)
        text = text[beside.end() :] if beside else text
        found = _MORE.search(text)
        more = text[found.start() :].strip(" ,;.") if found else ""
        words = clean(text[: found.start()] if found else text)
        if not words:
            self.problems.append(LEFT_OUT.at(span, "this item has no words: it is left out"))
            return
        numbered = _NUMBERED.fullmatch(words)
        if numbered is not None and numbered["words"].casefold() in self._ids:
            words = numbered["words"]
        id = self._id(words)
        waits = level.waits
        if is_numbered and level.tail and not named:
            waits = level.before if beside else tuple(level.tail)
            level.run = [*level.run, id] if beside else [id]
        else:
            level.run.append(id)
        level.before = waits
        if all(name.casefold() in self._ids for name in named):  # else a later one comes before it
            for one in self._levels:
                one.tail = [*(other for other in one.tail if other not in waits), id]
        self.items.append(Item(id, words, span, waits, named, more))

    def _id(self, words: str) -> str:
        """Return the words as an id, numbered if they occurred before."""
        id, number = words, 1
        while id.casefold() in self._ids:
            number += 1
            id = f"{words} ({number})"
        self._ids.add(id.casefold())
        return id

    def _leave_out(self) -> None:
        self.problems += [self._left_out(line) for line in self._skipped]
        self._skipped = []

    def _left_out(self, line: _Line, message: str | None = None) -> Diagnostic:
        text = line.text.strip()
        span = self.file.span(line.offset + line.text.index(text), len(text))
        if message is not None:
            return LEFT_OUT.at(span, message)
        message = "this line is not an item of the list: it is left out"
        help = "begin it with '- ', or indent it below the item that it belongs to"
        return LEFT_OUT.at(span, message, help)


def _split_after(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an item's words, and those of the items in its `after`."""
    found = _AFTER.search(text)
    if found is None:
        return text, ()
    words, named = text[: found.start()].rstrip(" ,;:{(["), text[found.end() :]
    named, bracket, behind = named.partition("]")
    if not bracket and (more := _MORE.search(named)):
        named, behind = named[: more.start()], named[more.start() :]
    if behind.strip(" ,;.)}"):  # what is said behind it belongs to the words
        words = f"{words}, {behind.strip(' ,;')}"
    names = re.split("[;,]", named.replace("[", "").replace("]", "").replace("}", ""))
    if named.count("(") < named.count(")"):  # (after: …)
        names[-1] = names[-1].rstrip(" .").removesuffix(")")
    return words, tuple(name for part in names if (name := clean(part)))


def clean(words: str) -> str:
    """Strip quotes, emphasis, a tick box and a full stop from an item's words."""
    words = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    words = _BOX.sub("", words, count=1) if _BOX.match(words) else words
    before = None
    while before != words:
        before = words
        words = words.rstrip(" .,;:")
        for marks in _AROUND:
            left, right = marks, marks
            if len(marks) == 2 and marks[0] != marks[1]:
                left, right = marks[0], marks[1]
            inner = words[len(left) : len(words) - len(right)]
            if words.startswith(left) and words.endswith(right) and inner and left not in inner:
                words = inner.strip()
                break
    return words[0].lower() + words[1:] if _CAPITAL.match(words) else words


def _columns(text: str) -> int:
    """Return the width of a text's leading blanks; a tab reaches to the next stop."""
    width = 0
    for character in text:
        if character == "\t":
            width += TAB - width % TAB
        elif character in " \u00a0":
            width += 1
        else:
            break
    return width

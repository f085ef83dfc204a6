"""Builds the nodes of a file from its events, and reports what is not allowed in it.

Nothing here recurses, and everything is counted, so that reading any file ends.
"""

from __future__ import annotations

from itertools import pairwise

from yaml import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    YAMLError,
)

from treec.source import yaml_rules as rules
from treec.source.diagnostics import Diagnostic
from treec.source.rules import Rule
from treec.source.text import SourceFile, shorten
from treec.source.yaml_errors import UNPRINTABLE, SyntaxProblem, describe_character
from treec.source.yaml_events import Event, EventReader, content_start, stop_of
from treec.source.yaml_nodes import Document, Mapping, Scalar, Sequence, YamlNode
from treec.source.yaml_scalars import NumberTooLong, resolve
from treec.source.yaml_syntax import ODD_SPACE, describe, odd_space
from treec.source.yaml_traps import (
    join_entries,
    join_items,
    stray_quote,
    template_trap,
    unquoted_template,
)

MAX_NODES = 50_000
MAX_DEPTH = 64
WIDTH = 40
"""The fewest columns at which programs that write YAML begin a new line."""
TEXT_TAG = "tag:yaml.org,2002:str"
TAGS = {
    TEXT_TAG: str,
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": bool,
    "tag:yaml.org,2002:null": type(None),
}
"""YAML's own tags of scalars, which programs write: `!!int "3"`."""
COLLECTIONS = frozenset({"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})
MAX_PROBLEMS = 100
"""Reading stops after this many problems: it is not one of treec's files."""
_LARGER = 24


def size_factor(path: str) -> int:
    """How many times larger a file may be: a scene or a tree may have a hundred thousand parts."""
    return _LARGER if path.endswith((".scene.yaml", ".tree.yaml")) else 1


class _StopReading(Exception):
    """Reading stopped early; the reason is among the diagnostics."""


class _Open:
    """A list or a mapping whose end has not been read."""

    __slots__ = ("before", "entries", "flow", "is_mapping", "items", "key", "odd", "start")

    def __init__(self, start: int, flow: bool, is_mapping: bool, before: int) -> None:
        self.start = start
        self.flow = flow
        self.is_mapping = is_mapping
        self.before = before  # the number of diagnostics at its start
        self.items: list[YamlNode] = []
        self.entries: list[tuple[YamlNode, YamlNode]] = []
        self.key: YamlNode | None = None
        self.odd = False  # it needs a second pass


VALUE_KEYS = frozenset({"cases"})
"""Keys of mappings whose keys are values of an expression: the cases of a switch."""


class DocumentReader:
    """Reads one file, once: ``read``, then ``documents`` and ``diagnostics``."""

    def __init__(self, file: SourceFile, number_keys: bool) -> None:
        """With ``number_keys``, numbers are allowed as keys and read as text."""
        self.file = file
        self.number_keys = number_keys
        self.documents: list[Document] = []
        self.diagnostics: list[Diagnostic] = []
        self._stack: list[_Open] = []
        self._root: YamlNode | None = None
        self._sound = True
        self._nodes = 0
        self._most = MAX_NODES * size_factor(file.path)
        self._last: Scalar | None = None
        self._anchors: set[str] = set()
        """Those that were reported, and stand for their aliases."""

    def read(self) -> None:
        """Fill ``documents`` and ``diagnostics``."""
        text = self.file.text
        try:
            bad = UNPRINTABLE.search(text)
            if bad is None:
                self._events(EventReader(text))
                return
            self._syntax(describe_character(text, bad.start()))
            # the documents before this one are valid
            self._events(EventReader(text[: text.rfind("\n---", 0, bad.start()) + 1]))
        except YAMLError as error:
            self._report_syntax(error)
        except _StopReading:
            pass

    def _report_syntax(self, error: YAMLError) -> None:
        flow = [opened.start for opened in self._stack if opened.flow]
        # `[a: b]` has a mapping without braces; what is open there is the bracket
        brackets = [start for start in flow if self.file.text[start] in "[{"]
        open_at = brackets[-1] if brackets else None
        problem = describe(stop_of(self.file, error, self._last, open_at))
        span = self.file.span(problem.offset, problem.length)
        here = [found for found in self.diagnostics if found.span.line == span.line]
        if any(found.code in (rules.TAG.code, rules.ALIAS.code) for found in here):
            return  # a problem of this line, reported already, is the cause
        diagnostic = rules.SYNTAX.at(span, problem.message, problem.help)
        covered = [
            found
            for found in self.diagnostics
            if (
                found.code == rules.TRAP.code and found in here and found.span.column >= span.column
            )
            or (found.code == rules.FOLDED_TEMPLATE.code and found.span.line > span.line)
        ]
        self.diagnostics = [item for item in self.diagnostics if item not in covered]
        self.diagnostics.append(diagnostic)

    def _events(self, events: EventReader) -> None:
        get = events.get_event
        stack = self._stack
        while True:
            event = get()
            kind = type(event)
            if kind is ScalarEvent:
                self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._begin(event, kind is MappingStartEvent)
            elif kind is MappingEndEvent:
                self._end_mapping(stack.pop(), event.end_mark.index)
            elif kind is SequenceEndEvent:
                self._end_sequence(stack.pop(), event.end_mark.index)
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                self._root, self._sound = None, True
                if event.tags:
                    at = self.file.text.rfind("%TAG", 0, event.end_mark.index)
                    self._tag(max(at, 0), max(at, 0) + 4, "%TAG")
            elif kind is DocumentEndEvent:
                self._document()
            elif kind is StreamEndEvent:
                return

    def _document(self) -> None:
        root = self._root
        if root is None or not self._sound:
            return
        if isinstance(root, Scalar) and root.start == root.end:
            return
        self.documents.append(Document(root, self.file))

    def _scalar(self, event: Event) -> None:
        start: int = event.start_mark.index
        end: int = event.end_mark.index
        if event.tag is not None or event.anchor is not None:
            self._properties(event, start, end, True)
            start = content_start(self.file.text, start, end)
        text: str = event.value
        style: str = event.style or "plain"
        value: str | int | float | bool | None = text
        if style == "plain":
            try:
                value = resolve(text)
            except NumberTooLong:
                self._report(rules.TOO_LARGE, start, end, "a number of more than 300 characters")
            if type(value) is int and text.lstrip("+-")[0] == "0" and text.lstrip("+-").isdigit():
                value = self._leading_zero(text, value, start, end)
            elif text[-1:] in "\"'" and text and stray_quote(text):
                help = f"begin it with {text[-1]}, too, or leave it out"
                self._doubt(end - 1, end, "a quote at the end, and none at the beginning", help)
            elif not text.isascii() and (odd := ODD_SPACE.search(self.file.text, start, end)):
                self._sound = False
                self._syntax(odd_space(odd))
        elif style in "|>":
            end = start + len(self.file.text[start:end].rstrip("\n"))
        if event.tag in TAGS:
            value = self._tagged(event.tag, text, start, end)
        node = Scalar(self.file, start, end, text, value, style)
        if text or style != "plain":  # not one that libyaml puts where nothing is written
            self._last = node
        if "{" in text and style != "|":
            self._folded_template(node)
        self._add_scalar(node)

    def _tagged(self, tag: str, text: str, start: int, end: int) -> str | int | float | None:
        """Return the value of a scalar with a tag of YAML's own."""
        if tag == TEXT_TAG:
            return text
        try:
            value = resolve(text) if text else None
        except NumberTooLong:
            value = text
        if TAGS[tag] is float and type(value) is int:
            return float(value)
        if type(value) is not TAGS[tag]:
            word = tag.rpartition(":")[2]
            self._report(rules.TAG, start, end, f"'{shorten(text)}' is not what '!!{word}' says")
        return value

    def _leading_zero(self, text: str, value: int, start: int, end: int) -> int | str:
        """Report a number such as 02142, of which YAML drops the zero; return what it means."""
        if text.lstrip("+-") == "0":
            return value
        message = f"YAML reads this as the number {value}"
        self._trap(start, end, message, f"quote it: '{text}'; a number begins with no 0")
        return text

    def _folded_template(self, node: Scalar) -> None:
        if node.style != ">" and self._is_wrapped(node):
            return
        found = [at for sign in ("{{", "{%", "{#") if (at := node.text.find(sign)) >= 0]
        if not found:
            return
        span = node.at(min(found), 2)
        if node.style == ">":
            message, help = "a template in a folded block", "begin the block with '|'"
        else:
            message = "a template in text of several lines"
            help = "write the text as a block that begins with '|'"
        self._add_problem(rules.FOLDED_TEMPLATE.at(span, f"{message}: YAML joins its lines", help))

    def _is_wrapped(self, node: Scalar) -> bool:
        """Whether a text is on one line, or on lines that are full, as programs write long ones.

        Some width is as large as each line without its last word, and smaller than each with the
        first word of the next: programs end a line before or after the word that exceeds it.
        """
        first = node.start - self.file.text.rfind("\n", 0, node.start) - 1
        lines = (" " * first + self.file.text[node.start : node.end]).split("\n")
        joined = [
            pair
            for pair in pairwise(lines)
            if all(map(str.strip, pair)) and not (node.style == '"' and pair[0].endswith("\\"))
        ]
        cut = (line.rpartition(" ")[0] for line in lines if " " in line.strip())
        least = max(map(len, cut), default=0)
        return all(len(f"{line} {next.split()[0]}") >= max(WIDTH, least) for line, next in joined)

    def _begin(self, event: Event, is_mapping: bool) -> None:
        start: int = event.start_mark.index
        self._count(start)
        before = len(self.diagnostics)
        if event.tag is not None or event.anchor is not None:
            end: int = event.end_mark.index
            self._properties(event, start, end, False)
            start = end - 1 if event.flow_style else end
        if len(self._stack) == MAX_DEPTH:
            self._report(
                rules.TOO_DEEP,
                start,
                start + 1,
                f"lists and mappings are nested more than {MAX_DEPTH} deep here",
                "give the inner part a name and a file of its own",
            )
            raise _StopReading
        self._stack.append(_Open(start, bool(event.flow_style), is_mapping, before))

    def _end_sequence(self, opened: _Open, end: int) -> None:
        items = opened.items
        if not opened.flow:
            end = items[-1].end if items else end
        elif opened.odd:
            items = join_items(self.file, items, self._trap)
        self._add(Sequence(self.file, opened.start, end, tuple(items), opened.flow))

    def _end_mapping(self, opened: _Open, end: int) -> None:
        entries = opened.entries
        if not opened.flow:
            end = max(entries[-1][0].end, entries[-1][1].end) if entries else end
        elif opened.odd:
            if any(not isinstance(key, Scalar) for key, _ in entries):
                template = unquoted_template(self.file, opened.start, end)
                if template is not None:
                    del self.diagnostics[opened.before :]  # what was found inside was no mapping
                    self._trap(*template_trap(template))
                    self._add_scalar(template)
                    return
            entries = join_entries(self.file, entries, self._trap)
        if opened.flow:
            self._left_out(entries)
        above = self._stack[-1].key if self._stack else None
        of_values = isinstance(above, Scalar) and above.text in VALUE_KEYS
        checked = tuple(self._check_keys(entries, of_values))
        self._add(Mapping(self.file, opened.start, end, checked, opened.flow))

    def _left_out(self, entries: list[tuple[YamlNode, YamlNode]]) -> None:
        """Warn of a value in braces that is not written: `{recipe: }`."""
        for key, value in entries:
            between = self.file.text[key.end : value.start]
            if isinstance(value, Scalar) and value.start == value.end and ":" in between:
                message = "the value is left out, which is null"
                self._doubt(key.start, key.end, message, "write the value, or null")

    def _check_keys(
        self, entries: list[tuple[YamlNode, YamlNode]], of_values: bool
    ) -> list[tuple[Scalar, YamlNode]]:
        """Return the entries with text keys, without duplicates; the first of each is kept.

        Keys that are ``of_values`` may be numbers, true and false, which are read as text.
        """
        seen: dict[str, Scalar] = {}
        checked: list[tuple[Scalar, YamlNode]] = []
        for key, value in entries:
            if not isinstance(key, Scalar):
                self._trap(key.start, key.end, "a key that is not text", "write a name as the key")
                continue
            text = key.text
            if text in seen:
                line = self.file.position(seen[text].start)[0]
                self._report(
                    rules.DUPLICATE_KEY,
                    key.start,
                    key.end,
                    f"duplicate key '{shorten(text)}': it is already on line {line}",
                    "remove one of the two",
                )
                continue
            number = self.number_keys and type(key.value) is int
            number = number or (of_values and isinstance(key.value, int | float))
            if key.value is not text and not isinstance(key.value, str) and not number:
                shown = f"{text}" if text else "an empty key"
                self._trap(
                    key.start,
                    max(key.end, key.start + 1),
                    f"{shown} as a key is not text",
                    f'quote it: "{text}"' if text else "write a name before the colon",
                )
            elif text == "<<" and key.style == "plain":
                self._sound = False
                self._report(
                    rules.MERGE_KEY,
                    key.start,
                    key.end,
                    "the merge key '<<' is not read",
                    "write the keys that you want here out in full",
                )
                continue
            seen[text] = key
            checked.append((key, value))
        return checked

    def _add_scalar(self, node: Scalar) -> None:
        self._count(node.start)
        self._add(node, "(" in node.text)

    def _add(self, node: YamlNode, odd: bool = True) -> None:
        if not self._stack:
            self._root = node
            return
        opened = self._stack[-1]
        if odd and opened.flow:
            opened.odd = True
        if not opened.is_mapping:
            opened.items.append(node)
        elif opened.key is None:
            opened.key = node
        else:
            opened.entries.append((opened.key, node))
            opened.key = None

    def _count(self, start: int) -> None:
        self._nodes += 1
        if self._nodes > self._most:
            self._report(
                rules.TOO_LARGE,
                start,
                start + 1,
                f"this file has more than {self._most:,} values",
                "split it: one file for each behaviour",
            )
            raise _StopReading

    def _alias(self, event: Event) -> None:
        start: int = event.start_mark.index
        end: int = event.end_mark.index
        self._sound = False
        if not self._below_merge_key() and event.anchor not in self._anchors:
            self._report(
                rules.ALIAS,
                start,
                end,
                f"the alias '*{shorten(event.anchor)}' is not read",
                "write the value out again; if the '*' is meant as text, quote the value",
            )
        self._add_scalar(Scalar(self.file, start, end, "", None, "plain"))

    def _below_merge_key(self) -> bool:
        """Whether the problem here is explained by a merge key, which is reported."""
        return any(
            isinstance(opened.key, Scalar) and opened.key.text == "<<"
            for opened in self._stack[-2:]
        )

    def _properties(self, event: Event, start: int, end: int, is_scalar: bool) -> None:
        text = self.file.text
        if event.anchor is not None:
            self._anchors.add(event.anchor)
            at = max(text.find("&", start, end), start)
            self._report(
                rules.ALIAS,
                at,
                at + 1 + len(event.anchor),
                f"the anchor '&{shorten(event.anchor)}' is not read",
                "write the value out at each alias; if the '&' is meant as text, quote the value",
            )
        if event.tag is not None and event.tag not in (TAGS if is_scalar else COLLECTIONS):
            at = max(text.find("!", start, end), start)
            written = text[at:end].split(None, 1)[0]
            self._tag(at, at + len(written), written)

    def _tag(self, start: int, end: int, written: str) -> None:
        word = written.lstrip("!")
        help = "remove it; if the '!' is meant as text, quote the value"
        if written.startswith("!") and word.isidentifier() and not written.startswith("!!"):
            help = f"to negate an expression write 'not {shorten(word)}'; otherwise remove the tag"
        elif written.startswith("%"):
            help = "remove it"
        self._report(rules.TAG, start, end, f"the tag '{shorten(written)}' is not read", help)

    def _trap(self, start: int, end: int, message: str, help: str) -> None:
        self._report(rules.TRAP, start, end, message, help)

    def _doubt(self, start: int, end: int, message: str, help: str) -> None:
        """Warn of what a program may write, and a person hardly means."""
        span = self.file.span(start, end - start)
        self._add_problem(Diagnostic(rules.TRAP.code, "warning", span, message, help))

    def _syntax(self, problem: SyntaxProblem) -> None:
        end = problem.offset + problem.length
        self._report(rules.SYNTAX, problem.offset, end, problem.message, problem.help)

    def _report(
        self, rule: Rule, start: int, end: int, message: str, help: str | None = None
    ) -> None:
        self._add_problem(rule.at(self.file.span(start, end - start), message, help))

    def _add_problem(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) >= MAX_PROBLEMS:
            raise _StopReading

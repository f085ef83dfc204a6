"""Edits of the structure of a file: nodes and keys are added, moved, wrapped, unwrapped, deleted.

Every function takes a file's text and returns the new text. What is not named stays as it is, to
the byte: comments, order, quotes, indentation, line breaks, a byte order mark. What is moved keeps
its own text and the comments above and beside it. Only what is new is written by ruamel.yaml: its
round trip of whole files changes the layout of some (docs/results/editor.md).

A path is a way of keys and indices in a document's data: ``("root", "sequence", 0)``. Each new text
is read again; if it does not hold exactly the data that the edit is meant to give, CannotEdit is
raised and nothing is changed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from collections.abc import Mapping as MappingABC
from collections.abc import Sequence as SequenceABC
from dataclasses import dataclass, replace
from typing import Any

from treec.check.edits import Edit, apply_edits
from treec.source.text import SourceFile
from treec.source.yaml import Document, Mapping, Scalar, Sequence, YamlNode, plain, read_documents

Path = SequenceABC[str | int]
WIDTH = 88
"""Columns up to which a new list or mapping without others in it is written on one line."""
_STEP = 2
_COMMENT = re.compile(r"[ \t]+#[^\n]*")
_COMMA = re.compile(r"[ \t]*,")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"")


class CannotEdit(ValueError):
    """An edit that cannot be made; the message says why, or what would be right."""


@dataclass(frozen=True)
class _Fragment:
    """The text of a value from column 0 on, comments above it, and its data."""

    lines: tuple[str, ...]
    data: Any
    lead: tuple[str, ...] = ()
    tail: str = ""
    """A comment beside its last line."""

    def at(self, column: int, tail: bool = True) -> str:
        """Return the text whose first line begins at a column."""
        rest = [" " * column + line if line else line for line in self.lines[1:]]
        return "\n".join((self.lines[0], *rest)) + (self.tail if tail else "")

    def item(self, column: int) -> str:
        """Return it as an item whose dash is at a column, with the comments above it."""
        pad = " " * column
        head = "".join(f"{comment}\n{pad}" for comment in self.lead)
        return f"{head}- {self.at(column + 2)}"

    @property
    def is_inline(self) -> bool:
        """Whether it can stand beside a key: a mapping or list in brackets, or a scalar."""
        return self.lines[0][:1] in "{[" or not isinstance(self.data, dict | list)

    def flow(self) -> str:
        """Return it as it can stand in brackets. Raises CannotEdit."""
        if self.lead or self.tail or any(map(_has_comment, self.lines)):
            raise CannotEdit(
                "a node with comments cannot be put into a list in brackets: "
                "write that list with a dash for each item first"
            )
        if self.lines[0][:1] in "{[":
            return " ".join(line.strip() for line in self.lines)
        return _dump(self.data, flow=True)


class _Text:
    """A file's text, and the nodes of one of its documents."""

    def __init__(self, text: str, document: int) -> None:
        self.file = SourceFile("edited.yaml", text)
        self.original = text
        documents, problems = read_documents(self.file)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors or not documents:
            where = f"line {errors[0].span.line}: {errors[0].message}" if errors else "it is empty"
            raise CannotEdit(f"the file cannot be read: {where}")
        if not 0 <= document < len(documents):
            raise CannotEdit(f"the file has {len(documents)} documents; there is no {document}")
        self.documents: list[Document] = documents
        self.root = documents[document].root
        self.text = self.file.text

    def node(self, path: Path) -> YamlNode:
        """Return the value at a path. Raises CannotEdit."""
        node = self.root
        for depth, step in enumerate(path):
            found: YamlNode | None = None
            if isinstance(node, Mapping) and isinstance(step, str):
                found = node.get(step)
            elif isinstance(node, Sequence) and isinstance(step, int):
                found = node.items[step] if 0 <= step < len(node.items) else None
            if found is None:
                raise CannotEdit(f"there is nothing at {_shown(path[: depth + 1])}")
            node = found
        return node

    def column(self, offset: int) -> int:
        """Return how many characters stand before an offset on its line."""
        return offset - (self.text.rfind("\n", 0, offset) + 1)

    def line_end(self, offset: int) -> int:
        """Return the offset of the break that ends a line."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def tail(self, node: YamlNode) -> str:
        """Return the comment beside the last line of a node, with the space before it."""
        match = _COMMENT.match(self.text, node.end)
        return match[0] if match else ""

    def dash(self, sequence: Sequence, index: int) -> int:
        """Return the offset of an item's dash."""
        column = self.column(sequence.start)
        start = self.text.rfind("\n", 0, sequence.items[index].start) + 1
        while start > sequence.start:
            at = start + column
            if not self.text[start:at].strip() and self.text[at : at + 1] == "-":
                return at
            start = self.text.rfind("\n", 0, start - 1) + 1
        return sequence.start if index == 0 else self.dash(sequence, index - 1)

    def lead(self, offset: int) -> int:
        """Return where the comments begin that stand directly above an offset on its line."""
        column, found = self.column(offset), offset
        start = offset - column
        if self.text[start:offset].strip():
            return offset
        while start > 0:
            start = self.text.rfind("\n", 0, start - 1) + 1
            line = self.text[start : self.line_end(start)]
            at = len(line) - len(line.lstrip())
            if not line.lstrip().startswith("#") or at != column:
                break
            found = start + at
        return found

    def piece(self, node: YamlNode, lead: str = "") -> _Fragment:
        """Return the text of a node as one that can be put elsewhere."""
        column = self.column(node.start)
        first, *rest = self.text[node.start : node.end].split("\n")
        lines = (first, *(_dedented(line, column) for line in rest))
        comments = tuple(it.strip() for it in lead.split("\n") if it.strip().startswith("#"))
        return _Fragment(lines, plain(node), comments, self.tail(node))

    def changed(self, start: int, end: int, new: str) -> str:
        """Return the original text with a stretch replaced, its line breaks and mark kept."""
        line_break = "\r\n" if self.original.count("\r\n") * 2 > self.text.count("\n") else "\n"
        edit = Edit(self.file.span(start, end - start), new.replace("\n", line_break))
        return apply_edits(self.original, [edit])


def add(text: str, path: Path, node: object, *, document: int = 0) -> str:
    """Put a new node before the one at a path; an index as long as the list adds it at the end.

    ``node`` is data: a mapping, list or scalar. A path that ends in a key gives a node that key.
    Raises CannotEdit.
    """
    return _verified(text, document, _with(path, node), lambda: _put(text, path, node, document))


def delete(text: str, path: Path, *, document: int = 0) -> str:
    """Delete a node with the comments above and beside it, or a key. Raises CannotEdit."""
    return _verified(text, document, _without(path), lambda: _cut(text, path, document)[0])


def move(text: str, path: Path, target: Path, *, document: int = 0) -> str:
    """Move a node with its comments before the one that stands at ``target`` now.

    Raises CannotEdit, also if the target is inside of the node.
    """
    source, target = tuple(path), tuple(target)
    if target[: len(source)] == source and target != source:
        raise CannotEdit("a node cannot be moved into itself")
    above, index, step = source[:-1], source[-1], len(source) - 1
    after = target
    if isinstance(index, int) and target[:step] == above and len(target) > step:
        there = target[step]
        if isinstance(there, int) and there > index:
            after = (*target[:step], there - 1, *target[step + 1 :])

    def expected(data: Any) -> Any:
        node = _below(data, source)
        return _with(after, node)(_without(source)(data))

    def edited() -> str:
        rest, piece = _cut(text, source, document)
        return _put(rest, after, piece, document)

    return _verified(text, document, expected, edited)


def wrap(
    text: str,
    path: Path,
    keys: SequenceABC[str],
    *,
    first: MappingABC[str, object] | None = None,
    listed: bool = True,
    document: int = 0,
) -> str:
    """Put a new node around the one at a path: ``keys`` lead from the new one to it.

    ``wrap(text, path, ["sequence"])`` makes it the one child of a sequence, ``["parallel",
    "children"]`` of a parallel. ``first`` are further keys of the innermost mapping, before the
    child; with ``listed=False`` the child is the last key's value itself. Raises CannotEdit.
    """
    if not keys:
        raise CannotEdit("name the key of the new node: sequence")

    def around(node: Any) -> Any:
        made: Any = [node] if listed else node
        for depth, key in enumerate(reversed(keys)):
            made = {**(first or {}), key: made} if depth == 0 else {key: made}
        return made

    def edited() -> str:
        found = _Text(text, document)
        node = found.node(path)
        piece = _Fragment(found.piece(node).lines, plain(node))
        if _in_brackets(found, path):
            wrapped = around(_Verbatim(piece.flow()))
            return found.changed(node.start, node.end, _flow_of(wrapped))
        lines: list[str] = []
        column = 0
        for depth, key in enumerate(keys):
            if depth == len(keys) - 1 and first:
                lines += [" " * column + it for it in _rendered(dict(first), block=True).lines]
            lines.append(f"{' ' * column}{_dump(key, flow=True)}:")
            column += _STEP
        if listed:
            lines.append(" " * column + piece.item(column))
        elif piece.is_inline:
            lines[-1] += f" {piece.at(column)}"
        else:
            lines.append(" " * column + piece.at(column))
        made = _Fragment(tuple("\n".join(lines).split("\n")), around(piece.data))
        return _replaced(found, path, made)

    return _verified(text, document, _replacing(path, around), edited)


def unwrap(text: str, path: Path, inner: Path, *, document: int = 0) -> str:
    """Put a node below the one at a path in its place; ``inner`` is the way from there to it.

    The rest of the outer node is deleted. Raises CannotEdit.
    """

    def edited() -> str:
        found = _Text(text, document)
        node = found.node((*path, *inner))
        return _replaced(found, path, _Fragment(found.piece(node).lines, plain(node)))

    return _verified(text, document, _replacing(path, lambda it: _below(it, inner)), edited)


def set_key(text: str, path: Path, key: str, value: object, *, document: int = 0) -> str:
    """Give a key of the mapping at a path a value, in the style that its value has now.

    A new key is put before the first that has several lines, where modifiers stand, else at the
    end. Raises CannotEdit.
    """

    def expected(data: Any) -> Any:
        if not isinstance(_below(data, path), dict):
            raise CannotEdit(f"{_shown(path)} is not a mapping: it has no keys")
        return _replacing(path, lambda it: {**it, key: value})(data)

    def edited() -> str:
        found = _Text(text, document)
        mapping = found.node(path)
        assert isinstance(mapping, Mapping)
        old = mapping.get(key)
        if old is None:
            return _with_key(found, mapping, key, _rendered(value))
        style = old.style if isinstance(old, Scalar) else ""
        return _replaced(found, (*path, key), _rendered(value, style))

    return _verified(text, document, expected, edited)


def rename_key(text: str, path: Path, key: str, new: str, *, document: int = 0) -> str:
    """Give a key of the mapping at a path another name. Raises CannotEdit."""

    def expected(data: Any) -> Any:
        def renamed(it: Any) -> Any:
            if not isinstance(it, dict) or key not in it:
                raise CannotEdit(f"{_shown(path)} has no key '{key}'")
            if new in it:
                raise CannotEdit(f"{_shown(path)} already has '{new}'")
            return {new if one == key else one: inner for one, inner in it.items()}

        return _replacing(path, renamed)(data)

    def edited() -> str:
        found = _Text(text, document)
        mapping = found.node(path)
        at = mapping.key(key) if isinstance(mapping, Mapping) else None
        assert at is not None
        return found.changed(at.start, at.end, _dump(new, flow=True))

    return _verified(text, document, expected, edited)


# Texts


def _replaced(found: _Text, path: Path, piece: _Fragment) -> str:
    """Put a piece in place of the value at a path."""
    node = found.node(path)
    if _in_brackets(found, path):
        return found.changed(node.start, node.end, piece.flow())
    above = found.node(path[:-1]) if path else None
    column = found.column(node.start)
    if not isinstance(above, Mapping):
        return found.changed(node.start, node.end, piece.at(column, tail=False))
    key = above.key(str(path[-1]))
    assert key is not None
    between = found.text[key.end : node.start]
    beside = "\n" not in between
    if piece.is_inline:
        if beside:
            column = _lines_column(found, key, node)
            return found.changed(node.start, node.end, piece.at(column, tail=False))
        if "#" not in between:
            start = key.end + between.index(":") + 1
            own = found.column(key.start) + _STEP
            return found.changed(start, node.end, f" {piece.at(own, tail=False)}")
        own = found.column(key.start)
        deeper = own + _STEP - column if column <= own else 0  # a list may stand below its key
        new = " " * deeper + piece.at(column + deeper, tail=False)
        return found.changed(node.start, node.end, new)
    if not beside and column > found.column(key.start):
        return found.changed(node.start, node.end, piece.at(column, tail=False))
    own = found.column(key.start) + _STEP
    tail = found.tail(node) if beside else ""
    start = key.end + between.index(":") + 1 if beside else found.text.rfind("\n", 0, node.start)
    new = f"{tail}\n{' ' * own}{piece.at(own, tail=False)}"
    return found.changed(start, node.end + len(tail), new)


def _lines_column(found: _Text, key: Scalar, node: YamlNode) -> int:
    """Return where further lines of a key's value begin: where they do now, if it has any."""
    lines = found.text[node.start : node.end].split("\n")[1:]
    now = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    own = found.column(key.start)
    return now if now > own else own + _STEP


def _put(text: str, path: Path, node: object, document: int) -> str:
    """Put a node, or a piece of text, before what is at a path."""
    found = _Text(text, document)
    above, step = found.node(path[:-1]), path[-1]
    piece = node if isinstance(node, _Fragment) else _rendered(node, block=isinstance(step, int))
    if isinstance(step, str):
        assert isinstance(above, Mapping)
        if above.get(step) is not None:
            raise CannotEdit(f"{_shown(path[:-1])} already has '{step}'")
        return _with_key(found, above, step, piece)
    assert isinstance(above, Sequence)
    count = len(above.items)
    if not 0 <= step <= count:
        raise CannotEdit(f"{_shown(path[:-1])} has {count} items: an index up to {count} is right")
    if not count and not _in_brackets(found, path[:-1]):
        return _replaced(found, path[:-1], _block_list(piece))
    if above.flow:
        if not count:
            at = above.end - 1  # behind comments that are all that is left
            return found.changed(at, at, piece.flow())
        if step < count:
            start = above.items[step].start
            at = found.lead(start)
            gap = ", " if at == start else f",\n{' ' * found.column(start)}"
            return found.changed(at, at, f"{piece.flow()}{gap}")
        last = above.items[-1]
        return _append_in_brackets(found, last.start, last.end, piece.flow())
    column = found.column(above.start)
    if step < count:
        at = found.lead(found.dash(above, step))
        return found.changed(at, at, f"{piece.item(column)}\n{' ' * column}")
    last = above.items[-1]
    at = last.end + len(found.tail(last))
    return found.changed(at, at, f"\n{' ' * column}{piece.item(column)}")


def _append_in_brackets(found: _Text, start: int, end: int, new: str) -> str:
    """Put an item behind the last one, which stands from start to end, and its comment."""
    comma, comment = _beside(found, end)
    if not comment:
        return found.changed(end, end, f", {new}")
    at = end + len(comma) + len(comment)
    pad = " " * found.column(start)
    return found.changed(end, at, f"{comma or ','}{comment}\n{pad}{new}{comma and ','}")


def _beside(found: _Text, end: int) -> tuple[str, str]:
    """Return the comma behind an item in brackets that ends there, and its comment."""
    comma = _COMMA.match(found.text, end)
    at = comma.end() if comma else end
    comment = _COMMENT.match(found.text, at)
    return comma[0] if comma else "", comment[0] if comment else ""


def _block_list(piece: _Fragment) -> _Fragment:
    return _Fragment(tuple(piece.item(0).split("\n")), [piece.data])


def _with_key(found: _Text, mapping: Mapping, key: str, piece: _Fragment) -> str:
    """Give a mapping a further key."""
    name = _dump(key, flow=True)
    if mapping.flow:
        pair = f"{name}: {piece.flow()}"
        if not mapping.entries:
            return found.changed(mapping.start, mapping.end, f"{{{pair}}}")
        last_key, last_value = mapping.entries[-1]
        return _append_in_brackets(found, last_key.start, last_value.end, pair)
    column = found.column(mapping.start)
    pad = " " * column
    if piece.is_inline:
        entry = f"{name}: {piece.at(column + _STEP)}"
    else:
        entry = f"{name}:\n{pad}{' ' * _STEP}{piece.at(column + _STEP)}"
    head = "".join(f"{comment}\n{pad}" for comment in piece.lead)
    for one, value in mapping.entries:
        if "\n" in found.text[one.start : value.end]:
            at = found.lead(one.start)
            return found.changed(at, at, f"{head}{entry}\n{pad}")
    last = mapping.entries[-1][1]
    at = last.end + len(found.tail(last))
    return found.changed(at, at, f"\n{pad}{head}{entry}")


def _cut(text: str, path: Path, document: int) -> tuple[str, _Fragment]:
    """Return a text without what is at a path, and the piece that was there."""
    found = _Text(text, document)
    above, node, step = found.node(path[:-1]), found.node(path), path[-1]
    if isinstance(above, Mapping):
        key = above.key(str(step))
        assert key is not None
        starts = [one.start for one, _ in above.entries]
        ends = [value for _, value in above.entries]
        index = starts.index(key.start)
        lead = found.lead(key.start)
        inner = found.text.index(":", key.end) + 1
    else:
        assert isinstance(above, Sequence)
        assert isinstance(step, int)
        flow, count = above.flow, len(above.items)
        starts = [it.start if flow else found.dash(above, n) for n, it in enumerate(above.items)]
        ends = [*above.items][:count]
        index = step
        lead = found.lead(starts[index])
        inner = starts[index] if flow else starts[index] + 1
    comments = found.text[lead : starts[index]] + found.text[inner : node.start]
    piece = found.piece(node, comments)
    before = ends[index - 1].end if index else above.start + 1
    after = starts[index + 1] if index + 1 < len(starts) else above.end - 1
    if above.flow and "#" in found.text[before : starts[index]] + found.text[node.end : after]:
        return _cut_in_brackets(found, lead, node, piece)
    if len(starts) == 1:
        if isinstance(above, Mapping):
            raise CannotEdit(f"'{step}' is the only key of {_shown(path[:-1])}: delete that")
        at, end = starts[0], node.end + len(piece.tail)
        bare = found.text[:lead] + found.text[at : node.end] + found.text[end:]
        rest = _Text(found.changed(0, len(found.text), bare), document)
        return _replaced(rest, path[:-1], _Fragment(("[]",), [])), piece
    if above.flow:
        if index + 1 < len(starts):
            return found.changed(starts[index], starts[index + 1], ""), piece
        return found.changed(ends[index - 1].end, node.end, ""), piece
    if index + 1 < len(starts):
        end = found.lead(starts[index + 1])
        kept = _comments(found.text[node.end + len(piece.tail) : end], found.column(starts[index]))
        return found.changed(lead, end, kept), piece
    before = ends[index - 1].end + len(found.tail(ends[index - 1]))
    kept = found.text[before:lead].rstrip() if "#" in found.text[before:lead] else ""
    return found.changed(before, node.end + len(piece.tail), kept), piece


def _cut_in_brackets(
    found: _Text, start: int, node: YamlNode, piece: _Fragment
) -> tuple[str, _Fragment]:
    """Cut an item with its comma and the comment beside it: comments of others stay."""
    comma, comment = _beside(found, node.end)
    end = node.end + len(comma) + len(comment)
    line = start - found.column(start)
    if not found.text[line:start].strip() and not found.text[end : found.line_end(end)].strip():
        start, end = line, min(found.line_end(end) + 1, len(found.text))
    return found.changed(start, end, ""), replace(piece, tail=comment)


def _comments(gap: str, column: int) -> str:
    """Return what is kept of the text between two items when the first goes: its comments."""
    if "#" not in gap:
        return ""
    lines = gap.split("\n")
    first = next(n for n, line in enumerate(lines) if line.strip())
    kept = "\n".join(lines[first:]).lstrip(" ")
    return kept if kept.endswith(" " * column) else f"{kept}{' ' * column}"


def _has_comment(line: str) -> bool:
    return bool(_COMMENT.search(" " + _QUOTED.sub("''", line)))


def _dedented(line: str, column: int) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return line[min(indent, column) :]


def _in_brackets(found: _Text, path: Path) -> bool:
    """Whether the value at a path stands in a list or mapping in brackets."""
    for depth in range(len(path)):
        above = found.node(path[:depth])
        if isinstance(above, Mapping | Sequence) and above.flow:
            return True
    return False


def _shown(path: Path) -> str:
    return "'" + ".".join(map(str, path)) + "'" if path else "the document"


# New data, by ruamel.yaml


class _Verbatim(str):
    """The text of a value that stands as it is."""


def _flow_of(value: Any) -> str:
    if isinstance(value, _Verbatim):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow_of, value)) + "]"
    if isinstance(value, dict):
        pairs = (f"{_dump(key, flow=True)}: {_flow_of(inner)}" for key, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    return _dump(value, flow=True)


def _rendered(value: object, style: str = "", *, block: bool = False) -> _Fragment:
    """Return new data as text; ``style`` is that of the scalar whose place it takes.

    With ``block`` even a short mapping has a line for each key, as nodes in lists have.
    """
    if isinstance(value, dict | list) and not value:
        return _Fragment(("{}" if isinstance(value, dict) else "[]",), value)
    return _Fragment(tuple(_dump(value, style=style, block=block).split("\n")), value)


def _dump(value: object, *, flow: bool = False, style: str = "", block: bool = False) -> str:
    """Return data as YAML without a line break at its end. Raises CannotEdit."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    writer = YAML()
    writer.width = 10**9
    writer.allow_unicode = True
    writer.brace_single_entry_mapping_in_flow_sequence = True
    writer.indent(mapping=_STEP, sequence=2 * _STEP, offset=_STEP)
    written = io.StringIO()
    try:
        styled = _styled(value, flow, style)
        if block and isinstance(value, dict):
            styled.fa.set_block_style()
        writer.dump(styled, written)
    except (YAMLError, TypeError, ValueError) as error:
        raise CannotEdit(f"this cannot be written as YAML: {error}") from None
    text = written.getvalue().removesuffix("\n").removesuffix("\n...")
    if not flow and isinstance(value, list):  # lists are written with an offset
        text = "\n".join(_dedented(line, _STEP) for line in text.split("\n"))
    return text


def _styled(value: Any, flow: bool, style: str = "") -> Any:
    """Return data in ruamel.yaml's types: what has no lists and mappings in it on one line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import (
        DoubleQuotedScalarString,
        LiteralScalarString,
        SingleQuotedScalarString,
    )

    if isinstance(value, MappingABC):
        made: Any = CommentedMap({k: _styled(v, flow) for k, v in value.items()})
        return _on_one_line(made, value.values(), flow)
    if isinstance(value, list | tuple):
        made = CommentedSeq([_styled(inner, flow) for inner in value])
        return _on_one_line(made, value, flow)
    if not isinstance(value, str):
        return value
    if "\n" in value:
        is_block = not flow and "\t" not in value and value.strip() == value.strip("\n")
        return LiteralScalarString(value) if is_block else DoubleQuotedScalarString(value)
    if style == '"' or (style != "'" and _is_trap(value)):
        return DoubleQuotedScalarString(value)
    return SingleQuotedScalarString(value) if style == "'" else value


def _on_one_line(made: Any, inner: Any, flow: bool) -> Any:
    inner = [*inner]
    leaf = not any(isinstance(one, MappingABC | list | tuple) for one in inner)
    is_short = leaf and not any("\n" in one for one in inner if isinstance(one, str))
    if flow or (is_short and sum(len(str(one)) + 4 for one in inner) < WIDTH):
        made.fa.set_flow_style()
    else:
        made.fa.set_block_style()
    return made


_TRAP = re.compile(r"[?:,\[\]{}&*!|>%@`'\"]|(?i:y|n|yes|no|on|off|~)$")


def _is_trap(text: str) -> bool:
    """Whether a plain scalar would not be read as this text, or only in some places."""
    return bool(_TRAP.match(text)) or text != text.strip() or any(it in text for it in ",[]{}")


# What the data is afterwards


def _verified(
    text: str,
    document: int,
    expected: Callable[[Any], Any],
    edited: Callable[[], str],
) -> str:
    """Return an edited text if it holds the data that it should."""
    before = [plain(one.root) for one in _Text(text, document).documents]
    before[document] = expected(before[document])
    new = edited()
    try:
        after = [plain(one.root) for one in _Text(new, document).documents]
    except CannotEdit as error:
        raise CannotEdit(f"this edit would leave a file that cannot be read: {error}") from None
    if after != before:
        raise CannotEdit("this edit would change more than it should: edit the file by hand")
    return new


def _below(data: Any, path: Path) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            raise CannotEdit(f"there is nothing at {_shown(path)}") from None
    return data


def _replacing(path: Path, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return how data is with what is at a path changed."""

    def replaced(data: Any) -> Any:
        _below(data, path)
        if not path:
            return change(data)
        step, inner = path[0], _replacing(path[1:], change)
        if isinstance(data, list):
            return [inner(one) if n == step else one for n, one in enumerate(data)]
        return {key: inner(one) if key == step else one for key, one in data.items()}

    return replaced


def _without(path: Path) -> Callable[[Any], Any]:
    if not path:
        raise CannotEdit("a whole document cannot be deleted: delete its file")

    def removed(above: Any) -> Any:
        if isinstance(above, list):
            return [one for n, one in enumerate(above) if n != path[-1]]
        return {key: one for key, one in above.items() if key != path[-1]}

    def changed(data: Any) -> Any:
        _below(data, path)
        return _replacing(path[:-1], removed)(data)

    return changed


def _with(path: Path, node: Any) -> Callable[[Any], Any]:
    if not path:
        raise CannotEdit("name a place below the document")

    def added(above: Any) -> Any:
        if isinstance(above, list) and isinstance(path[-1], int):
            return [*above[: path[-1]], node, *above[path[-1] :]]
        if isinstance(above, dict) and isinstance(path[-1], str):
            return {**above, path[-1]: node}
        wanted = "mapping: it has no keys" if isinstance(path[-1], str) else "list"
        raise CannotEdit(f"{_shown(path[:-1])} is not a {wanted}")

    return _replacing(path[:-1], added)

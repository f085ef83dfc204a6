"""Slips of people that are no misspelt name: units, quotes, indentation, types, habits of Python.

Each kind is made at every place where it can be made; `benchmarks.mutations` has those of names and
keys. What leaves a file as it was is no slip: `bench_mutants` leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.mutations import FREE, LABELS, PROSE, Mutation
from treec.check.base import FieldPlace, places
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode

INTENT = frozenset({"'not' forgotten", "'and' for 'or'", "bound turned round", "wrong agent type"})
"""Kinds that leave a correct file of another meaning: told only where something contradicts it."""

_CALL = re.compile(r"\b(\w+)\(([^(),]+), ([^(),]+)\)")
_COMPARED = re.compile(r"(==|!=) '(\w[\w ]*)'")
_NUMBER = re.compile(r"(<=?|>=?|==) (\d+)\b")
_FILTER = re.compile(r"\| (length|join|upper|lower|first|last|list)\b")
_PYTHON = {
    "length": "len",
    "join": "concat",
    "upper": "uppercase",
    "lower": "tolower",
    "first": "head",
    "last": "tail",
    "list": "tolist",
}
_SIMILAR = {"Robot": "Person", "Person": "Robot", "Place": "Robot", "Item": "Place"}


def slips(library: Library) -> Iterator[Mutation]:
    """Yield the slips that can be made in the library's own files."""
    names = {
        kind: [entry.name for entry in library.own(kind)]
        for kind in ("tree", "skill", "task", "action", "recipe", "decision")
    }
    for entry in library.entries:
        if library.pack_of(entry.path) is None:
            yield from _Slips(entry, names).all()


@dataclass(frozen=True, slots=True)
class _Slips:
    entry: AnyEntry
    names: dict[str, list[str]]

    @property
    def file(self) -> SourceFile:
        return self.entry.file

    def all(self) -> Iterator[Mutation]:
        for path, key, value, flow in _entries(self.entry.node, ()):
            yield from self._of_entry(path, key, value, flow)
        for sequence in _sequences(self.entry.node):
            yield from self._of_list(sequence)
        for place in places(self.entry):
            node = place.entry.at(*place.loc, key=place.key)
            if isinstance(node, Scalar) and isinstance(place.value, str) and not place.key:
                yield from self._of_place(place, node)
        yield from self._of_lines()

    def made(self, what: str, start: int, end: int, text: str, **more: int) -> Mutation:
        line = self.file.position(start)[0]
        return Mutation(
            f"{self.entry.kind}: {what}", self.file.path, line, start, end, text, **more
        )

    # Keys and values

    def _of_entry(
        self, path: tuple[str, ...], key: Scalar, value: YamlNode, flow: bool
    ) -> Iterator[Mutation]:
        text = self.file.text
        own = {info.alias or name for name, info in type(self.entry.model).model_fields.items()}
        is_field = len(path) == 0 and key.text in own
        colon = text.find(":", key.end)
        after = colon + 1
        if is_field:
            other = key.text[:-1] if key.text.endswith("s") else f"{key.text}s"
            if other not in own:
                yield self.made("key in the other number", key.start, key.end, other)
            yield self.made("key with a capital", key.start, key.end, key.text.capitalize())
            if "_" in key.text:
                yield self.made("hyphen in a key", key.start, key.end, key.text.replace("_", "-"))
            line = self.file.line(key.span.line)
            if isinstance(value, Scalar) and value.span.end_line == key.span.line and not flow:
                start = self.file.offset(key.span.line, 1)
                again = f"{key.text.capitalize()}{line[len(key.text) :]}\n"
                yield self.made("key again with a capital", start, start, again)
            yield self.made("equals sign for a colon", colon, after, " =")
        if text[after : after + 1] == " " and isinstance(value, Scalar) and not flow:
            yield self.made("no space after a colon", after, after + 1, "")
        if isinstance(value, Scalar) and value.span.line == value.span.end_line:
            yield from self._of_scalar(path, key, value, flow)
        elif isinstance(value, Mapping) and value.flow and value.entries and is_field:
            first = value.entries[0][0].text
            yield self.made("list for a mapping", value.start, value.end, f"[{first}]")
        elif isinstance(value, Sequence) and value.flow and value.items and is_field:
            yield self.made("mapping for a list", value.start, value.end, "{a: b}")
        if is_field and isinstance(value, Mapping | Sequence) and value.span.line == key.span.line:
            yield self.made("text for a list or mapping", value.start, value.end, "word")

    def _of_scalar(
        self, path: tuple[str, ...], key: Scalar, value: Scalar, flow: bool
    ) -> Iterator[Mutation]:
        text, words = self.file.text, value.text
        is_prose = key.text in PROSE | FREE | LABELS
        start, end = value.start, value.end
        if value.style in "'\"" and end - start > 2:
            yield self.made("closing quote missing", end - 1, end, "")
            yield self.made("opening quote missing", start, start + 1, "")
            curly = "“" + words + "”"
            if not is_prose and words.isidentifier():
                yield self.made("typographic quotes", start, end, curly)
        if isinstance(value.value, bool):
            yield self.made("'yes' for true", start, end, "yes")
        elif isinstance(value.value, int | float):
            yield self.made("number with a unit", start, end, f"{words} percent")
            yield self.made("comma in a number", start, end, f"1,{words}" if not flow else "1 0")
        if is_prose or not isinstance(value.value, str):
            return
        if re.fullmatch(r"\d+(\.\d+)?(ms|s|m|h)", words):
            yield self.made("unknown unit", start, end, re.sub(r"\D+$", " minuts", words))
            yield self.made("negative duration", start, end, f"-{words}")
            yield self.made("unit alone", start, end, re.sub(r"^[\d.]+", "", words))
        if words.startswith("$") and value.style == "plain":
            yield self.made("two dollars", start, start, "$")
            yield self.made("braces after a dollar", start, end, f"'${{{words[1:]}}}'")
        for kind, known in self.names.items():
            if key.text == kind and words in known and path:
                other = next((n for k in self.names if k != kind for n in self.names[k]), None)
                if other is not None and other not in known:
                    yield self.made("name of another kind", start, end, other)
                changed = "".join(part.title() for part in words.split("_"))
                if changed != words:
                    yield self.made("name in camel case", start, end, changed)
                yield self.made("name of before a rename", start, end, f"old_{words}")
                yield self.made("name left out", start, end, "")
        if flow and text[end : end + 2] == ", ":
            yield self.made("comma missing", end, end + 1, "")

    def _of_list(self, node: Sequence) -> Iterator[Mutation]:
        text = self.file.text
        for item in node.items:
            if node.flow:
                if text[item.end : item.end + 2] == ", " and isinstance(item, Scalar):
                    yield self.made("comma twice", item.end, item.end + 1, ",,")
                continue
            line = item.span.line
            start = self.file.offset(line, 1)
            dash = text.find("-", start)
            if isinstance(item, Mapping) and not item.flow and text[dash : dash + 2] == "- ":
                yield self.made("dash missing", dash, dash + 1, " ")
            if text[dash : dash + 2] == "- ":
                yield self.made("no space after a dash", dash + 1, dash + 2, "")

    # Expressions and templates

    def _of_place(self, place: FieldPlace, node: Scalar) -> Iterator[Mutation]:
        if place.kind not in ("expression", "text", "type"):
            return
        raw = self.file.text[node.start : node.end]
        if place.kind == "type":
            for known, other in _SIMILAR.items():
                if f"in {known}" in raw:
                    at = node.start + raw.index(known)
                    yield self.made("wrong agent type", at, at + len(known), other)
            return
        if place.kind == "expression":
            yield from self._of_code(node.start, raw, 0)
            inner = raw.strip("'\"")
            if node.style == "plain":
                wrapped = f'"{{{{ {inner} }}}}"'.replace("\n", " ")
                if '"' not in inner and node.span.line == node.span.end_line:
                    yield self.made("braces around an expression", node.start, node.end, wrapped)
            return
        for found in re.finditer(r"{[{%].*?[%}]}", raw):
            yield from self._of_code(node.start, found[0], found.start())
        opened: list[int] = []
        for found in re.finditer(r"{%-? *(end)?(if|for)\b.*?%}", raw):
            at = node.start + found.start()
            if not found[1]:
                opened.append(self.file.position(at)[0])
            elif opened:
                end = node.start + found.end()
                yield self.made("end of a block missing", at, end, "", first=opened.pop())
        for found in re.finditer(r"{% (if|for) ", raw):
            at = node.start + found.start(1)
            yield self.made("block misspelt", at, at + len(found[1]), f"{found[1]}f")
        for found in re.finditer(r"{{ ", raw):
            at = node.start + found.start()
            yield self.made("one brace too few", at, at + 1, "")

    def _of_code(self, start: int, code: str, shift: int) -> Iterator[Mutation]:
        begin = start + shift
        quoted = [found.span() for found in re.finditer(r"'[^'\n]*'|\"[^\"\n]*\"", code)]
        code = "".join(
            "\0" if any(first < at < last - 1 for first, last in quoted) else sign
            for at, sign in enumerate(code)
        )
        whole = self.file.text[begin : begin + len(code)]

        def at(what: str, match: re.Match[str], group: int | str, text: str) -> Mutation:
            return self.made(what, begin + match.start(group), begin + match.end(group), text)

        for word, other in (("and", "&&"), ("or", "||"), ("not", "!"), ("none", "null")):
            for found in re.finditer(rf"\b{word}\b", code):
                yield at(f"'{other}' for '{word}'", found, 0, other)
        for found in re.finditer(r"\band\b", code):
            yield at("'and' for 'or'", found, 0, "or")
        for found in re.finditer(r"\bnot (?!in\b)", code):
            yield at("'not' forgotten", found, 0, "")
        for found in re.finditer(r" (==|!=) ", code):
            yield at("three equals signs", found, 1, "===")
            yield at("'is' for '=='", found, 1, "=" if found[1] == "==" else "<>")
        for found in _COMPARED.finditer(whole):
            yield at("text without quotes", found, 0, f"{found[1]} {found[2].replace(' ', '_')}q")
            yield at("wrong word", found, 2, "something")
            yield at("typographic quotes in an expression", found, 0, f"{found[1]} ‘{found[2]}’")
        for found in _NUMBER.finditer(code):
            yield at("quoted number", found, 2, f"'{found[2]}'" if "'" not in code else "zz")
            yield at("percent sign", found, 2, f"{found[2]}%")
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(found[1])
            if turned is not None:
                yield at("bound turned round", found, 1, turned)
        for found in _CALL.finditer(code):
            name, one, two = (whole[slice(*found.span(group))] for group in (1, 2, 3))
            yield at("arguments swapped", found, 0, f"{name}({two}, {one})")
            yield at("comma missing in a call", found, 0, f"{name}({one} {two})")
        for found in _FILTER.finditer(code):
            yield at("filter of another language", found, 1, _PYTHON[found[1]])
            yield at("method for a filter", found, 0, f".{found[1]}()")
        for found in re.finditer(r"\w(\()", code):
            yield at("square bracket for a round one", found, 1, "[")
        for found in re.finditer(r"(\.)\w", code):
            yield at("arrow for a dot", found, 1, "->")

    # Lines

    def _of_lines(self) -> Iterator[Mutation]:
        lines = self.file.text.split("\n")
        at = 0
        block: int | None = None
        for number, line in enumerate(lines, 1):
            indent = len(line) - len(line.lstrip())
            if block is not None and line.strip() and indent <= block:
                block = None
            is_code = block is None and line.strip() and not line.lstrip().startswith("#")
            is_key = re.match(r" *(- )?[\w ]+:( |$)", line)
            if is_code and is_key:
                if indent:
                    yield self.made("tab for spaces", at, at + indent, "\t" * (indent // 2 or 1))
                    yield self.made("one space too few", at, at + 1, "", first=max(number - 1, 1))
                yield self.made("one space too many", at, at, " ", first=max(number - 1, 1))
                yield self.made("line of a merge conflict", at, at, "<<<<<<< HEAD\n")
            if block is None and re.search(r": [|>][-+]?\s*$", line):
                block = indent
            at += len(line) + 1


def _entries(
    node: YamlNode, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Scalar, YamlNode, bool]]:
    """Yield each key with the keys above it, its value, and whether it is in braces."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _entries(item, path)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield path, key, value, node.flow
            yield from _entries(value, (*path, key.text))


def _sequences(node: YamlNode) -> Iterator[Sequence]:
    if isinstance(node, Sequence):
        yield node
        for item in node.items:
            yield from _sequences(item)
    elif isinstance(node, Mapping):
        for _, value in node.entries:
            yield from _sequences(value)

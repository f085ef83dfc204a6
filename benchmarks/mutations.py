"""Single mutations of a library's files: each is one slip of an author, at one place.

A kind of mutation is a kind of file, a place in it and what is wrong there: ``skill: name misspelt
in an expression``. Prose and names that an author is free to choose, among them names that no other
place uses, are left alone: no check can tell that they are wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from pydantic import BaseModel

from treec.check.base import FieldPlace, places
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.nodes import NodeBase
from treec.source.expression import Expression
from treec.source.text import SourceFile, Span
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode, read_documents, scalars
from treec.team.names import team_functions


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of one file: the text at an offset is replaced."""

    kind: str
    path: str
    line: int
    """The line that is changed."""
    start: int
    end: int
    text: str
    first: int | None = None
    """Of a removed line: what has lost it begins at the lines from this one to ``line``."""

    def is_at(self, line: int) -> bool:
        """Whether a line is the one that was changed."""
        return (self.first or self.line) <= line <= self.line

    def apply(self, text: str) -> str:
        """Return the file's text with the mutation."""
        return text[: self.start] + self.text + text[self.end :]


PROSE = frozenset(
    {
        *("about", "says", "also", "reason", "because", "like", "tell", "quote", "user_input"),
        *("chat", "message", "say", "words", "name", "description", "script", "serves", "seed"),
        *("missing", "bodies", "api_base", "version", "log", "constraints"),
    }
)
"""Fields that hold words for people, and free choices."""
DECLARED = frozenset(
    {
        *("args", "ports", "vars", "types", "facts", "state", "derived", "objects", "subtasks"),
        *("acts", "cases"),
    }
)
"""Fields whose keys declare names."""
LABELS = frozenset({"planners", "questions"})
"""Fields whose keys are names of the author's own, by which nothing asks."""
USED = frozenset({"decision", "action", "reading", "program", "domain", "scene", "agent"})
"""Kinds of files whose names others use."""
FREE = frozenset(
    {"reasoning", "program", "text", "said", "title", "note", "plan", "steps", "so_far", "recent"}
)
"""Keys of plain data that hold words."""
LANGUAGE = frozenset(
    {
        *("spellings", "articles", "endings", "forms", "irregular", "synonyms", "speaker", "all"),
        *(
            "pronouns",
            "anything",
            "states",
            "ordinals",
            "fillers",
            "joins",
            "guards",
            "unmeant",
            "asking",
            "own_words",
            "letting",
            "addressing",
            "listing",
            "polite",
            "particles",
            "excepting",
            "lending",
            "receivers",
            "lasting",
        ),
    }
)
"""Fields of hearing files that hold words of a language: any word may be one of them."""
FOR_PEOPLE = frozenset({("camera", "model"), ("tree", "failed")})
"""Kinds of files with fields that only people read: a camera's product, why something failed."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"\w+")
_STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_SEARCHED = re.compile(r"[^\[]*\]\s*\|\s*select\('in'")
_SOUGHT = re.compile(r"\s+(?:not )?in (?:\w+\.)*(?:quote|user_input)\b")
_KEYWORDS = frozenset(
    {
        *("and", "or", "not", "in", "is", "if", "else", "elif", "endif", "for", "endfor", "set"),
        *("endset", "true", "false", "none", "True", "False", "None", "recursive", "with"),
        *("endwith", "loop", "super"),
    }
)
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def mutations(library: Library) -> Iterator[Mutation]:
    """Yield every mutation of the files of a library that is known here."""
    files = {entry.path: entry.file.text for entry in library.entries}
    words = Counter(word for text in files.values() for word in _WORD.findall(text))
    for entry in library.entries:
        if library.pack_of(entry.path) is not None:
            continue
        yield from _Mutator(entry, words).all()
    for path, file in _graphs(library):
        yield from _of_graph(path, file)
    for decision in library.own("decision"):
        yield from _hidden_state(library, decision)


def _hidden_state(library: Library, decision: AnyEntry) -> Iterator[Mutation]:
    """Remove the one line of an observation that renders what an offer speaks of."""
    offers = [e.model.offer for e in library.entries if getattr(e.model, "offer", None) is not None]
    conditions = [Expression.parse(o.when) for o in offers if o.to == decision.name]
    names = {use.name for condition in conditions for use in condition.names}
    lines = decision.file.text.splitlines()
    only: set[int] = set()
    for name in names.intersection(decision.model.sees):
        shown = [n for n, line in enumerate(lines, 1) if re.search(rf"{{[{{%].*\b{name}\b", line)]
        if len(shown) == 1 and "{%" not in lines[shown[0] - 1]:
            only.update(shown)
    for line in sorted(only):
        start, end = decision.file.offset(line, 1), decision.file.offset(line + 1, 1)
        kind = "decision: state that an offer speaks of not rendered"
        yield Mutation(kind, decision.path, line, start, end, "")


def sample(found: Iterable[Mutation], most: int, seed: int) -> list[Mutation]:
    """Return at most so many mutations of each kind, drawn with a seed, in order of their kinds."""
    kinds: dict[str, list[Mutation]] = {}
    for mutation in found:
        kinds.setdefault(mutation.kind, []).append(mutation)
    drawn = []
    for kind in sorted(kinds):
        random = Random(f"{seed} {kind}")
        drawn += random.sample(kinds[kind], min(most, len(kinds[kind])))
    return drawn


def misspell(name: str) -> str:
    """Return a name with two letters swapped, or one doubled where that changes nothing."""
    for at in range(len(name) // 2, len(name) - 1):
        one, two = name[at], name[at + 1]
        if one != two and one.isalnum() and two.isalnum():
            return name[:at] + two + one + name[at + 2 :]
    return name + name[-1:] if name else "x"


@dataclass(frozen=True, slots=True)
class _Mutator:
    """Mutates one entry of a library."""

    entry: AnyEntry
    words: Counter[str]
    """How often each word stands in the library."""

    def all(self) -> Iterator[Mutation]:
        node = self.entry.node
        yield from self._mapping(node, self.entry.model, ())
        for place in places(self.entry):
            yield from self._place(place)
        yield from self._special(node)

    def _made(self, what: str, span: Span, text: str, line: int | None = None) -> Mutation:
        file = self.entry.file
        start = file.offset(span.line, span.column)
        end = file.offset(span.end_line, span.end_column)
        kind = f"{self.entry.kind}: {what}"
        return Mutation(kind, self.entry.path, line or span.line, start, end, text)

    # Keys, and the values that no field's type says more of than that they are text

    def _mapping(
        self, node: YamlNode, model: object, loc: tuple[str | int, ...]
    ) -> Iterator[Mutation]:
        if isinstance(node, Sequence) and isinstance(model, list):
            for index, (item, value) in enumerate(zip(node.items, model, strict=False)):
                yield from self._mapping(item, value, (*loc, index))
        if not isinstance(node, Mapping) or not isinstance(model, BaseModel):
            return
        fields = {info.alias or name: name for name, info in type(model).model_fields.items()}
        at_places = {place.loc for place in places(self.entry)}
        for number, (key, value) in enumerate(node.entries):
            name = fields.get(key.text)
            if name is None:  # a fact of an object, a port of a node of one's own
                yield self._made("fact's or port's name misspelt", key.span, misspell(key.text))
                continue
            yield self._made("key misspelt", key.span, misspell(key.text))
            yield from self._line_changes(node, number, type(model), name)
            if (*loc, key.text) in at_places or name in PROSE:
                continue
            if (self.entry.kind, name) in FOR_PEOPLE:
                continue
            if self.entry.kind == "hearing" and name in LANGUAGE:
                continue
            if not loc and key.text == self.entry.kind:
                if self.entry.kind in USED:
                    yield self._made("own name misspelt", value.span, misspell(self.entry.name))
                continue
            yield from self._field(value, getattr(model, name), (*loc, key.text), name)

    def _line_changes(
        self, node: Mapping, number: int, model: type[BaseModel], name: str
    ) -> Iterator[Mutation]:
        key, value = node.entries[number]
        if node.flow or value.span.end_line != key.span.line:
            return
        file, line = self.entry.file, key.span.line
        start, text = file.offset(line, 1), file.line(line)
        if text.lstrip() != text[key.span.column - 1 :]:  # the first key after "- "
            return
        first = node.entries[0][0].span.line
        kind = f"{self.entry.kind}: key"
        repeated = f"{text}\n"
        yield Mutation(f"{kind} twice", self.entry.path, line + 1, start, start, repeated)
        if model.model_fields[name].is_required():
            end = start + len(text) + 1
            above = max(first - 1, 1)
            yield Mutation(f"{kind} missing", self.entry.path, first, start, end, "", above)

    def _field(
        self, node: YamlNode, value: object, loc: tuple[str | int, ...], name: str
    ) -> Iterator[Mutation]:
        """Mutate a field that is no expression, text, value or type."""
        if any(place.loc[: len(loc)] == loc for place in places(self.entry)):
            yield from self._named_values(node, value, loc, name)
            return
        if isinstance(value, BaseModel | list) and not _plain(value):
            yield from self._mapping(node, value, loc)
            return
        if isinstance(node, Mapping) and isinstance(value, dict):
            yield from self._named_values(node, value, loc, name)
            return
        for scalar in scalars(node):
            yield from self._scalar(scalar, f"name misspelt in '{name}'", name)

    def _named_values(
        self, node: Mapping, value: object, loc: tuple[str | int, ...], name: str
    ) -> Iterator[Mutation]:
        if isinstance(value, BaseModel | list):
            yield from self._mapping(node, value, loc)
        if not isinstance(node, Mapping) or not isinstance(value, dict):
            return
        at_places = {place.loc for place in places(self.entry)}
        for key, below in node.entries:
            if name not in DECLARED | LABELS:
                yield self._made(f"key misspelt in '{name}'", key.span, misspell(key.text))
            if self.entry.kind in ("hearing", "reading") and name in ("hears", "rules"):
                yield from self._templates(below, name)
                continue
            inner = value.get(key.text)
            here = (*loc, key.text)
            if here in at_places or key.text in PROSE:
                continue
            if isinstance(inner, BaseModel) or (isinstance(inner, list) and not _plain(inner)):
                yield from self._mapping(below, inner, here)
            else:
                for scalar in scalars(below):
                    yield from self._scalar(scalar, f"name misspelt in '{name}'", key.text)

    def _templates(self, node: YamlNode, name: str) -> Iterator[Mutation]:
        """Mutate slots, rules and brackets of sentence templates; their words are free."""
        for key, needs in _entries_of(node):
            if key.text == "needs" and isinstance(needs, Scalar):
                yield self._made(f"'needs' misspelt in '{name}'", needs.span, misspell(needs.text))
        for scalar in scalars(node):
            for what, match in _template_parts(scalar.text):
                span = scalar.at(match.start(1), len(match[1]))
                if _same(scalar.file, span, match[1]):
                    wrong = "" if what == "bracket missing" else misspell(match[1])
                    yield self._made(f"{what} in '{name}'", span, wrong)

    def _scalar(self, scalar: Scalar, what: str, field: str) -> Iterator[Mutation]:
        value = scalar.value
        if field in PROSE or field in FREE or not scalar.text:
            return
        if field == "task" and self.entry.kind in ("problem", "scenario"):
            return  # words of a person
        span = scalar.span
        if isinstance(value, str):
            if value.endswith(".db"):
                return  # a memory that runs make: any name is one
            if re.fullmatch(r"[\d_]+", value):  # 250_000
                yield self._made("word where a number is due", span, "much")
                return
            if len(value) <= 40 and span.line == span.end_line and "\n" not in value:
                inner = _inside_quotes(scalar)
                yield self._made(what, inner, misspell(value))
        elif isinstance(value, bool):
            yield self._made("number where true or false is due", span, "7")
        elif isinstance(value, int | float):
            yield self._made("word where a number is due", span, "much")

    # Typed texts

    def _place(self, place: FieldPlace) -> Iterator[Mutation]:
        node = place.entry.at(*place.loc, key=place.key)
        if place.field in ("reasoning",):
            return
        if place.kind == "value":
            if place.field not in PROSE:
                yield from self._data(node, place.field)
            return
        if not isinstance(node, Scalar) or not isinstance(place.value, str | float | int):
            return
        text = node.text
        match place.kind:
            case "expression":
                shift = place.shift
                yield from self._code(node, text[shift:], shift, "an expression")
                if text.count("(") and text.rstrip().endswith(")"):
                    at = text.rindex(")")
                    yield self._made("bracket missing", node.at(at, 1), "")
                if " == " in text:
                    at = text.index(" == ")
                    yield self._made("'=' for '=='", node.at(at, 4), " = ")
            case "text":
                for match in _CODE.finditer(text):
                    yield from self._code(node, match[0], match.start(), "a template")
                    if match[0].startswith("{{"):
                        yield self._made("brace missing", node.at(match.end() - 1, 1), "")
            case "type":
                for match in _NAME.finditer(text):
                    if match[0] not in ("or", "list", "of", "none", "in", "out", "inout"):
                        span = node.at(match.start(), len(match[0]))
                        yield self._made("type misspelt", span, misspell(match[0]))
            case "import":
                module, _, name = text.partition(":")
                if name:
                    last = module.rpartition(".")[2]
                    at = len(module) - len(last)
                    yield self._made(
                        f"module misspelt in '{place.loc[0]}'",
                        node.at(at, len(last)),
                        misspell(last),
                    )
                    yield self._made(
                        f"class misspelt in '{place.loc[0]}'",
                        node.at(len(module) + 1, len(name)),
                        misspell(name),
                    )
            case "duration":
                yield self._made("unknown unit of time", node.span, "12 sek")
                if place.field in ("timeout", "within"):
                    yield self._made(f"'{place.field}: 0s'", node.span, "0s")
            case "steps":
                yield from self._code(node, text, 0, "steps")

    def _code(self, node: Scalar, text: str, shift: int, where: str) -> Iterator[Mutation]:
        strings = [(m.start(), m.end()) for m in _STRING.finditer(text)]
        for start, end in strings:
            inner = text[start + 1 : end - 1]
            listed = _SEARCHED.search(text, end) and text[start - 1 : start] in "[ "
            if listed or _SOUGHT.match(text, end):
                continue  # words that are looked for in what a person says
            if _NAME.fullmatch(inner) and len(inner) > 2 and where != "a template":
                span = node.at(shift + start + 1, len(inner))
                yield self._made(f"string misspelt in {where}", span, misspell(inner))
        for match in _NAME.finditer(text):
            at, name = match.start(), match[0]
            if name in _KEYWORDS or any(start <= at < end for start, end in strings):
                continue
            before, after = text[:at].rstrip(), text[match.end() :].lstrip()
            if before.endswith(("set", "{% set", "for", ",")) and where == "a template":
                continue  # binds it
            if re.match(r"=[^=]", after):  # a keyword's name
                continue
            span = node.at(shift + at, len(name))
            if not _same(node.file, span, name):
                continue
            if before.endswith("."):
                what = "field misspelt"
            elif before.endswith("|"):
                what = "filter misspelt"
            elif before.endswith(" is"):
                what = "test misspelt"
            elif after.startswith("("):
                what = "function misspelt"
                optional = name in (known := team_functions()) and known[name].optional
                if not optional:  # such a call may have more arguments or fewer
                    yield from self._call(node, text, shift, match.end(), where)
            else:
                what = "name misspelt"
            yield self._made(f"{what} in {where}", span, misspell(name))

    def _call(self, node: Scalar, text: str, shift: int, at: int, where: str) -> Iterator[Mutation]:
        """Take an argument from a simple call, or add one."""
        found = re.compile(r"\(([^()]*)\)").match(text, at)
        if found is None or "'" in found[1] or '"' in found[1]:
            return
        span = node.at(shift + found.start(1), len(found[1]))
        if not found[1].strip() or not _same(node.file, span, found[1]):
            return
        fewer = found[1].rpartition(",")[0]
        yield self._made(f"argument missing in {where}", span, fewer)
        yield self._made(f"argument too many in {where}", span, f"{found[1]}, 1")

    # Plain data

    def _data(self, node: YamlNode, field: str) -> Iterator[Mutation]:
        for scalar, key in _values(node, field):
            if key in PROSE or key in FREE or (self.entry.kind, key) in FOR_PEOPLE:
                continue
            value, span = scalar.value, scalar.span
            if not isinstance(value, str) or span.line != span.end_line:
                continue
            if value.startswith("$"):
                inner = _inside_quotes(scalar)
                first = value[1:].split(".")[0]
                yield self._made("'$name' misspelt in a value", inner, f"${misspell(first)}")
                yield self._made("index in a value", span, f'"{value}[0]"')
                yield self._made("template where a value is due", span, f'"{{{{ {value[1:]} }}}}"')
                if field not in ("given", "set"):
                    yield self._made(f"'{field}': list for '$name'", span, "[7]")
            elif field == "given" and self.entry.kind == "plan":
                continue  # names of its own
            elif len(value) <= 40 and re.fullmatch(r"[\w ]+", value):
                inner = _inside_quotes(scalar)
                yield self._made(f"name misspelt in data of '{field}'", inner, misspell(value))
        for key in _keys(node):
            yield self._made(f"key misspelt in data of '{field}'", key.span, misspell(key.text))

    # What only one kind of file has

    def _special(self, node: Mapping) -> Iterator[Mutation]:
        match self.entry.kind:
            case "skill":
                yield from self._timeout(node)
            case "tree":
                yield from self._tree(node)
            case "scenario":
                for scalar, key in _under(node, "means"):
                    if key in ("subtasks", "agent", "task", "recipe", "item"):
                        span = _inside_quotes(scalar)
                        yield self._made(f"{key} misspelt in 'means'", span, misspell(scalar.text))
            case "task":
                for pattern in _scalars_of(node, "says"):
                    for match in re.finditer(r"<(\w+)>", pattern.text):
                        span = pattern.at(match.start(1), len(match[1]))
                        yield self._made("argument misspelt in 'says'", span, misspell(match[1]))
        yield from self._declared(node)

    def _timeout(self, node: Mapping) -> Iterator[Mutation]:
        timeout, takes = node.get("timeout"), node.get("takes")
        if isinstance(timeout, Scalar) and isinstance(takes, Scalar) and takes.text != "0s":
            yield self._made("timeout below the skill's own duration", timeout.span, "1s")

    def _tree(self, node: Mapping) -> Iterator[Mutation]:
        for key, scalar in _entries_of(node):
            if key.text in ("repeat", "retry") and isinstance(scalar, Scalar):
                yield self._made(f"'{key.text}: 0'", scalar.span, "0")
            if key.text == "for" and isinstance(scalar, Scalar) and " in " in scalar.text:
                items = scalar.text.partition(" in ")[2]
                at = len(scalar.text) - len(items)
                span = scalar.at(at, len(items))
                yield self._made("loop over things instead of agents", span, "['table']")
            if key.text == "with" and isinstance(scalar, Mapping):
                for name, value in scalar.entries:
                    what = "argument of the wrong type for a subtree"
                    if isinstance(value, Scalar):
                        wrong = "user" if name.text == "agent" else "12"
                        yield self._made(what, value.span, wrong)
            if (
                key.text == "wait"
                and isinstance(scalar, Mapping)
                and not key.file.text.count("on_")
            ):
                line = key.span.line
                if "then" in node_keys(node):
                    start = key.file.offset(line, 1)
                    end = key.file.offset(line + 1, 1)
                    yield Mutation(
                        "tree: worker tree that never waits",
                        self.entry.path,
                        line,
                        start,
                        end,
                        "",
                    )
        for name, _ in _pairs(node.get("vars")):
            for key, scalar in _entries_of(node):
                if key.text == "into" and isinstance(scalar, Scalar) and scalar.text == name.text:
                    start = self.entry.file.offset(key.span.line, 1)
                    end = self.entry.file.offset(key.span.line + 1, 1)
                    yield Mutation(
                        "tree: variable read and never set",
                        self.entry.path,
                        name.span.line,
                        start,
                        end,
                        "",
                    )

    def _declared(self, node: Mapping) -> Iterator[Mutation]:
        """Misspell names where they are declared: what uses them is wrong then."""
        for key, value in node.entries:
            if key.text in DECLARED and isinstance(value, Mapping):
                for name, _ in value.entries:
                    if all(self.words[word] < 2 for word in _WORD.findall(name.text)):
                        continue  # nothing uses it
                    what = f"name misspelt where '{key.text}' declares it"
                    yield self._made(what, name.span, misspell(name.text))


def node_keys(node: Mapping) -> set[str]:
    """Return the keys of a mapping."""
    return {key.text for key, _ in node.entries}


def _template_parts(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what can be misspelt in a sentence template, as group 1 of a match."""
    for what, pattern in (
        ("slot misspelt", r"\{(?:\w+:)?(\w+)\}"),
        ("rule misspelt", r"<(\w+)>"),
        ("bracket missing", r"[\w}>]([\])}])"),
    ):
        yield from ((what, match) for match in re.finditer(pattern, text))


def _plain(value: object) -> bool:
    """Whether plain data holds no model."""
    if isinstance(value, list):
        return all(_plain(item) for item in value)
    return not isinstance(value, BaseModel | NodeBase)


def _inside_quotes(scalar: Scalar) -> Span:
    return scalar.at(0, len(scalar.text))


def _same(file: SourceFile, span: Span, text: str) -> bool:
    """Whether a span holds a text as it is, without escapes and line breaks."""
    start = file.offset(span.line, span.column)
    return file.text[start : file.offset(span.end_line, span.end_column)] == text


def _values(node: YamlNode, key: str) -> Iterator[tuple[Scalar, str]]:
    """Yield each scalar of plain data with the nearest key above it."""
    if isinstance(node, Scalar):
        yield node, key
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _values(item, key)
    elif isinstance(node, Mapping):
        for name, value in node.entries:
            yield from _values(value, name.text)


def _keys(node: YamlNode) -> Iterator[Scalar]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _keys(item)
    elif isinstance(node, Mapping):
        for name, value in node.entries:
            yield name
            yield from _keys(value)


def _pairs(node: YamlNode | None) -> tuple[tuple[Scalar, YamlNode], ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _entries_of(node: YamlNode) -> Iterator[tuple[Scalar, YamlNode]]:
    """Yield every key with its value, at any depth."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _entries_of(item)
    for key, value in _pairs(node):
        yield key, value
        yield from _entries_of(value)


def _under(node: YamlNode, name: str) -> Iterator[tuple[Scalar, str]]:
    for key, value in _entries_of(node):
        if key.text == name:
            yield from _values(value, name)


def _scalars_of(node: Mapping, key: str) -> Iterator[Scalar]:
    found = node.get(key)
    return scalars(found) if found is not None else iter(())


# Task graphs and layouts, which are no entries


def _graphs(library: Library) -> Iterator[tuple[str, SourceFile]]:
    named = {e.model.graph for e in library.own("problem") if getattr(e.model, "graph", None)}
    for path in sorted(named):
        yield path, SourceFile(path, (library.root / path).read_text("utf-8"))


def _of_graph(path: str, file: SourceFile) -> Iterator[Mutation]:
    documents, _ = read_documents(file)

    def made(what: str, span: Span, text: str) -> Mutation:
        start = file.offset(span.line, span.column)
        end = file.offset(span.end_line, span.end_column)
        return Mutation(f"task graph: {what}", path, span.line, start, end, text)

    for document in documents:
        for key, value in _entries_of(document.root):
            if key.text in ("name", "edge", "type", "arm_num", "description"):
                yield made("key misspelt", key.span, misspell(key.text))
            if key.text == "name" and isinstance(value, Scalar) and '"' in value.text:
                thing = value.text.split('"')[1]
                at = value.text.index('"') + 1
                yield made("thing misspelt", value.at(at, len(thing)), misspell(thing))
                verb = value.text.split()[0]
                yield made("verb misspelt", value.at(0, len(verb)), misspell(verb))
            if key.text == "edge" and isinstance(value, Sequence) and value.items:
                yield made("edge to no node", value.items[0].span, "77")
            if key.text == "type" and isinstance(value, Scalar):
                yield made("type misspelt", value.span, misspell(value.text))
            if key.text == "arm_num" and isinstance(value, Scalar):
                yield made("word for a number of arms", value.span, "both")

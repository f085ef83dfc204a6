"""The nodes of a TOML file say where its keys and values stand; what they are, tomllib says."""

from __future__ import annotations

from treec.source.text import SourceFile
from treec.source.toml import read_toml
from treec.source.yaml import Mapping, locate

TEXT = '''\
# a library
[library]
exclude = [
  "tests", # what is tried
  'docs, "too" # no comment',
]
"a key" = 1

[limits] # below
time = "10\\"m" # a comment
model.name = """two
lines = no key
"""
cost = { most = 0.5, least = [1, 2] }
[[runs]]
name = 1979-05-27 07:32:00
[a . 'b']
c = true'''


def place(*loc: str | int, key: bool = False) -> tuple[int, int, str]:
    file = SourceFile("treec.toml", TEXT)
    _, root, problems = read_toml(file)
    assert not problems
    node = locate(root, loc, key=key)
    span = node.span
    return span.line, span.column, file.text[node.start : node.end]


def test_keys_and_values_stand_where_they_stand() -> None:
    assert place("library", key=True) == (2, 2, "library")
    assert place("library", "exclude", 1) == (5, 3, "'docs, \"too\" # no comment'")
    assert place("library", "a key", key=True) == (7, 2, "a key")
    assert place("limits", "time") == (10, 8, '"10\\"m"')
    assert place("limits", "model", "name", key=True) == (11, 7, "name")
    assert place("limits", "cost", "least", 1) == (14, 34, "2")
    assert place("runs", "name") == (16, 8, "1979-05-27 07:32:00")
    assert place("a", "b", "c") == (18, 5, "true")


def test_every_key_that_tomllib_finds_has_its_place() -> None:
    data, root, _ = read_toml(SourceFile("treec.toml", TEXT))

    def keys(value: object) -> object:
        return {n: keys(v) for n, v in value.items()} if isinstance(value, dict) else None

    def nodes(node: object) -> object:
        return {k.text: nodes(v) for k, v in node.entries} if isinstance(node, Mapping) else None

    assert keys({**data, "runs": data["runs"][0]}) == nodes(root)


def test_what_is_no_toml_is_told_with_its_place() -> None:
    data, _, (problem,) = read_toml(SourceFile("treec.toml", "[limits]\ntokens = = 3\n"))
    assert data == {}
    assert (problem.code, problem.span.line, problem.span.column) == ("TC003", 2, 10)
    _, _, (problem,) = read_toml(SourceFile("treec.toml", "[limits]\nname = 'x\n"))
    assert problem.span.line == 2
    assert problem.message.startswith("this is not TOML: ")

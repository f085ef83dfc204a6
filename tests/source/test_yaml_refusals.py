"""What is refused: the code, the exact place, and what would be right."""

import pytest

from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

Found = list[tuple[str, int, int, int, int]]


def read(text: str) -> tuple[list[object], list[Diagnostic]]:
    documents, diagnostics = read_documents(SourceFile("a.yaml", text))
    return [plain(document.root) for document in documents], diagnostics


def one(text: str) -> tuple[str, str, str | None]:
    """The one finding: ``CODE line:column-end``, message, help."""
    _, (found,) = read(text)
    span = found.span
    end = span.end_column if span.end_line == span.line else f"{span.end_line}:{span.end_column}"
    return f"{found.code} {span.line}:{span.column}-{end}", found.message, found.help


@pytest.mark.parametrize(
    ("text", "place", "message", "help"),
    [
        ("a: b\n\tc: d\n", "2:1-2", "a tab cannot indent", "indent with spaces"),
        ("a:\n  \tb: c\n", "2:3-4", "a tab cannot indent", "indent with spaces"),
        ("a: |\n  x\n\ty\n", "3:1-2", "a tab cannot indent", "indent with spaces"),
        ("a: {{ x }} y\n", "1:4-13", "a value cannot begin with '{{'", "'{{ x }} y'"),
        ("- {% if x %}y\n", "1:3-14", "a value cannot begin with '{%'", "'{% if x %}y'"),
        ("- {# x #} y\n", "1:3-12", "a value cannot begin with '{#'", "'{# x #} y'"),
        (
            "b: 1\na: {{ a | join(', ') }}\nc: 'x'\n",
            "2:4-24",
            "a value cannot begin with '{{'",
            "\"{{ a | join(', ') }}\"",
        ),
        ("a: 'x' in y # c\n", "1:4-12", "begins with a quoted word", "\"'x' in y\""),
        ('- 日: "x" y\n', "1:6-11", "begins with a quoted word", "'\"x\" y'"),
        ("a: {b: 'x' y, c: d}\n", "1:8-13", "begins with a quoted word", "\"'x' y\""),
        ("about: Two things: a\n", "1:18-19", "a colon and a space inside", "'Two things: a'"),
        ("a: 'b': c\n", "1:7-8", "a colon and a space inside", "\"'b': c\""),
        ("a\nb: c\n", "1:1-2", "missing colon after the key 'a'", "write 'a: …'"),
        ("a: b\nc d # e\nf: g\n", "2:1-4", "missing colon after the key 'c d'", "write 'c d: …'"),
        ("a:b\nc: d\n", "1:2-3", "missing space after the colon of 'a'", "write 'a: b'"),
        ("a: 1\n  b: 2\n", "2:3-4", "indented too far", "like the keys"),
        ("- a: 1\n  b: 2\n c: 3\n", "3:2-6", "fits no indentation above it", "neighbours"),
        ("x: y\n- a\n", "2:1-4", "fits no indentation above it", "neighbours"),
        ("a: 'b\nc: d\n", "1:4-5", "the quote ' is never closed", "close it"),
        ('a: "b\n---\nc"\n', "1:4-5", 'the quote " is never closed', "close it"),
        ("a: [b, c\nd: e\n", "1:4-5", "'[' is not closed where", "close it with ']'"),
        ("a: {b: c]\n", "1:4-5", "'{' is not closed where", "close it with '}'"),
        ("a: [\n", "1:4-5", "the '[' is never closed", "close it with ']'"),
        ("a: [1, 'b': \n", "1:4-5", "the '[' is never closed", "close it with ']'"),
        ("a: ]\n", "1:4-5", "unmatched ']'", "quote it"),
        ("a: [b,, c]\n", "1:7-8", "a value was expected here, not ','", None),
        ("a: {w: x in ['b']}\n", "1:13-14", "'[' inside an expression", "quote the value"),
        ("a: [f(x)[0], b]\n", "1:9-10", "'[' inside an item", "one item a line"),
        ("a: [f(x, 'b'), c]\n", "1:5-14", "a comma inside parentheses cuts", "\"f(x, 'b')\""),
        (
            "a: {w: x in ('b', 'c'), d: e}\n",
            "1:8-23",
            "a comma inside parentheses cuts",
            "one key a line",
        ),
        ("a: @b\n", "1:4-5", "a value cannot begin with '@'", "quote it: '@b'"),
        ("a: %d\n", "1:4-5", "a value cannot begin with '%'", "quote it: '%d'"),
        ("a: **b**\n", "1:4-9", "a value cannot begin with '*'", "quote it: '**b**'"),
        ('a: "\\q"\n', "1:5-7", "'\\q' is not an escape", "write \\\\ for a backslash"),
        ('a: "b\\u12"\n', "1:6-8", "the escape '\\u' lacks digits", "\\u four"),
        ("a: - b\n", "1:4-5", "a list cannot begin here", "on the line after the key"),
        ("a: > text\n  b\n", "1:6-10", "text cannot follow '>'", "on the next line"),
        ("k: [a, b]]\n", "1:10-11", "unexpected text after the end of the value", None),
        ("%FOO x\n---\na: 1\n", "1:1-7", "a directive of YAML", "remove it"),
        ("a: x\x00\n", "1:5-6", "U+0000 is not allowed", '"\\x00"'),
        ("a: 日\x1b\n", "1:5-6", "U+001B is not allowed", '"\\x1b"'),
        ("a: x\u2028y\n", "1:5-6", "U+2028 is not allowed", '"\\u2028"'),
        ("a: x\x85y\n", "1:5-6", "U+0085 is not allowed", '"\\x85"'),
        ("a: \ud800\n", "1:4-5", "U+D800 is not allowed", '"\\ud800"'),
    ],
)
def test_tc003_syntax(text, place, message, help):
    where, said, told = one(text)
    assert where == f"TC003 {place}"
    assert message in said
    assert (told is None) if help is None else help in (told or "")


@pytest.mark.parametrize("broken", ["c: [\n", "c: \x00\n", "c: {{ x }} y\n", "\tc: d\n"])
def test_documents_before_a_syntax_error_are_read(broken):
    documents, diagnostics = read(f"a: 1\n---\nb: 2\n---\n{broken}")
    assert documents == [{"a": 1}, {"b": 2}]
    assert [(found.code, found.span.line) for found in diagnostics] == [("TC003", 5)]


def test_tc004_a_duplicate_key_points_at_the_second_and_names_the_first():
    documents, (found,) = read("a: 1\nb: 2\n'a': 3\n")
    assert (found.code, found.span.line, found.span.column) == ("TC004", 3, 1)
    assert found.message == "duplicate key 'a': it is already on line 1"
    assert documents == [{"a": 1, "b": 2}]


def test_tc004_every_duplicate_is_found_in_flow_and_block():
    _, diagnostics = read("a: {b: 1, b: 2}\nc:\n  d: 1\n  d: 2\n  d: 3\n")
    places = [(found.code, found.span.line, found.span.column) for found in diagnostics]
    assert places == [("TC004", 1, 11), ("TC004", 4, 3), ("TC004", 5, 3)]


@pytest.mark.parametrize(
    ("text", "place", "help"),
    [
        ("a: !done\n", "1:4-9", "to negate an expression write 'not done'"),
        ("a: !!python/object:os.system x\n", "1:4-29", "quote the value"),
        ("a: ! x\n", "1:4-5", "quote the value"),
        ("a: !t [b]\n", "1:4-6", "write 'not t'"),
        ("a: !t\n  b: c\n", "1:4-6", "write 'not t'"),
        ("%TAG ! tag:x:\n---\na: 1\n", "1:1-5", "remove it"),
    ],
)
def test_tc005_tags(text, place, help):
    where, _, told = one(text)
    assert where == f"TC005 {place}"
    assert help in (told or "")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: !!str 1\n", "1"),
        ('a: !!int "3"\n', 3),
        ("a: !!float 3\n", 3.0),
        ("a: !!bool 'true'\n", True),
        ("a: !!null ''\n", None),
        ("a: !!seq [!!map {b: !!str yes}]\n", [{"b": "yes"}]),
    ],
)
def test_tags_of_yaml_say_what_a_value_is(text, value):
    documents, problems = read_documents(SourceFile("x.yaml", text))
    assert (problems, plain(documents[0].root)) == ([], {"a": value})


@pytest.mark.parametrize("text", ["a: !!int b\n", "a: !!bool yes\n", "a: !!null 0\n"])
def test_tc005_a_value_that_is_not_what_its_tag_says(text):
    _, problems = read_documents(SourceFile("x.yaml", text))
    assert [problem.code for problem in problems] == ["TC005"]
    assert "is not what '!!" in problems[0].message


def test_tc006_a_merge_key_is_one_finding_and_its_document_is_left_out():
    text = "a:\n  <<: *b\n  c: d\n---\ne:\n  <<: [*b, *c]\n---\nf: 1\n"
    documents, diagnostics = read(text)
    places = [(found.code, found.span.line, found.span.column) for found in diagnostics]
    assert places == [("TC006", 2, 3), ("TC006", 6, 3)]
    assert documents == [{"f": 1}]


def test_tc006_a_quoted_merge_key_is_a_key():
    assert read("'<<': 1\n") == ([{"<<": 1}], [])


def test_tc007_anchors_and_aliases():
    documents, diagnostics = read("a: &x [1]\nb: *x\n")
    places = [(f.code, f.span.line, f.span.column, f.span.end_column) for f in diagnostics]
    assert places == [("TC007", 1, 4, 6)]
    assert documents == []


def test_tc007_a_star_at_the_start_of_a_sentence_is_one_finding():
    assert one("a: *note this\n")[0] == "TC007 1:4-9"


def test_tc008_depth():
    deepest = "a: " + "[" * 63 + "]" * 63 + "\n"
    assert read(deepest)[1] == []
    assert one("a: " + "[" * 64 + "]" * 64 + "\n")[0] == "TC008 1:67-68"
    block = "".join("  " * n + "a:\n" for n in range(65))
    assert one(block)[0] == "TC008 65:129-130"


def test_tc009_numbers_values_and_text():
    assert one("a: " + "9" * 301 + "\n")[0] == "TC009 1:4-305"
    assert read("a: " + "9" * 300 + "\n")[1] == []
    assert one("[" + "1," * 50_000 + "]\n")[0] == "TC009 1:100000-100001"
    assert read("[" + "1," * 49_999 + "]\n")[1] == []
    assert one("#" * 1_000_001)[0] == "TC009 1:1-2"


@pytest.mark.parametrize(
    ("text", "place", "help"),
    [
        ("a: >\n  b\n  {{ x }}\n", "3:3-5", "begin the block with '|'"),
        ("a: >-\n  日 {% if x %}\n", "2:5-7", "begin the block with '|'"),
        ("a: b\n  c {# x #}\n", "2:5-7", "as a block that begins with '|'"),
        ("a: 'b\n  {{ x }}'\n", "2:3-5", "as a block that begins with '|'"),
        ('a: "b\n\n  \\u263a\n  {{ x }}"\n', "4:3-5", "as a block that begins with '|'"),
    ],
)
def test_tc010_templates_whose_lines_cannot_be_told(text, place, help):
    where, _, told = one(text)
    assert where == f"TC010 {place}"
    assert help in (told or "")


@pytest.mark.parametrize(
    "text", ["a: |\n  {{ x }}\n", "a: b {{ x }}\n", "a: '{{ x }}\\n'\n", "a: >\n  { b }\n"]
)
def test_templates_whose_lines_can_be_told_pass(text):
    assert read(text)[1] == []


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        ("a: [can(a, b), x]\n", "1:5-14", {"a": ["can(a, b)", "x"]}),
        ("a: [x, f(a, g(b, c), d)]\n", "1:8-24", {"a": ["x", "f(a, g(b, c), d)"]}),
        ("a: [f(')', b)]\n", "1:5-14", {"a": ["f(')', b)"]}),
        ("- {when: near(a, b), do: x}\n", "1:10-20", [{"when": "near(a, b)", "do": "x"}]),
        ("- {f(a, b): c}\n", "1:4-11", [{"f(a, b)": "c"}]),
        ("a: {{ x }}\n", "1:4-11", {"a": "{{ x }}"}),
        ("a: [{{ x }}, b]\n", "1:5-12", {"a": ["{{ x }}", "b"]}),
        ("a: {b: {{ x, y }}}\n", "1:8-18", {"a": {"b": "{{ x, y }}"}}),
        ("{{ 1 }}: b\n", "1:1-8", {"{{ 1 }}": "b"}),
        ("1: a\n", "1:1-2", {"1": "a"}),
        ("true: a\n", "1:1-5", {"true": "a"}),
        ("~: a\n", "1:1-2", {"~": "a"}),
        ("[a]: b\n", "1:1-4", {}),
        ("? {a: b}\n: c\n", "1:3-9", {}),
    ],
)
def test_tc011_traps_are_reported_and_then_read_as_they_were_meant(text, place, meant):
    documents, _ = read(text)
    assert one(text)[0] == f"TC011 {place}"
    assert documents == [meant]


def test_tc011_two_cut_expressions_are_two_findings_and_no_duplicate_keys():
    _, diagnostics = read("- {when: f(a, b), then: g(a, b)}\n")
    assert [(f.code, f.span.column) for f in diagnostics] == [("TC011", 10), ("TC011", 25)]


@pytest.mark.parametrize(
    "text",
    [
        "a: [can(a), f()]\n",
        "a: ['can(a, b)', x]\n",
        "a: [':(', ':)']\n",
        "a: [b), (c]\n",
        "a: [(, b]\n",
        "a: f(x, y)\n",
        "a:\n  - f(x, y)\n",
    ],
)
def test_parentheses_that_cut_nothing_pass(text):
    assert read(text)[1] == []


def test_findings_come_in_order_of_place_and_end_at_a_hundred():
    _, diagnostics = read("\n".join(f"k{n}: !t x" for n in range(500)))
    assert len(diagnostics) == 100
    assert diagnostics == sorted(diagnostics)

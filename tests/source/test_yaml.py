import math
import os
import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from treec.files.nodes import MAX_NODES
from treec.source import yaml as treec_yaml
from treec.source import yaml_events, yaml_reader
from treec.source.diagnostics import format_text
from treec.source.text import SourceFile, Span
from treec.source.yaml import (
    MAX_BYTES,
    Mapping,
    Scalar,
    Sequence,
    YamlNode,
    locate,
    plain,
    read_documents,
    read_file,
)


def root_of(text: str) -> YamlNode:
    documents, diagnostics = read_documents(SourceFile("a.yaml", text))
    assert diagnostics == []
    return documents[0].root


def mapping_of(text: str) -> Mapping:
    root = root_of(text)
    assert isinstance(root, Mapping)
    return root


def test_libyaml_is_used_where_it_is_built():
    assert yaml.__with_libyaml__ == (yaml_events.EventReader.__module__ == "yaml._yaml")


def test_the_same_is_read_where_libyaml_is_not_built():
    text = "日: [1, {b: c}]\nd: |\n  e\n---\nf: 'g\n"
    code = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from treec.source import yaml_events\n"
        "from treec.source.text import SourceFile\n"
        "from treec.source.yaml import plain, read_documents\n"
        "assert yaml_events.EventReader.__module__ == 'treec.source.yaml_events'\n"
        f"documents, (found,) = read_documents(SourceFile('a.yaml', {text!r}))\n"
        "root = documents[0].root\n"
        "assert plain(root) == {'日': [1, {'b': 'c'}], 'd': 'e\\n'}, root\n"
        "assert str(root.get('d').at(0)) == 'a.yaml:3:3'\n"
        "assert (found.code, str(found.span)) == ('TC003', 'a.yaml:5:4'), found\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def test_a_file_is_data():
    text = "a: [1, {b: c}]\nd:\n  - e\n  - f: |\n      g\n"
    assert plain(root_of(text)) == {"a": [1, {"b": "c"}], "d": ["e", {"f": "g\n"}]}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("~", None),
        ("null", None),
        ("", None),
        ("12", 12),
        ("-12", -12),
        ("+1", 1),
        ("0x1F", 31),
        ("0o17", 15),
        ("1_000", "1_000"),
        ("190:20:30", "190:20:30"),
        ("1.5", 1.5),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("2020-01-01", "2020-01-01"),
        ("+", "+"),
        (".", "."),
        ("'1'", "1"),
        ('"true"', "true"),
        ("''", ""),
        ("=", "="),
    ],
)
def test_scalars_are_those_of_the_yaml_1_2_core_schema(written, value):
    found = mapping_of(f"a: {written}\n").get("a")
    assert isinstance(found, Scalar)
    assert found.value == value
    assert type(found.value) is type(value)


def test_nan_is_a_number():
    found = mapping_of("a: .nan\n").get("a")
    assert isinstance(found, Scalar)
    assert isinstance(found.value, float)
    assert math.isnan(found.value)


def test_the_word_on_is_a_fine_key():
    assert plain(root_of("on: x\nyes: y\n")) == {"on": "x", "yes": "y"}


def test_several_documents_and_empty_ones():
    file = SourceFile("a.yaml", "a: 1\n---\n---\nb: 2\n---\n# nothing\n")
    documents, diagnostics = read_documents(file)
    assert [plain(document.root) for document in documents] == [{"a": 1}, {"b": 2}]
    assert diagnostics == []
    assert read_documents(SourceFile("a.yaml", "# nothing\n")) == ([], [])


def test_spans_of_all_kinds_of_nodes():
    text = "日: {x: [a, b]} # c\nblock:\n  - k: |\n      text\n\n\nlast: 'é'\n"
    root = mapping_of(text)
    assert root.span == Span("a.yaml", 1, 1, 7, 10)
    spans = {
        ("日",): (1, 4, 1, 15),
        ("日", "x"): (1, 8, 1, 14),
        ("日", "x", 1): (1, 12, 1, 13),
        ("block",): (3, 3, 4, 11),
        ("block", 0): (3, 5, 4, 11),
        ("block", 0, "k"): (3, 8, 4, 11),
        ("last",): (7, 7, 7, 10),
    }
    for loc, place in spans.items():
        assert locate(root, loc).span == Span("a.yaml", *place), loc
    key = root.key("block")
    assert key is not None
    assert key.span == Span("a.yaml", 2, 1, 2, 6)


def test_locate_skips_what_the_data_does_not_have():
    root = mapping_of("root:\n  - wait: {until: x}\n")
    deepest = locate(root, ("root", "list[Node]", 0, "wait", "Wait", "until", "function-wrap"))
    assert isinstance(deepest, Scalar)
    assert deepest.text == "x"
    assert locate(root, ()) is root
    assert locate(root, ("nothing", 7)) is root
    key = locate(root, ("root", 0, "wait", "until", "more"), key=True)
    assert (key.span.line, key.span.column) == (2, 12)
    assert locate(root, ("root", 0), key=True).span.column == 5  # an item has no key


def test_mappings_answer_for_keys_they_lack():
    root = mapping_of("a: 1\n")
    assert root.get("b") is None
    assert root.key("b") is None
    assert isinstance(root_of("[]"), Sequence)


def test_a_file_is_read_whole(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\n")
    file, diagnostics = read_file(path, "shown/a.yaml")
    assert file is not None
    assert (file.path, file.text, diagnostics) == ("shown/a.yaml", "a: 1\n", [])


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b"\xff\xfea\x00", 1, 1, "the byte 0xff is not UTF-8"),
        ("a: 日\nb: é".encode() + b"\xe9!", 2, 5, "the byte 0xe9 is not UTF-8"),
        (b"a\r\nb: \x80", 2, 4, "the byte 0x80 is not UTF-8"),
        (b"a: \xed\xa0\x80", 1, 4, "the byte 0xed is not UTF-8"),
    ],
)
def test_what_is_not_utf_8_is_refused_at_its_first_byte(tmp_path, data, line, column, message):
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    file, (found,) = read_file(path, "a.yaml")
    assert file is None
    assert (found.code, found.message) == ("TC002", message)
    assert found.span == Span("a.yaml", line, column, line, column + 1)


def test_what_cannot_be_read_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    reasons = {
        "none.yaml": "No such file or directory",
        "pipe.yaml": "it is not a plain file",
        "folder.yaml": "it is a folder",
        "zero.yaml": "it is not a plain file",
        "loop.yaml": "Too many levels of symbolic links",
        "nul\0.yaml": "embedded null byte",
    }
    for name, reason in reasons.items():
        file, (found,) = read_file(tmp_path / name, name)
        assert file is None
        assert (found.code, found.message) == ("TC001", f"this cannot be read: {reason}")


def test_the_limit_of_size_is_exact(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert read_file(path, "a.yaml")[1] == []
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    file, (found,) = read_file(path, "a.yaml")
    assert file is None
    assert (found.code, found.message) == (
        "TC009",
        "this file has 1,000,001 bytes; at most 1,000,000 are read",
    )


def test_scenes_and_trees_may_be_larger_than_other_files(monkeypatch):
    monkeypatch.setattr(yaml_reader, "MAX_NODES", 50)
    monkeypatch.setattr(treec_yaml, "MAX_BYTES", 500)
    things = "".join(f"  thing {n}: {{type: Place}}\n" for n in range(200))
    text = f"scene: huge\ndomain: room\nobjects:\n{things}"
    for name in ("envs/huge.scene.yaml", "trees/huge.tree.yaml"):
        documents, found = read_documents(SourceFile(name, text))
        assert (len(documents), found) == (1, [])
    _, (refused,) = read_documents(SourceFile("envs/huge.domain.yaml", text))
    assert refused.code == "TC009"
    more = "".join(f"  t{n}: {{a: b}}\n" for n in range(400))
    _, (refused,) = read_documents(SourceFile("huge.scene.yaml", f"objects:\n{more}"))
    assert refused.message == "this file has more than 1,200 values"


def test_a_tree_may_have_a_hundred_thousand_nodes_and_a_scene_as_many_things():
    values_of_each = len(("{", "sequence", "[", "{", "probe", "{", "name", "a", "script", "S"))
    factor = yaml_reader.size_factor("large.tree.yaml")
    assert yaml_reader.MAX_NODES * factor >= 100_000 * values_of_each
    assert MAX_NODES >= 100_000
    factor = yaml_reader.size_factor("room.scene.yaml")
    values_of_each = len(("thing", "{", "type", "Place", "at", "dock"))
    assert yaml_reader.MAX_NODES * factor >= 100_000 * values_of_each
    assert MAX_BYTES * factor >= 100_000 * 200


_PIECES = st.sampled_from(
    [
        *"ab:-,[]{}'\"|>#&*!%@?~()\\日😀1\n\t ",
        *("<<", "{{", "}}", "{%", "---", "...", "true", "\n\n", "\n  ", "\n    ", "\\n", "\x00"),
        *(": ", "- ", "a: ", "b: ", "k: |\n  ", "k: >-\n  ", "f(a, b)", "'x'"),
    ]
)


@settings(max_examples=many(400, 20), deadline=None)
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any_text_ends_in_documents_and_diagnostics_inside_the_file(text):
    file = SourceFile("a.yaml", text)
    documents, diagnostics = read_documents(file)
    format_text(diagnostics, {"a.yaml": file})
    for found in diagnostics:
        assert 1 <= found.span.line <= file.text.count("\n") + 1
        assert 1 <= found.span.column <= len(file.line(found.span.line)) + 1
    for document in documents:
        _check_places(document.root, file)


def _check_places(node: YamlNode, file: SourceFile) -> None:
    assert 0 <= node.start <= node.end <= len(file.text)
    if isinstance(node, Scalar):
        for offset, character in enumerate(node.text):
            span = node.at(offset)
            if not character.isspace() and node.style != '"':
                assert file.text[file.offset(span.line, span.column)] == character
    elif isinstance(node, Sequence):
        for item in node.items:
            _check_places(item, file)
    else:
        assert isinstance(node, Mapping)
        for key, value in node.entries:
            _check_places(key, file)
            _check_places(value, file)

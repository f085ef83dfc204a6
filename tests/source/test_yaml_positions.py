"""``Scalar.at``: from an offset in the text to the place in the file."""

import pytest

from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Scalar, read_documents


def scalar(text: str) -> Scalar:
    documents, _ = read_documents(SourceFile("a.yaml", text))
    root = documents[0].root
    assert isinstance(root, Mapping)
    found = root.entries[-1][1]
    assert isinstance(found, Scalar)
    return found


@pytest.mark.parametrize(
    ("text", "word", "line", "column", "end_column"),
    [
        ("a: one X two\n", "X", 1, 8, 9),
        ("日本😀: é😀 X\n", "X", 1, 9, 10),
        ("a: 'one X'\n", "X", 1, 9, 10),
        ("a: 'it''s X'\n", "X", 1, 11, 12),
        ("a: 'it''s X'\n", "'", 1, 7, 9),
        ('a: "one X"\n', "X", 1, 9, 10),
        ('a: "\\u263a\\n\\x41\\U0001F600X"\n', "X", 1, 27, 28),
        ('a: "\\u263a\\n X"\n', "☺", 1, 5, 11),
        ('a: "\\"\\\\X"\n', "X", 1, 9, 10),
        ('a: "b \\\n   X"\n', "X", 2, 4, 5),
        ('a: "b\n\n   X"\n', "X", 3, 4, 5),
        ("a: 'b\n   X'\n", "X", 2, 4, 5),
        ("a: one\n  two   \n\n  X\n", "X", 4, 3, 4),
        ("a: >\n  one\n  X\n\n  two\n", "X", 3, 3, 4),
        ("a: >-\n\n  one\n     X\n  two\n", "X", 4, 6, 7),
        ("a: |\n  one\n  X\n", "X", 3, 3, 4),
        ("a: |\n  X  \n", "X", 2, 3, 4),
        ("a: |\n  one\n\n    X\n", "X", 4, 5, 6),
        ("a: |\n\n\n  one\n  X\n", "X", 5, 3, 4),
        ("a: |2-  # comment\n    one\n   X\n", "X", 3, 4, 5),
        ("a: |+1\n  one\n X\n\n\n", "X", 3, 2, 3),
        ("b:\n  - c\na: |\n  日本 X", "X", 4, 6, 7),
        ("a: |2\n  \tX\n", "X", 2, 4, 5),
    ],
)
def test_a_word_is_found_where_it_is_written(text, word, line, column, end_column):
    found = scalar(text)
    span = found.at(found.text.index(word), len(word))
    assert (span.line, span.column, span.end_line, span.end_column) == (
        line,
        column,
        line,
        end_column,
    )


def test_a_range_may_run_over_lines():
    found = scalar("a: |\n  one\n  two\n")
    span = found.at(1, 5)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 4, 3, 5)


@pytest.mark.parametrize(
    ("text", "column", "end_column"),
    [
        ("a: one\n", 7, 7),
        ("a: 'one'\n", 8, 9),
        ('a: "o\\n"\n', 8, 9),
        ("a: ''\n", 5, 6),
        ("a:\n", 3, 3),
    ],
)
def test_the_end_is_the_place_after_the_last_character(text, column, end_column):
    found = scalar(text)
    span = found.at(len(found.text))
    assert (span.line, span.column, span.end_column) == (1, column, end_column)
    assert found.at(99) == span


def test_the_line_break_at_the_end_of_a_block_is_the_end_of_its_line():
    found = scalar("a: |\n  one\n")
    assert (found.at(3).line, found.at(3).column) == (2, 6)
    assert (found.at(4).line, found.at(4).column) == (2, 6)


def test_an_empty_block_has_a_place():
    assert scalar("a: |\n").at(0).line == 1
    assert scalar("a: >\n").at(0).line == 1


def test_a_tag_or_an_anchor_is_not_part_of_the_text():
    assert scalar("a: !t &x X\n").at(0).column == 10

from __future__ import annotations

from treec.check.edits import Edit, apply_edits
from treec.source.text import SourceFile


def span(text: str, word: str) -> Edit:
    file = SourceFile("a.yaml", text)
    return Edit(file.span(file.text.index(word), len(word)), word.upper())


def test_marks_and_line_breaks_stay_as_they_are() -> None:
    text = "\ufeffone: 1\r\ntwo: 2\nthree: é3\rfour: x"
    edits = [span(text, word) for word in ("one", "two", "three", "four", "x")]
    assert apply_edits(text, edits) == "\ufeffONE: 1\r\nTWO: 2\nTHREE: é3\rFOUR: X"


def test_of_two_that_overlap_the_first_is_made() -> None:
    text = "abcd"
    assert apply_edits(text, [span(text, "abc"), span(text, "cd")]) == "ABCd"


def test_a_text_is_put_in_at_the_end() -> None:
    file = SourceFile("a.yaml", "one\n")
    assert apply_edits("one\n", [Edit(file.span(4, 0), "two\n")]) == "one\ntwo\n"

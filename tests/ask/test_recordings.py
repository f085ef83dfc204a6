"""Plain data as YAML that reads back unchanged, and the names of recordings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents
from treec_testing.recordings.recording import slug
from treec_testing.recordings.yaml_text import Unwritable, to_yaml

ODD = [
    "a\r\nb",
    "a\rb",
    "\x85\u2028\u2029",
    "line\u2028line\nmore",
    "\x00\x07\x1b[31m",
    "trailing   \nblanks \n\n\n",
    "\n\nleading",
    "  indented\nfirst",
    "\ttab\n\ttab",
    "🍲👩🏽\u200d🍳 \U0010ffff \ufeff\ufffe",
    "x" * 5000,
    "- a: b\n- c # no comment\n---\n...\n",
    "{{ name }}",
    "yes",
    "null",
    "0x1f",
    "1e3",
    "2026-11-21",
    "'quoted' \"twice\"",
    "%TAG !yaml! tag:\n&a *a <<",
    "",
    " ",
    "\n",
    'say "hello", it\'s me',
]


def written(data: dict[str, Any]) -> Any:
    documents, problems = read_documents(SourceFile("x.yaml", to_yaml(data)))
    assert not [p for p in problems if p.severity == "error"], (to_yaml(data), problems)
    return plain(documents[0].root)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_come_back_as_they_were(text: str) -> None:
    data = {"answer": text, "listed": [text, {"inner": text}], "deep": {"er": {text[:90]: text}}}
    assert written(data) == data


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
LINES = st.lists(TEXT, max_size=6).map("\n".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | LINES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=many(300, 20), deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(["a", "answer", "with space"]), VALUES, min_size=1))
def test_all_plain_data_come_back_as_they_were(data: dict[str, Any]) -> None:
    back = written(data)
    assert repr(back) == repr(data)  # 1, 1.0 and true are equal, but not the same


@pytest.mark.parametrize(
    "bad", ["half \ud83d of a character", float("nan"), float("inf"), object()]
)
def test_what_no_file_can_hold_is_refused(bad: object) -> None:
    with pytest.raises(Unwritable):
        to_yaml({"answer": bad})


def test_texts_of_several_lines_are_blocks_that_a_person_can_read() -> None:
    text = to_yaml({"instructions": "Choose one.\n\nBe brief.\n", "words": ["get salt", "no"]})
    assert text == ('instructions: |\n  Choose one.\n\n  Be brief.\nwords: [get salt, "no"]\n')


def test_names_of_files_are_cut_between_words() -> None:
    assert slug("They don't know: R2's fault?") == "they-dont-know-r2s-fault"
    assert slug("a" * 30 + " " + "b" * 40) == "a" * 30
    assert slug("…") == ""

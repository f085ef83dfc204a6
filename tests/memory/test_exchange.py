"""A memory as YAML: what is written is read again, and what is wrong is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.nodes.pairs import MemoryFault, MemoryPair
from treec_memory.exchange import read_pairs, to_yaml

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))).map(
    lambda text: f"a{text}"
)
PAIRS = st.lists(
    st.builds(MemoryPair, TEXT, TEXT.map(lambda text: f"{text}\nstep()\n"), st.just(""))
)


@given(PAIRS)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[MemoryPair]
) -> None:
    file = tmp_path_factory.getbasetemp() / "pairs.yaml"
    file.write_text(to_yaml(pairs), "utf-8")
    assert read_pairs(file) == pairs


def test_programs_are_blocks() -> None:
    text = to_yaml([MemoryPair("Make coffee", "mug = Thing('Mug')\nmug.fill()\n", "with care")])
    assert text == (
        "- key: Make coffee\n"
        "  answer: |\n    mug = Thing('Mug')\n    mug.fill()\n"
        "  about: with care\n"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("key: a\nanswer: b\n", ": a memory is a list of pairs with 'key' and 'answer'"),
        ("- key: a\n  answer: b\n- key: c\n", ":3: this pair has no 'answer'"),
        ("- key: ' '\n  answer: b\n", ":1: this pair has no 'key'"),
        (
            "- key: a\n  answer: b\n  note: c\n",
            ":3: a pair has 'key', 'answer' and 'about', not 'note'",
        ),
        ("- key: a\n  answer: [b]\n", ":2: 'answer' is a text"),
        ("- key: a\n  answer: b\n- a\n", ":3: a pair has 'key' and 'answer'"),
        ("- key: 'a\n", ": this is not YAML: while scanning a quoted scalar in "),
        ("", ": a memory is a list of pairs with 'key' and 'answer'"),
        ("[" * 5_000, ": this is not YAML: "),
        ("a" * 1_000, ": a file to import may have 999 bytes"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, text: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "bytes" in told:
        monkeypatch.setattr("treec_memory.exchange.MAX_FILE", 999)
    file = tmp_path / "pairs.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(MemoryFault) as error:
        read_pairs(file)
    whole = str(error.value)
    assert whole.startswith(f"{file}{told}") if told.endswith(" ") else whole == f"{file}{told}"

"""What an editor shows of a text alone: also while it cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.files.library import load_library
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents
from treec_editor.folding import folds
from treec_editor.layout import formatted
from treec_editor.mend import mended
from treec_editor.occurrences import occurrences
from treec_editor.tokens import tokens

COMMENTED = (Path(__file__).parent / "files/commented.tree.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "root"),
    [
        (
            "- skill: a\n  with: {x: $y,\n- log: b\n",
            [{"skill": "a", "with": {"x": "$y"}}, {"log": "b"}],
        ),
        ('- log: "a\n- log: b\n', [{"log": "a"}, {"log": "b"}]),
        ("- skill: a\n  wi\n- log: b\n", [{"skill": "a"}, {"log": "b"}]),
        (
            '- {check: a, with: {x: "= b  # c\n- log: |\n    d {\n- e: f\n',
            [{"check": "a", "with": {"x": "= b  # c"}}, {"log": "d {\n"}, {"e": "f"}],
        ),
        ("- [\n    {check: a},\n    {check: b\n  ]\n", [[{"check": "a"}]]),
    ],
)
def test_what_is_left_open_is_closed_or_left_out(text: str, root: object) -> None:
    file = mended(SourceFile("a.tree.yaml", text))
    assert file is not None
    assert [plain(it.root) for it in read_documents(file)[0]] == [root]
    assert len(file.text.split("\n")) == len(text.split("\n"))


def test_a_text_that_can_be_read_stays_as_it_is() -> None:
    file = SourceFile("a.tree.yaml", COMMENTED)
    assert mended(file) is file


def test_formatting_keeps_comments_quotes_folded_text_and_line_breaks() -> None:
    messy = (
        "\ufeff# a 🤖\ntree:   'b' # c\nroot:\n- {check: x,y: 1}\n-   log: >\n      d\n      e\n"
    )
    neat = (
        "\ufeff# a 🤖\ntree: 'b'   # c\nroot:\n  - {check: x, y: 1}\n  - log: >\n      d\n      e\n"
    )
    assert formatted(messy.replace("\n", "\r\n")) == neat.replace("\n", "\r\n")
    new = formatted(COMMENTED)
    assert new is not None
    assert formatted(new) == new
    assert formatted("a: [") is None


def test_keys_items_and_comments_of_several_lines_fold() -> None:
    file = SourceFile("a.yaml", "# a\n# b\nroot:\n  - log: x\n    about: |\n      y\n      z\n")
    assert folds(file) == [(1, 2, True), (3, 7, False), (4, 7, False), (5, 7, False)]


def test_expressions_and_templates_have_tokens(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    tree = (
        "tree: a\nvars: {n: number = 1}\nroot:\n"
        "  - check: n > 2 and near('é🤖', n).x\n  - log: \"é {{ n | join }} n\"\n"
    )
    (tmp_path / "a.tree.yaml").write_text(tree, "utf-8")
    library = load_library(tmp_path)
    lines = tree.split("\n")
    found = [
        (lines[span.line - 1][span.column - 1 : span.end_column - 1], kind)
        for span, kind in tokens(library, "a.tree.yaml")
    ]
    assert found == [
        ("1", "number"),
        *(("n", "variable"), (">", "operator"), ("2", "number"), ("and", "keyword")),
        *(("near", "function"), ("'é🤖'", "string"), ("n", "variable"), ("x", "property")),
        *(("n", "variable"), ("|", "operator"), ("join", "function")),
    ]
    spans = occurrences(library, "a.tree.yaml", tree.index("n:"))
    assert [(it.line, it.column) for it in spans] == [(2, 8), (4, 12), (4, 33), (5, 16), (5, 28)]

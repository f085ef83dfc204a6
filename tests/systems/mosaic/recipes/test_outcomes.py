"""What is read of lists and names of dishes, and what is said of them: `outcomes.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.support import golden
from treec.source.text import SourceFile
from treec_mosaic.recipe_search import stems
from treec_mosaic.recipes.nested_list import clean, read_list
from treec_mosaic.recipes.page import looks_like_html
from treec_mosaic.recipes.write import scalar
from treec_mosaic.typos import contains_typo_of

LISTS = {
    "nested": "- park cart\n   + load crate\n   + load pallet\n      - scan cart\n   + get label\n",
    "numbered": "1. park\n2) load\n   1.1 scan\n   1.2. weigh\na) go\nB. come\n",
    "after": "- load, after: [park, wash]\n- park\n- wash\n- dry (after: wash; park)\n",
    "wrong after": "- load, after: [prak, load]\n- park\n- wash, after:\n- x, after: [park\n",
    "circle": "- a, after: b\n- b, after: c\n- c, after: a\n- d, after: a\n",
    "twice": "- scan cart\n- scan cart (2)\n- scan cart\n- scan cart (5)\n",
    "heading": "Some words\n# Subtasks:\n- a\n- b\n\n# Other\n- c\n",
    "two headings": "## Subtasks as a nested list\n- a\n## Subtasks\n- b\n",
    "asked": "Raw Recipe Instruction List\n- a\n# Subtasks\n- b\n",
    "fence": "Here:\n```\n- a\n  - b\n```\nDone.\n",
    "goes on": "- a long\n  line\n- b\n  - c\n\n    more\n- [x] done\n- [ ] todo\n",
    "marks": "* a\n• b\n◦ c\n– d\n— e\n-f\n---\n***\n",
    "quotes": '- "a"\n- **b**\n- `c`.\n- “d”\n- *e*.\n- \n- ""\n',
    "between": "- a\n    - b\n  - c\n",
    "tabs": "- a\n\t- b\n\t\t- c\n  \t- d\n",
    "none": "no list at all\n",
    "empty": "",
    "many": "".join(f"- item {n}\n" for n in range(1002)),
    "deep": "".join(f"{'  ' * n}- item {n}\n" for n in range(53)),
}


def _lines() -> Iterator[str]:
    for name, text in LISTS.items():
        found = read_list(SourceFile("list.txt", text))
        yield f"# {name}"
        for item in found.items[-60:]:
            after = ", ".join(item.after)
            yield f"  {item.span.line}:{item.span.column} {item.id!r} {item.words!r} [{after}]"
        for p in found.problems:
            yield f"  {p.code} {p.severity} {p.span.line}:{p.span.column}: {p.message}; {p.help}"
    yield "# words"
    for words in ('"Chop it."', "**a** b", "`x`", "A. ", "«a»", "  a   b ", "Stir POT", "e.g."):
        yield f"  clean {words!r}: {clean(words)!r}"
    for words in ("chopped tomatoes", "Potatoes and leaves", "berries boxes dishes", "the of a"):
        yield f"  stems {words!r}: {stems(words)}"
    for text in ("plain", "a: b", "yes", "- a", "it's", 'say "hi"', "", "3", "a #b", "{a}"):
        yield f"  scalar {text!r}: {scalar(text)}"
    for text in ("<html>", "<!DOCTYPE html><p>", "a < b", "<p>x</p>", "- a", ""):
        yield f"  html {text!r}: {looks_like_html(text)}"
    for word, said in {
        "lettuce": ("lettuse soup", "let us", "lettuce"),
        "soup": ("sop", "soap", "souup"),
    }.items():
        for words in said:
            yield f"  typo {words!r} {word!r}: {contains_typo_of(words, word)}"


def test_outcomes() -> None:
    golden.check(Path(__file__).with_name("outcomes.txt"), "\n".join(_lines()) + "\n")

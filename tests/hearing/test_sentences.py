"""The parser of sentence templates."""

from __future__ import annotations

import pytest

from treec_hearing.sentences import (
    Group,
    Part,
    RuleUse,
    SentenceError,
    TemplateSlot,
    TemplateWords,
    parse_sentence,
)


def written(part: Part) -> str:
    """A part with all groups in brackets."""
    match part:
        case TemplateWords(text):
            return text.strip() or "-"
        case TemplateSlot(type_, into):
            return f"{{{type_}:{into}}}"
        case RuleUse(name):
            return f"<{name}>"
        case Group(order, items):
            mark = {"sequence": " ", "alternative": "|", "permutation": ";"}[order]
            return f"({mark.join(map(written, items))})"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("get me {item}", "(get me {item:item})"),
        ("{Crate:crate}'s", "({Crate:crate} 's)"),
        ("[please] go", "(((please)|-) go)"),
        ("[now|at once] go", "(((now)|(at once)|-) go)"),
        ("(a|b c|<d>)", "(((a)|(b c)|(<d>)))"),
        ("a|b", "((a)|(b))"),
        ("(in the hall;now) go", "(((in the hall);(now)) go)"),
        ("((a|b)|[c])", "(((((a)|(b)))|(((c)|-))))"),
        (r"\[a\] \\ b", r"([a] \ b)"),
        ("can[not]", "(can ((not)|-))"),
        ("cafe\u0301", "(caf\u00e9)"),
    ],
)
def test_parts(text: str, read: str) -> None:
    assert written(parse_sentence(text)) == read


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(a", "'(' is not closed by ')'"),
        ("a [b (c)", "'[' is not closed by ']'"),
        ("a) b", "unexpected ')' at character 2"),
        ("(a]", "unexpected ']' at character 3"),
        ("{a", "unexpected '{' at character 1"),
        ("a {}", "unexpected '{' at character 3"),
        ("<a", "unexpected '<' at character 1"),
        ("a\\", "unexpected '\\' at character 2"),
        ("a ()", "'()' is empty"),
        ("[]", "'[]' is empty"),
        ("(" * 99 + "a" + ")" * 99, "groups lie more than 50 deep"),
    ],
)
def test_what_cannot_be_read(text: str, why: str) -> None:
    with pytest.raises(SentenceError) as error:
        parse_sentence(text)
    assert str(error.value) == why

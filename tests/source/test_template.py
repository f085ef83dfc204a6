"""Templates: what they render, which names they use, and where they are wrong."""

from __future__ import annotations

import pytest

from treec.source.budget import Budget
from treec.source.expression import EvaluationError, MappingScope, SourceError
from treec.source.template import TextTemplate

SCOPE = MappingScope(
    {
        "name": "Caesar Salad",
        "xs": ["a", "b", "c"],
        "pairs": [["x", 1], ["y", 2]],
        "rows": [{"id": 1, "ok": True}, {"id": 2, "ok": False}],
        "none_yet": None,
        "empty": [],
    },
    {"twice": lambda x: x + x},
)


def render(text: str) -> str:
    return TextTemplate.parse(text).render(SCOPE)


def refused(text: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        TextTemplate.parse(text)
    return caught.value


def fails(text: str) -> EvaluationError:
    with pytest.raises(EvaluationError) as caught:
        render(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("", ""),
        ("one line\n", "one line"),
        ("recipe: {{ name or 'none' }}", "recipe: Caesar Salad"),
        ("{{ none_yet }}|{{ true }}|{{ 1.5 }}", "|true|1.5"),
        ("{{ xs }} {{ {'a': [1, none]} }}", "['a', 'b', 'c'] {'a': [1, none]}"),
        ("{% for x in xs %}{{ loop.index }}{{ x }}{{ ', ' if not loop.last }}{% endfor %}",
         "1a, 2b, 3c"),
        ("{% for x in xs %}{{ loop.first }}{{ loop.length }}{{ loop.index0 }} {% endfor %}",
         "true30 false31 false32 "),
        ("{% for x in xs if x != 'b' %}{{ loop.index }}{{ x }}{% endfor %}", "1a2c"),
        ("{% for x in empty %}{{ x }}{% else %}nothing{% endfor %}", "nothing"),
        ("{% for x in xs if x > 'z' %}{{ x }}{% else %}nothing{% endfor %}", "nothing"),
        ("{% for k, v in pairs %}{{ k }}={{ v }} {% endfor %}", "x=1 y=2 "),
        ("{% for r in rows if r.ok %}{{ r.id }}{% endfor %}", "1"),
        ("{% for x in xs %}{% for y in xs %}{{ loop.index }}{% endfor %}{{ loop.index }}"
         "{% endfor %}",
         "123112321233"),
        ("{% if empty %}a{% elif name %}b{% else %}c{% endif %}", "b"),
        ("{% if empty %}a{% endif %}", ""),
        ("{% set n = 2 %}{{ n + 1 }}", "3"),
        ("{% set n = 0 %}{% for x in xs %}{% set n = n + 1 %}{{ n }}{% endfor %}{{ n }}", "1110"),
        ("{% if name %}{% set n = 5 %}{% endif %}{{ n }}", "5"),
        ("{% set name = 'x' %}{{ name }}", "x"),
        ("{% for x in xs %}{% if loop.first %}{% set name = x %}{% endif %}{{ name }};{% endfor %}",
         "a;Caesar Salad;Caesar Salad;"),
        ("{% set t %}<{{ name }}>{% endset %}{{ t }}{{ t | length }}", "<Caesar Salad>14"),
        ("{% set t | upper | trim %} a {% endset %}{{ t }}", "A"),
        ("{% filter upper %}a{{ name }}{% endfilter %}", "ACAESAR SALAD"),
        ("{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}", "3"),
        ("{% with name = name ~ '!' %}{{ name }}{% endwith %}{{ name }}",
         "Caesar Salad!Caesar Salad"),
        ("{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"),
        ("a{# not this #}b", "ab"),
        ("{% raw %}{{ name }}{% endraw %}", "{{ name }}"),
        ("a  {{- 1 -}}  b", "a1b"),
        ("list:\n{% for x in xs %}\n- {{ x }}\n{% endfor %}\nend", "list:\n- a\n- b\n- c\nend"),
        ("list:\n  {% if name %}\n  yes\n  {% endif %}\nend", "list:\n  yes\nend"),
        ("{{ twice('ab') }}", "abab"),
    ],
)  # fmt: skip
def test_rendered(text: str, expected: str) -> None:
    assert render(text) == expected


def test_free_names_are_known_on_every_branch() -> None:
    template = TextTemplate.parse(
        "{% set a = b %}{% for x in xs if y %}{{ x }}{{ loop.index }}{{ a }}{{ z.f }}"
        "{% else %}{{ x }}{% endfor %}{% if c %}{% set d = 1 %}{% endif %}{{ d }}"
        "{% if c %}{% set e = 1 %}{% else %}{% set e = 2 %}{% endif %}{{ e }}"
        "{% with v = w %}{{ v }}{% endwith %}{{ v }}"
    )
    names = [name.name for name in template.names]
    assert names == ["b", "xs", "y", "z", "x", "c", "d", "c", "w", "v"]
    text = template.text
    assert all(text.startswith(name.name, name.offset) for name in template.names)
    assert template.names[3].fields == (("f", text.index("z.f") + 2),)


def test_a_name_that_only_one_branch_set_is_an_error() -> None:
    text = "{% if empty %}{% set n = 5 %}{% endif %}{{ n }}"
    assert fails(text).offset == text.rindex("n }}")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a\n\n  {{ unknown }}", "unknown"),
        ("{% if name %}\n  {%- for x in xs -%}  {{ x.nosuch }}{% endfor %}{% endif %}", "nosuch"),
        ("   {#- c -#}   {%- if true -%}   {{ 1 + 'a' }} {%- endif %}", "1"),
        ("{% raw -%}  {{ }} {%- endraw %}{{ unknown }}", "unknown"),
        ("ü – {{ unknown }}", "unknown"),
        ("{% for x in name %}{% endfor %}", "name"),
        ("{% for a, b in xs %}{% endfor %}", "a,"),
        ("{{ xs | join(name, attribute='b') }}", "join"),
    ],
)
def test_rendering_fails_at_the_place_in_the_text(text: str, where: str) -> None:
    error = fails(text)
    assert error.offset == text.index(where, text.index("{% for") if where == "a," else 0)
    assert error.length == len(where.rstrip(","))


@pytest.mark.parametrize(
    ("text", "offset", "length", "message"),
    [
        ("a {% if x %} b", 2, 5, "this 'if' is never closed"),
        ("{% if a %}{% for b in c %}{% endfor %}", 0, 5, "this 'if' is never closed"),
        ("ab {{- 'x' }}{% set t %}", 13, 6, "this 'set' is never closed"),
        ("a {{ b", 2, 2, "this '{{' is never closed"),
        ("{# a", 0, 2, "this comment is never closed"),
        ("a {% raw %} b", 2, 9, "this raw is never closed"),
        ("{% endif %}", 3, 5, "unexpected 'endif': no block is open"),
        ("{% if a %}{% endfor %}", 13, 6, "expected 'endif', not 'endfor'"),
        ("{% for a in b %}{% elif c %}{% endfor %}", 19, 4, "'elif' without 'if'"),
        ("{% iff a %}", 3, 3, "'iff' is not a tag"),
        ("{{ a b }}", 5, 1, "expected '}}', got 'b'"),
        ("{{ }}", 3, 2, "expected an expression, got '}}'"),
        ("{% macro m() %}{% endmacro %}", 3, 5, "a template cannot define macros"),
        ("{% include 'a' %}", 3, 7, "a template cannot include another file"),
        ("{% import 'a' as b %}", 3, 6, "a template cannot import another file"),
        ("{% from 'a' import b %}", 3, 4, "a template cannot import another file"),
        ("{% extends 'a' %}", 3, 7, "a template cannot extend another file"),
        ("{% block a %}{% endblock %}", 3, 5, "a template cannot have blocks"),
        ("{% call a() %}{% endcall %}", 3, 4, "a template cannot call macros"),
        (
            "{% autoescape true %}{% endautoescape %}",
            3,
            10,
            "nothing is escaped in a template: 'autoescape' cannot be used",
        ),
        ("{% do f() %}", 3, 2, "a template cannot change anything: 'do' cannot be used"),
        ("{% set a.b = 1 %}", 7, 1, "'set' of a namespace cannot be used here"),
        ("{% for a in b recursive %}{% endfor %}", 3, 3, "a loop cannot be recursive"),
        ("x\r\n{{ a b }}", 8, 1, "expected '}}', got 'b'"),
        ("  {%- if a -%}\n\n  {{ b.__x }}{% endif %}", 23, 3, "a field cannot begin with '_'"),
    ],
)
def test_a_wrong_text_is_refused_where_it_is_wrong(
    text: str, offset: int, length: int, message: str
) -> None:
    error = refused(text)
    assert (error.message, error.offset, error.length) == (message, offset, length)


def test_an_open_block_is_told_how_to_be_closed() -> None:
    assert refused("{% for a in b %}").help == "add {% endfor %}"


def test_a_budget_may_be_smaller() -> None:
    template = TextTemplate.parse("{% for x in xs %}{{ x }}{% endfor %}")
    assert template.render(SCOPE, Budget(text=3)) == "abc"
    with pytest.raises(EvaluationError, match="longer than 2 characters"):
        template.render(SCOPE, Budget(text=2))
    with pytest.raises(EvaluationError, match="more than 3 steps"):
        template.render(SCOPE, Budget(steps=3))


def test_a_template_renders_the_same_twice() -> None:
    template = TextTemplate.parse("{% if empty %}{% set n = 1 %}{% endif %}{{ n is defined }}")
    assert [template.render(SCOPE) for _ in range(2)] == ["false", "false"]

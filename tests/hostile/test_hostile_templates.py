"""Texts that would hang, recurse or allocate without bound are refused at once, in their place.

Every case runs in a process of its own with a limit on memory. The deadline guards against a hang
and is generous; it is no timing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.source.expression import EvaluationError, MappingScope, SourceError
from treec.source.template import TextTemplate

ROOT = Path(__file__).parents[2]
DEADLINE = 120
HUGE = 10**9

CHILDREN = """
import json, os, resource, signal, sys
from treec.source.expression import EvaluationError, Expression, MappingScope, SourceError
from treec.source.template import TextTemplate

def outcome(kind, text):
    scope = MappingScope({"xs": list(range(5000)), "long": "ab" * 100_000, "a": "a", "n": 3})
    try:
        if kind == "expression":
            Expression.parse(text).evaluate(scope)
        else:
            TextTemplate.parse(text).render(scope)
        return ["accepted", 0, ""]
    except SourceError as error:
        return ["source", error.offset, error.message]
    except EvaluationError as error:
        return ["evaluation", error.offset, error.message]

outcomes = []
for kind, text in json.load(sys.stdin):
    told, tell = os.pipe()
    if not os.fork():
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        signal.alarm(DEADLINE)
        with os.fdopen(tell, "w") as out:
            json.dump(outcome(kind, text), out)
        os._exit(0)
    os.close(tell)
    with os.fdopen(told) as answer:
        text = answer.read()
    _, status = os.wait()
    outcomes.append(json.loads(text) if status == 0 else ["died", status, ""])
json.dump(outcomes, sys.stdout)
"""


@cache
def _outcomes() -> dict[tuple[str, str], list[object]]:
    """What became of every case, each in a process forked from one that has imported all."""
    cases = [
        *(("expression", text) for text, _ in (WHILE_PARSING | WHILE_EVALUATING).values()),
        *(("template", text) for text, _ in TEMPLATES_WHILE_PARSING.values()),
        *(("template", text) for text, _ in TEMPLATES_WHILE_EVALUATING.values()),
    ]
    done = subprocess.run(
        [sys.executable, "-c", CHILDREN.replace("DEADLINE", str(DEADLINE))],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(cases, json.loads(done.stdout), strict=True))


def outcome(kind: str, text: str) -> list[object]:
    return _outcomes()[kind, text]


WHILE_PARSING = {
    "parentheses": ("(" * 1000 + "a" + ")" * 1000, 20),
    "brackets never closed": ("a" + "[" * 3000, 21),
    "braces": ("{'a': " * 500 + "1" + "}" * 500, 120),
    "minus signs": ("-" * 3000 + "n", 8),
    "not": ("not " * 900 + "n", 32),
    "signs in parentheses": ("(-----" * 30 + "n" + ")" * 30, 120),
    "inline if": ("1 if n else " * 300 + "2", 50 * 12 + 7),
    "a sum of many": ("n+" * 1900 + "n", 0),
    "fields of fields": ("a" + ".b" * 1900, 2 * 1820),
    "filters of filters": ("a" + "|d" * 1900, 2 * 1820),
    "subscripts": ("a" + "[0]" * 1300, 0),
    "power": ("(10**(10**8)) > 1", 3),
    "power at a constant": ("2 ** 99999999", 2),
    "many digits": ("9" * 3000, 0),
    "a huge hexadecimal": ("0x" + "f" * 3000, 0),
    "a huge float": ("1e999999999", 0),
    "a long text": ("'" + "x" * 10_000 + "'", 4000),
    "python's object": ("().__class__.__base__", 13),
    "a call of a method": ("'x'.center(1000000000)", 4),
    "a format": ("'%s'.format(a)", 5),
    "half a character": ("'\\ud800'", 0),
}


@pytest.mark.parametrize("name", WHILE_PARSING)
@pytest.mark.few(6)
def test_an_expression_is_refused_while_parsing(name: str) -> None:
    text, offset = WHILE_PARSING[name]
    kind, at, message = outcome("expression", text)
    assert (kind, at) == ("source", offset), message


TEMPLATES_WHILE_PARSING = {
    "nested ifs": ("{% if a %}" * 500 + "{% endif %}" * 500, 200),
    "nested ifs never closed": ("{% if a %}" * 5000, 200),
    "nested loops": ("{% for x in xs %}" * 100 + "{% endfor %}" * 100, 340),
    "a long text": ("x" * 100_000, 64_000),
    "opened and opened": ("{{" * 30_000, 2 + 20),
    "braces of comments": ("{#" * 30_000, 0),
    "quotes": ("{{ " + "'" * 20_001, 3 + 20_000),
}


@pytest.mark.parametrize("name", TEMPLATES_WHILE_PARSING)
def test_a_template_is_refused_while_parsing(name: str) -> None:
    text, offset = TEMPLATES_WHILE_PARSING[name]
    kind, at, message = outcome("template", text)
    assert (kind, at) == ("source", offset), message


WHILE_EVALUATING = {
    "a format that pads": (f"'%{HUGE}d' % 1", 0),
    "a text repeated": (f"'x' * {HUGE}", 0),
    "a list repeated": (f"[0] * {HUGE}", 0),
    "a range": (f"range({10**12})", 0),
    "a range from below": (f"range(-{10**14}, {10**14})", 0),
    "a number that grows": ("999999999999999 * 999999999999999", 0),
    "replace": ("long | replace('a', long)", 7),
    "join by a long text": ("xs | join(long)", 5),
    "join of long texts": ("[long, long] | join", 15),
    "concatenation": ("long ~ long", 0),
    "addition": ("long + long", 0),
    "indent": (f"long | indent({HUGE})", 7),
    "wordwrap": ("long | wordwrap(1)", 7),
    "a digit too many": ("(long | replace('ab', '9')) | int", 30),
    "round": ("n | round(999999999)", 4),
    "a list of lists": ("(xs + xs) + xs", 1),
    "json of long texts": ("[long, long, long] | tojson", 21),
    "division by zero": ("n // 0", 0),
    "a batch of none": ("xs | batch(0)", 5),
}


@pytest.mark.parametrize("name", WHILE_EVALUATING)
def test_an_expression_is_refused_while_evaluating(name: str) -> None:
    text, offset = WHILE_EVALUATING[name]
    kind, at, message = outcome("expression", text)
    assert (kind, at) == ("evaluation", offset), message


LOOP = "{% for x in range(1000) %}"
DOUBLED = "".join(f"{{% set v{n + 1} = [v{n}, v{n}] %}}" for n in range(60))
DEEP = "{% set v = [1] %}" + "{% set v = [v] %}" * 2000
BUSY = "{% set y = " + " ~ ".join(["n"] * 6000) + " %}"

TEMPLATES_WHILE_EVALUATING = {  # a negative offset counts from the end
    "loops in loops": (LOOP * 5 + "{% endfor %}" * 5, 4 * 26 + 12),
    "loops that write": (
        LOOP + "{{ long }}" + "{% endfor %}",
        26 + 3,
    ),
    "a loop with a long body": (LOOP + BUSY + "{% endfor %}", 26 + 11),
    "a loop with a long condition": (
        "{% for x in xs if " + " or ".join(f"x == -{n + 1}" for n in range(60)) + " %}{% endfor %}",
        12,
    ),
    "printing doubled lists": ("{% set v0 = [1] %}" + DOUBLED + "{{ v60 }}", -6),
    "comparing doubled lists": (
        "{% set v0 = [1] %}" + DOUBLED + "{% set u = v60 %}"
        "{% set v0 = [1] %}" + DOUBLED + "{{ u == v60 }}",
        -11,
    ),
    "json of doubled lists": ("{% set v0 = [1] %}" + DOUBLED + "{{ v60 | tojson }}", -9),
    "keys of doubled lists": ("{% set v0 = [1] %}" + DOUBLED + "{{ [v60] | unique }}", -9),
    "printing a deep list": (DEEP + "{{ v }}", -4),
    "json of a deep list": (DEEP + "{{ v | tojson }}", -9),
    "searching a long text over and over": (
        LOOP + LOOP + "{{ 'ba' * 2 if 'aab' in long }}" + "{% endfor %}{% endfor %}",
        52 + 15,
    ),
    "doubling a text": (
        "{% set t = long %}" + "{% set t = t ~ t %}" * 40,
        18 + 11,
    ),
}


@pytest.mark.parametrize("name", TEMPLATES_WHILE_EVALUATING)
@pytest.mark.few(4)
def test_a_template_is_refused_while_rendering(name: str) -> None:
    text, offset = TEMPLATES_WHILE_EVALUATING[name]
    kind, at, message = outcome("template", text)
    assert (kind, at) == ("evaluation", offset % len(text)), message


SEEDS = (
    "{% for x in xs if x %}{{ loop.index }}{% else %}z{% endfor %}",
    "{% set a = xs | map('string') | join(',') %}{{ a }}{#- c #}",
    "{% if a %}{{ f(n, b=1).x[1:2] }}{% elif n not in xs %}{% endif %}",
    "{% filter upper %}{{ a is none }}{% endfilter %} {%- raw -%} x {%- endraw %}",
)
PIECES = re.compile(r"\w+|\s+|\{%-?|-?%\}|\{\{|\}\}|.")


@given(
    seed=st.sampled_from(SEEDS),
    edits=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 2))),
)
def test_a_damaged_template_is_refused_in_its_place_or_rendered(
    seed: str, edits: list[tuple[int, int, int]]
) -> None:
    pieces = PIECES.findall(seed)
    donors = [piece for text in SEEDS for piece in PIECES.findall(text)]
    for where, what, length in edits:
        at = where % (len(pieces) + 1)
        pieces[at : at + length] = [donors[what % len(donors)]]
    text = "".join(pieces)
    scope = MappingScope({"xs": [1, 2], "a": "x", "n": 3}, {"f": lambda *a, **k: {"x": "abc"}})
    failed: SourceError | EvaluationError | None = None
    try:
        template = TextTemplate.parse(text)
        assert all(text.startswith(name.name, name.offset) for name in template.names)
        template.render(scope)
    except (SourceError, EvaluationError) as error:
        failed = error
    assert failed is None or (0 <= failed.offset <= len(text) and failed.length >= 1)


PATTERN = """
import re
from treec.team.words import Words
nothing = re.compile("(?!)")
for says in ("<a> <b> <c> now", "<a> to <b> to <c> to <d> now", "put <a> a <b> a <c> a <d> please"):
    words = Words({"t": ([says], dict.fromkeys("abcd", "Item"))}, {}, str.__eq__, nothing)
    for said in ("a ", "x to ", "put a ", "to to ", "a\\u00a0"):
        for tail in ("", "no"):
            assert words.match(said * (2000 // len(said)) + tail) is None
            assert words.nearly(said * (2000 // len(said)) + tail) is None
"""


def test_long_words_against_patterns_of_many_arguments_do_not_hang() -> None:
    done = subprocess.run([sys.executable, "-c", PATTERN], cwd=ROOT, timeout=DEADLINE, check=False)
    assert done.returncode == 0

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec_asking.extract import LONGEST, NoObject, fenced_parts, find_object


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('\ufeff {"a": 1}\n', {"a": 1}),
        ('I would say {"a": 1}, since it is best.', {"a": 1}),
        ('```json\n{"a": {"b": 2}}\n```', {"a": {"b": 2}}),
        ('```\n{"a": 1}\n```\nor, as an example, {"a": 2}', {"a": 1}),
        ("Use {braces like these}: " + '{"a": "}"}', {"a": "}"}),
        ('{"a": 1} No, wait: {"a": 2}', {"a": 2}),
        ('<think>perhaps {"a": 9}</think>{"a": 2}', {"a": 2}),
        ('Here:\n```json\n{"a": "```yaml\\nb: 1\\n```"}\n```', {"a": "```yaml\nb: 1\n```"}),
        ('```\n{"a": "```sh\nls\n```", "b": 2}\n```', {"a": "```sh\nls\n```", "b": 2}),
        ('```\n{"a": "```sh\nls\n```", "b": 2,}\n```\nDone.', {"a": "```sh\nls\n```", "b": 2}),
        ('{"a": "line\\nbreak \\" quote"}', {"a": 'line\nbreak " quote'}),
    ],
)
def test_the_object_is_found(text: str, found: dict[str, object]) -> None:
    assert find_object(text) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Here:\n````yaml\na: |\n```sh\nls\n```\n````\nEnd.", ["a: |\n```sh\nls\n```\n"]),
        ("```yaml\na: |\n    ```\n    ls\n    ```\n```", ["a: |\n    ```\n    ls\n    ```\n"]),
        ("```yaml\na: say ```x``` now\n```", ["a: say ```x``` now\n"]),
        ("~~~yaml\na: 1\n~~~\n```\nb: 2\n```", ["a: 1\n", "b: 2\n"]),
        ("Sure ```yaml\na: 1```", ["a: 1"]),
        ("Sure: ```yaml\na: 1\n```\nThen:\n```\nb: 2\n```", ["a: 1\n", "b: 2\n"]),
        ("Between ``` and ``` then.\n```yaml\na: 1\n```", ["a: 1\n"]),
        ("a: 1", []),
    ],
)
def test_a_fence_may_hold_others(text: str, parts: list[str]) -> None:
    assert fenced_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("I do not know.", "has no JSON object"),
        ("[1, 2]", "not a list"),
        ('"Cook"', "not a text"),
        ("3", "not a number"),
        ("null", "not null"),
        ('{"a": [1, {"b": 2}', "cut off"),
        ('Sure: {"a": "unfin', "cut off"),
        ('```json\n{"a": {"b": 1}, "c": "unfin\n```', "cut off"),
        ('```json\n{"a": 1}\n```\nNo:\n```json\n{"a": {"b": 2},\n```', "cut off"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 101 + "}", "100 digits"),
        ("{'a': 1}", "not JSON: a field's name, in double quotes, is missing at line 1, column 2"),
        ('{"a" 1}', "a colon is missing at line 1, column 6"),
        ('{"a": 1 "b": 2}', "a comma or the end is missing"),
        ('{"a": }', "a value is missing at line 1, column 7"),
        ('{"a": "x\\q"}', "a text has an invalid backslash"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("x" * (LONGEST + 1), "1,000,001 characters"),
    ],
    ids=lambda value: value[:20],
)
def test_what_holds_none_is_refused_by_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NoObject, match=reason):
        find_object(text)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 90 + "x" * 900_000,
        '{"a":"' * 99 + "b" * 900_000,
        ('{"a":1,' + "x" * 4999) * 90,
        "```\n{\n" * 150_000,
        "<think>" * 140_000,
        "{ " * 99 + '"' * 900_000,
    ],
    ids=range(6),
)
def test_a_hostile_megabyte_is_soon_given_up(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(NoObject):
        find_object(text)
    assert time.process_time() - begun < 5.0  # a guard against quadratic work; milliseconds here


@pytest.mark.thorough
@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    try:
        found = find_object(text)
    except NoObject:
        return
    assert isinstance(found, dict)


@pytest.mark.thorough
@given(
    st.dictionaries(st.text(), st.text() | st.integers(-9, 9) | st.booleans()),
    st.sampled_from(["{}", "so: {} .", "```json\n{}\n```", "<b>{}</b>"]),
)
def test_every_object_is_found_in_every_wrapping(value: dict[str, object], around: str) -> None:
    import json

    text = around.replace("{}", json.dumps(value), 1)
    assert find_object(text) == value

"""The fake model plays its script; over a bare socket, so that nothing in between helps it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.ask.questions import SCHEMA, script
from treec_fake_model.script import ScriptError, read_script, simplest
from treec_fake_model.thread import FakeModelThread


def post(
    server: FakeModelThread, body: object, path: str = "/v1/chat/completions"
) -> tuple[int, Mapping[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.model.port, timeout=30.0)
    data = body if isinstance(body, str) else json.dumps(body)
    connection.request("POST", path, data, {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, dict(response.getheaders()), response.read()


def question(text: str = "hello", node: str = "Execution") -> dict[str, Any]:
    form = {"type": "json_schema", "json_schema": {"name": node, "schema": SCHEMA}}
    messages = [{"role": "user", "content": text}]
    return {"model": "m", "messages": messages, "response_format": form}


def said(body: bytes) -> str:
    text: str = json.loads(body)["choices"][0]["message"]["content"]
    return text


def test_the_first_case_that_fits_answers_as_often_as_it_may() -> None:
    cases = script(
        {"node": "Other", "answer": "other"},
        {"when": "pepper", "answer": "pepper!", "times": 1},
        {"node": "Exec.*", "answer": "execution"},
    )
    with FakeModelThread(cases) as server:
        asked = [("pepper", "Execution"), ("pepper", "Execution"), ("salt", "Other")]
        answers = [said(post(server, question(*one))[2]) for one in asked]
    assert answers == ["pepper!", "execution", "other"]


@pytest.mark.parametrize(("last", "choice"), [(False, "Cook"), (True, "Rest")])
def test_without_an_answer_it_gives_what_the_schema_allows(last: bool, choice: str) -> None:
    with FakeModelThread(script({"last": last})) as server:
        answer = json.loads(said(post(server, question())[2]))
    assert answer == {"reasoning": "", "choose": choice}


def test_a_status_comes_with_its_header() -> None:
    with FakeModelThread(script({"status": 429, "retry_after": 1.5})) as server:
        status, headers, _ = post(server, question())
    assert (status, headers["Retry-After"]) == (429, "1.5")


@pytest.mark.parametrize("body", ["{", "[]", "{}", '{"model": "m", "messages": 3}', "\x00"])
def test_what_is_no_request_is_refused_and_the_server_stays(body: str) -> None:
    with FakeModelThread() as server:
        assert post(server, body)[0] == 400
        assert post(server, question(), "/v1/nothing")[0] == 404
        assert post(server, question())[0] == 200


def test_it_listens_on_loopback_alone() -> None:
    with FakeModelThread() as server:
        assert server.model._server is not None
        addresses = [s.getsockname()[0] for s in server.model._server.sockets]
    assert addresses == ["127.0.0.1"]


def test_a_script_is_read_from_yaml(tmp_path: Path) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text("model: fake-1\ncases:\n  - {size: 100MB, delay: 200ms, tokens: [3, 4]}\n")
    found = read_script(file)
    assert found.model == "fake-1"
    assert (found.cases[0].size, found.cases[0].delay) == (100_000_000, 0.2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cases: [{nodes: x}]\n", "1:10: error TC101: unknown key 'nodes'"),
        ("cases: [{node: '('}]\n", "not a regular expression"),
        ("cases: [{size: big}]\n", "1:16: error TC103: 'size'"),
        ("- 1\n", "1:1: error TC103: a script is a mapping with 'cases'"),
        ("cases: [\n", "1:8: error TC003"),
    ],
)
def test_a_wrong_script_is_refused_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text(text)
    with pytest.raises(ScriptError, match=r"answers\.yaml") as error:
        read_script(file)
    assert says in str(error.value)


def test_the_simplest_value_fits_its_schema() -> None:
    from treec_asking.answer_schema import schema_errors

    item = {"anyOf": [{"const": "stop"}, {"type": "boolean"}]}
    properties = {"a": {"type": "array", "items": item}, "b": item, "c": {"type": "number"}}
    schema = {"type": "object", "properties": properties, "required": ["a", "b", "c"]}
    assert schema_errors(simplest(schema), schema) == []

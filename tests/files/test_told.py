"""What answerers and folders of files refuse, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from tests.support import golden
from treec.files.prompts import AnswererSpec
from treec.files.schema import _merge_settings


def problem(**keys: object) -> str:
    """The first problem of an answerer."""
    try:
        AnswererSpec.model_validate(keys)
    except ValidationError as error:
        return str(error.errors()[0]["msg"]).removeprefix("Value error, an answerer is one of ")
    return ""


def settings(text: str) -> str:
    """Settings of an editor, with ours in them."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "settings.json"
        file.write_text(text, "utf-8")
        try:
            return _merge_settings(file, {"yaml": {"a": 1}})
        except ValueError as error:
            raise ValueError(str(error).replace(folder, "")) from None


TOLD: dict[str, Callable[[], object]] = {
    "'rules, model, decision_model, distilled, person: none is given'": lambda: problem(sure=0.5),
    "'rules, model, decision_model, distilled, person: model and person are several'": lambda: (
        problem(model="a/b", person="1m")
    ),
    "\"Value error, 'sure' is for models: person has no confidence\"": lambda: problem(
        person="1m", sure=0.5
    ),
    "ValueError: /settings.json does not contain a JSON object and was not changed": lambda: (
        settings("[1]")
    ),
    (
        "ValueError: /settings.json is not plain JSON and was not changed: Expecting"
        " property name enclosed in double quotes: line 1 column 2 (char 1)"
    ): lambda: settings("{// a\n}"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)

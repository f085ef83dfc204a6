"""Skills and facts bound to an environment by data: a mapping in `runs:` or `sensed:`.

In place of ``package.module:Name`` a file may describe what carries a skill out, or what senses a
fact, where an extension declares `bindings` for the environment: the models of both mappings, and
the function that makes a worker of one. Texts and expressions in them are checked like all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from pydantic import ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from treec.companions import missing_help
from treec.extensions import registry
from treec.files.fields import Field, Instead, Model
from treec.files.types import Type, read_type
from treec.frozen import frozen
from treec.source.diagnostics import suggestion

if TYPE_CHECKING:
    from treec.files.view import View


class Binding(Model):
    """Base of the models of such mappings."""

    part: ClassVar[Literal["skill", "fact"]] = "skill"
    effects: ClassVar[tuple[str, ...]] = ()
    """Its fields that are lists of effects, as `after` is."""

    def names(self, view: View, field: str) -> Mapping[str, Type]:
        """Return the names that the texts of a field can use beside those of the file."""
        return {}

    @classmethod
    def model_for(cls, environment: str) -> type[Binding] | None:
        """Return the model of mappings for an environment, of the same part; None if none is."""
        found = bindings_for(environment)
        return None if found is None else getattr(found, cls.part)


class FactBinding(Binding):
    """Base of those in `sensed:`."""

    part = "fact"


@frozen
class Bindings:
    """What an extension declares for an environment: ``bindings={"arm": "arm.files:BINDINGS"}``."""

    skill: type[Binding]
    fact: type[FactBinding]
    worker: str
    """``function(binding) -> Worker``."""
    records: Callable[[View], Mapping[str, Mapping[str, Type]]] = lambda view: {}
    """The types of mappings that names of bindings stand for: the types of their keys."""


def bindings_for(environment: str) -> Bindings | None:
    """Return what an extension declares for an environment. Raises ExtensionError."""
    target = registry().bindings.get(environment)
    return None if target is None else cast(Bindings, registry().load(target))


def _convert(base: type[Binding]) -> Callable[[object], object]:
    """Make the mappings of a field models of their environments; texts stay as they are."""

    def convert(value: object) -> object:
        if not isinstance(value, dict):
            raise PydanticCustomError("dict_type", "Input should be a valid dictionary")
        found: dict[object, object] = {}
        wrong: list[InitErrorDetails] = []
        for environment, item in value.items():
            try:
                found[environment] = _bind(base, str(environment), item)
            except ValidationError as error:
                wrong += [
                    _below(str(environment), cast("dict[str, Any]", it)) for it in error.errors()
                ]
            except PydanticCustomError as error:
                wrong.append({"type": error, "loc": (str(environment),), "input": item})
        if wrong:
            raise ValidationError.from_exception_data(base.__name__, wrong)
        return found

    return convert


def _bind(base: type[Binding], environment: str, item: object) -> object:
    if isinstance(item, str | Binding):
        return item
    if not isinstance(item, dict):
        raise PydanticCustomError("string_type", "Input should be a valid string")
    model = base.model_for(environment)
    if model is None:
        known = tuple(registry().bindings)
        help = missing_help("environments", environment) or (
            suggestion(environment, known, "environments") if known else ""
        )
        raise PydanticCustomError(
            "binding", "no extension describes '{name}' by a mapping{help}",
            {"name": environment, "help": f"; {help}" if help else ""},
        )  # fmt: skip
    return model.model_validate(item)


def _below(step: str, item: dict[str, Any]) -> InitErrorDetails:
    kind, context = item["type"], item.get("ctx", {})
    with suppress(TypeError, ValueError):  # its context is no plain data
        kind = PydanticCustomError(kind, item["msg"], context)
    return {"type": kind, "loc": (step, *item["loc"]), "input": item["input"]}


def _schema(what: str) -> WithJsonSchema:
    item = {"type": ["string", "object"], "description": f"{what}: package.module:Name, or data."}
    return WithJsonSchema({"type": "object", "additionalProperties": item})


_Code = Annotated[str, Field("import")]
Workers = Annotated[
    dict[str, _Code | Binding], Instead(_convert(Binding)), _schema("A Python object")
]
"""Workers by environment."""
Sensors = Annotated[
    dict[str, _Code | FactBinding], Instead(_convert(FactBinding)), _schema("A Python object")
]
"""Sensors by environment."""


def argument_names(types: Sequence[str]) -> dict[str, Type]:
    """Return what texts of a fact's binding call its arguments: `item`, and `item_2` of two."""
    found: dict[str, Type] = {}
    for text in types:
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).lower()
        number = 1 + sum(name == word or name.startswith(f"{word}_") for name in found)
        found[word if number == 1 else f"{word}_{number}"] = read_type(text)
    return found

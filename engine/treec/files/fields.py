"""The types of fields of all kinds, and the small formats inside them.

Every field of every kind is an *expression* (a bare Jinja expression), a *text* (a Jinja
template) or a *value* (plain data, in which ``$name.path`` stands for a bound value, and ``= …``
for a computed one). The types here annotate that, so that schemas, checks and reference pages can
be derived from the models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from treec.extensions import registry
from treec.frozen import frozen
from treec.source.durations import parse_duration

FieldKind = Literal[
    "expression", "text", "value", "type", "name", "import", "duration", "steps", "fault"
]


@frozen(slots=False)
class Field:
    """The kind of text in a field; part of the model field's metadata."""

    kind: FieldKind
    of: str = ""


class Before:
    """Converts a value before it is validated.

    As pydantic's BeforeValidator, which looks up the function's signature wherever it is used.
    """

    def __init__(self, convert: Callable[[Any], object]) -> None:
        self._convert = convert

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._convert, handler(source))


class Instead(Before):
    """Converts a value, and is all its validation."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._convert)


class Shared:
    """Makes pydantic's schema of a field once for all models that inherit it."""

    def __init__(self) -> None:
        self._schema: CoreSchema | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        if self._schema is not None:
            return self._schema
        schema: CoreSchema = handler(source)
        if "definition-ref" not in repr(schema):  # of a model, which each has for itself
            self._schema = schema
        return schema


def _expression_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, int | float):
        return repr(value)
    return value


def _duration(value: object) -> object:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return parse_duration(value)
    raise ValueError("a duration is a number of seconds, or a number with ms, s, m or h: 20s")


Expr = Annotated[
    str,
    Before(_expression_text),
    Field("expression"),
    WithJsonSchema(
        {
            "type": ["string", "boolean", "number", "null"],
            "description": "An expression: a bare Jinja expression.",
        }
    ),
]
"""A bare Jinja expression, kept as its text."""

Text = Annotated[
    str,
    Field("text"),
    WithJsonSchema({"type": "string", "description": "A text: a Jinja template."}),
]
"""A Jinja template, kept as its text."""

Value = Annotated[
    Any,
    Field("value"),
    WithJsonSchema({"description": "A value: plain data; $name.path or = expression."}),
]
"""Plain data in which ``$name.path`` and ``= expression`` stand for values."""

AgentValue = Annotated[Value, Field("value", "Agent")]
"""A value that is an agent: `$agent`, or its name."""

SubtaskValue = Annotated[Value, Field("value", "Subtask")]
"""A value that is a subtask."""

TextValue = Annotated[Value, Field("value", "text or none")]
"""A value that is a text."""

NumberValue = Annotated[Value, Field("value", "number")]
"""A value that is a number."""

TypeText = Annotated[
    str,
    Field("type"),
    WithJsonSchema(
        {"type": "string", "description": "A type: text, Item, list of Subtask, Agent or none."}
    ),
]
"""A type, as :func:`treec.files.types.parse_type` reads it."""

Import = Annotated[
    str,
    Field("import"),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": "^[\\w.]+:[\\w.]+$",
            "description": "A Python object: package.module:Name.",
        }
    ),
]
"""``package.module:Name``."""

ImportOrName = Annotated[
    str,
    Field("import"),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": "^[\\w.]+(:[\\w.]+)?$",
            "description": "A Python object, package.module:Name, or the name that an extension "
            "gives it.",
        }
    ),
]
"""``package.module:Name``, or a name that an extension declares."""

Duration = Annotated[
    float,
    Before(_duration),
    Field("duration"),
    WithJsonSchema(
        {
            "type": ["string", "number"],
            "pattern": "^[0-9.]+ *(ms|s|m|h)?$",
            "description": "A duration: 20s, 3m, 500ms, or seconds.",
        }
    ),
]
"""A duration in seconds, written ``20s``, ``3m`` or ``500ms``."""


def model_name(name: object) -> object:
    """Return a model's name. Raises ValueError if it lacks its provider, or names only that."""
    if isinstance(name, str) and not all(name.partition("/")[::2]):
        if name.endswith("/"):
            raise ValueError(f"'{name}' names no model: write {name}NAME")
        if name == "any" or name not in ("local", *registry().models):
            right = f"provider/model, such as openai/{name.strip('/')}, or 'local'"
            raise ValueError(f"'{name}' has no provider: write {right}")
    return name


ModelName = Annotated[str, Before(model_name)]


def _fault_line(value: object) -> object:
    """A line in which YAML has seen mappings, for its colons."""
    if isinstance(value, dict) and ("skill" in value or len(value) != 1):
        raise ValueError(
            "a fault is a line, such as fail pick(parcel): slipped or 3s after seen(tin): out R1; "
            "'treec check --fix' rewrites the former ones"
        )
    if isinstance(value, dict):
        ((key, inner),) = value.items()
        return f"{key}:" if inner is None else f"{key}: {_fault_line(inner)}"
    return value if isinstance(value, str) else str(value)


FaultLine = Annotated[
    str,
    Before(_fault_line),
    Field("fault"),
    WithJsonSchema(
        {
            "type": ["string", "object"],
            "maxProperties": 1,
            "description": "A fault: [WHEN:] FAULT[: REASON].",
        }
    ),
]
"""A fault, as `treec.program.faults` reads it."""

Steps = Annotated[
    str,
    Field("steps"),
    WithJsonSchema({"type": "string", "description": "Steps: one skill call a line."}),
]
"""A task's steps: one skill call a line."""


@frozen
class LoopHead:
    """``agent in robots``: a name, and an expression that gives the items."""

    text: str
    name: str
    items: str
    offset: int
    """Where the expression begins in the text."""

    @classmethod
    def parse(cls, text: str) -> LoopHead:
        """Parse a loop, which may turn out not to be valid."""
        name, found, items = text.partition(" in ")
        offset = len(name) + len(found) + len(items) - len(items.lstrip())
        return cls(text, name.strip(), items.strip(), offset)

    @property
    def is_valid(self) -> bool:
        """Whether there is a name, `in` and an expression."""
        return self.name.isidentifier() and self.items != ""

    def __str__(self) -> str:
        return self.text


def _loop(value: object) -> LoopHead:
    if isinstance(value, LoopHead):
        return value
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "Input should be a valid string")
    return LoopHead.parse(value)


LoopText = Annotated[LoopHead, Instead(_loop), WithJsonSchema({"type": "string"})]
"""A loop, parsed once."""


def _empty(value: object) -> object:
    return {} if value is None else value


def _named_like_types(value: object) -> object:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = dict.fromkeys(value)
    if isinstance(value, dict):
        return {
            name: name[:1].upper() + name[1:] if kind is None and isinstance(name, str) else kind
            for name, kind in value.items()
        }
    return value


ArgTypes = Annotated[
    dict[str, TypeText],
    Before(_named_like_types),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
                {"type": "array", "items": {"type": "string"}},
            ]
        }
    ),
]
"""Give arguments without a type the type of the same name: `item` is an Item."""


@frozen(slots=False)
class _OrNull:
    """Allows null in the schema, as the validator beside it does."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return {"anyOf": [handler(core), {"type": "null"}]}


EmptyIsMapping = Before(_empty)
"""``key:`` without a value means an empty mapping."""

OrNull = _OrNull()
"""With :data:`EmptyIsMapping`: makes editors accept the empty value, too."""


class Model(BaseModel):
    """Base of all models: frozen, and an unknown key is an error.

    A module of many models does without `from __future__ import annotations`: pydantic would
    compile each annotation by itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    overridable: ClassVar[bool] = False  # whether `overrides:` of a system may replace keys

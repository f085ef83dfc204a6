"""The kind `tree`: ports, variables, and a root node."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from treec.files.fields import Before, Model, TypeText
from treec.files.nodes import Node


def _declared(value: object) -> object:
    """The text of a declaration; of anything else, how it is declared."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise ValueError(f"its type comes first: 'bool = {str(value).lower()}'")
    if isinstance(value, int | float):
        raise ValueError(f"its type comes first: 'number = {value}'")
    raise ValueError("a type is expected here: text, number, bool, list of text, …")


class TreeFile(Model):
    """A behaviour tree: ports, variables, and a root."""

    tree: str
    about: str | None = None
    ports: dict[str, Annotated[str, Before(_declared)]] = Field(
        {}, description="name: in|out|inout Type = expression"
    )
    vars: dict[str, Annotated[TypeText, Before(_declared)]] = Field(
        {}, description="name: Type = expression; without one, initially none."
    )
    root: Node = Field(description="The node that is ticked.")
    then: Literal["repeat"] | None = Field(
        None, description="repeat: start again after SUCCESS and FAILURE."
    )
    _defaults: dict[str, str] = PrivateAttr(default_factory=dict)

    def model_post_init(self, context: object) -> None:
        """Take the defaults of ports and variables apart from their types."""
        for declared in (self.ports, self.vars):
            for name, text in declared.items():
                kind, equals, default = text.partition("=")
                if equals:
                    declared[name] = kind.rstrip()
                    self._defaults[name] = default.strip()

    @property
    def defaults(self) -> Mapping[str, str]:
        """The first values of variables and of ports that are not wired: expressions."""
        return self._defaults

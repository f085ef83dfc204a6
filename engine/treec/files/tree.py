"""The kind `tree`: ports, variables, and a root node."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, PrivateAttr

from treec.files.fields import Model, TypeText
from treec.files.nodes import Node


class TreeFile(Model):
    """A behaviour tree: ports, variables, and a root."""

    tree: str
    about: str | None = None
    ports: dict[str, str] = Field({}, description="name: in|out|inout Type = expression")
    vars: dict[str, TypeText] = Field(
        {}, description="name: Type = expression; without one, initially none."
    )
    root: Node
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

"""The kind `tree`: ports, variables, and a root node."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from treec.files.fields import Model, TypeText
from treec.files.nodes import Node


class TreeFile(Model):
    """A behaviour tree: ports, variables, and a root."""

    tree: str
    about: str | None = None
    ports: dict[str, str] = Field({}, description="name: in|out|inout Type")
    vars: dict[str, TypeText] = Field({}, description="name: Type; initially none.")
    root: Node
    then: Literal["repeat"] | None = Field(
        None, description="repeat: start again after SUCCESS and FAILURE."
    )

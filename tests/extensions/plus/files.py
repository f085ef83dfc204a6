"""The kind `label` and the node `beep`."""

from __future__ import annotations

from treec.files.fields import Expr, Model
from treec.files.nodes import NodeBase


class LabelFile(Model):
    """What stands on a crate."""

    label: str
    about: str | None = None
    text: str


class BeepNode(NodeBase):
    """Beeps as often as the expression says."""

    beep: Expr

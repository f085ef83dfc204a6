"""Node that names an unknown tree, decision, action, skill or recipe.

`tree`, `ask`, `read`, `do`, `program`, `skill` and `recipe` each name an entry of one
kind in the packs that the system uses; `pack/NAME` names one in another pack.

Wrong:

    tree: main
    root:
      - ask: Excution

Right:

    tree: main
    root:
      - ask: Execution
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.tree_nodes import tree_nodes
from treec.check.unknown_names import an, help_for, is_broken, node_syntax, other_kind
from treec.files.nodes import attribute_of, node_spec
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_bound

CODE = "TC302"


def check(view: View) -> Iterator[Diagnostic]:
    """Report nodes that name an entry that does not exist."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            spec = node_spec(at.key)
            if spec is None:
                continue
            for key, kind in {spec.key: spec.refers, **spec.also_refers}.items():
                field = attribute_of(spec.model, key) if kind else None
                name = getattr(at.node, field) if field is not None else None
                if not isinstance(name, str):
                    continue
                if is_bound(name) and spec.model.model_fields[str(field)].annotation is not str:
                    continue  # a bound value
                if view.find(kind, name) is not None or is_broken(view, (kind,), name):
                    continue
                other = other_kind(view, name)
                help = help_for(view, (kind,), name)
                if key == at.key and other is not None and node_syntax(other, name):
                    help = f"'{name}' is {an(other)}: write '{node_syntax(other, name)}'"
                yield Diagnostic(CODE, "error", at.span(key), f"unknown {kind} '{name}'", help)

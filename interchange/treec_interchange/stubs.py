"""Node classes in Python for the types that an imported file leaves to be written."""

from __future__ import annotations

import re
from collections.abc import Mapping

CHILDREN = "children"
"""Among ports: nodes are below a node of the type."""
OPTIONAL = "?"
"""Among ports: nodes of the type have different ports, so that the class declares none."""

_HEAD = '''"""Nodes of {source}: each is a stub that fails until it is written.

In treec.toml, for a library whose package has this module:

    [nodes]
{lines}
"""

from __future__ import annotations

import py_trees
'''
_LEAF = '''

class {name}(py_trees.behaviour.Behaviour):
    """Write what {type} does; until then, run with --inject 'mock */{type}=S'."""

{ports}    def __init__(self, name, ports):
        super().__init__(name)
        self.io = ports

    def update(self):
        raise NotImplementedError("{type} is a stub")
'''
_PARENT = '''

class {name}(py_trees.composites.Sequence):
    """Write what {type} does with its children; until then it is a sequence."""

{ports}    def __init__(self, name, ports, children):
        super().__init__(name, memory=True, children=children)
        self.io = ports
'''


def write_stubs(source: str, module: str, types: Mapping[str, Mapping[str, str]]) -> str:
    """The text of a module with a class for each type; ``types`` have their ports."""
    names = {kind: re.sub(r"\W", "_", kind, flags=re.ASCII) for kind in types}
    lines = [f'    "{kind}" = "package.{module}:{name}"' for kind, name in names.items()]
    parts = [_HEAD.format(source=source, lines="\n".join(lines))]
    for kind, ports in types.items():
        template = _PARENT if CHILDREN in ports else _LEAF
        own = {port: text for port, text in ports.items() if port not in (CHILDREN, OPTIONAL)}
        declared = "" if OPTIONAL in ports else f"    ports = {own!r}\n\n"
        parts.append(template.format(name=names[kind], type=kind, ports=declared))
    return "".join(parts)

"""Line of a file of interfaces that defines nothing.

`types` of `NAME.interfaces.yaml` has what `.msg`, `.srv` and `.action` files of ROS 2 say, by type.

Wrong:

    interfaces: arm
    types:
      arm_msgs/srv/Home: |
        fast bool
        ---
        bool success

Right:

    interfaces: arm
    types:
      arm_msgs/srv/Home: |
        bool fast
        ---
        bool success
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_ros.definitions import SECTIONS, InvalidDefinition, parse, split_name

CODE = "TC893"


def check(view: View) -> Iterator[Diagnostic]:
    """Report types without a valid name, and lines that are no fields."""
    for entry in entries(view, "interfaces"):
        for name, text in entry.model.types.items():
            parts, key = split_name(name), ("types", name)
            if parts is None:
                span = entry.span(*key, key=True)
                message = f"'{name}' is not the type of an interface"
                help = "write PACKAGE/msg/NAME, PACKAGE/srv/NAME or PACKAGE/action/NAME"
                yield Diagnostic(CODE, "error", span, message, help)
                continue
            try:
                sections = parse(text, name)
            except InvalidDefinition as error:
                offset = sum(len(line) + 1 for line in text.splitlines()[: error.line])
                length = len(text.splitlines()[error.line])
                yield Diagnostic(
                    CODE, "error", entry.span_in(key, offset, length), str(error), None
                )
                continue
            wanted = len(SECTIONS[parts[1]])
            if len(sections) != wanted:
                message = f"'{name}' has {len(sections)} sections, not {wanted}"
                help = f"separate {', '.join(SECTIONS[parts[1]])} by lines '---'"
                yield Diagnostic(CODE, "error", entry.span(*key, key=True), message, help)

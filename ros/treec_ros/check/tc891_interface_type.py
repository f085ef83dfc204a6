"""Interface of ROS 2 that does not exist, or is of another kind.

`type` names what a goal, a request or a message consists of: `PACKAGE/action/NAME`,
`PACKAGE/srv/NAME` or `PACKAGE/msg/NAME`. It is looked up in the packages that are installed
(`AMENT_PREFIX_PATH`, and the environment that treec runs in), then in files `NAME.interfaces.yaml`;
`treec-ros/interfaces` has those of the usual packages. Where nothing defines it that is a warning:
its fields are not checked.

Wrong:

    runs:
      ros: {service: /arm/enable, type: std_srvs/srv/SetBol, request: {data: true}}

Right:

    runs:
      ros: {service: /arm/enable, type: std_srvs/srv/SetBool, request: {data: true}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec_ros.bound import Bound, bound
from treec_ros.definitions import WORDS, Interfaces, split_name

CODE = "TC891"


def check(view: View) -> Iterator[Diagnostic]:
    """Report types that nothing defines, and those of another kind."""
    for one in bound(view):
        yield from _judge(Interfaces.of(view), one)


def _judge(definitions: Interfaces, one: Bound) -> Iterator[Diagnostic]:
    name, kind = one.model.type, one.kind
    span = one.entry.span(*one.loc, "type")
    parts = split_name(name)
    if parts is not None and parts[1] == kind and definitions.sections(name) is not None:
        return
    known = definitions.known(kind)
    near = did_you_mean(name, known)
    help = None if near is None else f"did you mean '{near}'?"
    if parts is None:
        message = f"'{name}' is not the type of an interface"
        yield Diagnostic(CODE, "error", span, message, help or f"write PACKAGE/{kind}/NAME")
    elif parts[1] != kind:
        message = f"'{name}' is {WORDS[parts[1]]}, and {WORDS[kind]} is expected"
        yield Diagnostic(CODE, "error", span, message, help)
    elif near is not None or any(other.startswith(f"{parts[0]}/") for other in known):
        yield Diagnostic(CODE, "error", span, f"unknown interface '{name}'", help)
    else:
        message = f"the package '{parts[0]}' is not installed, so '{name}' is not checked"
        help = "add its definition to a file NAME.interfaces.yaml, or install it"
        yield Diagnostic(CODE, "warning", span, message, help)

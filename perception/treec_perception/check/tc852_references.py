"""Unknown camera, object, agent or fact in a file of perception.

`cameras:` of a localizer or a pose estimator names cameras, `meant_for:` of a camera objects of the
scene, and `mounted: {agent: …, link: …}` an agent with a robot and a link of its model, if that is
installed. `fact:` of a localizer is a fact of the domain about one thing, `place:` one
that has a value for one thing.

Wrong, where the scene has a table and the agent is R1:

    camera: overhead
    about: Above the table.
    mounted: {agent: R7, link: link_head}
    meant_for: [tabel]

Right:

    camera: overhead
    about: Above the table.
    mounted: {agent: R1, link: link_head}
    meant_for: [table]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import Entry
from treec.files.places import FactSpec
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.text import Span
from treec_perception.files import CameraFile
from treec_sapien.check.robots import find_robot
from treec_sapien.robots.assemble import links_of

CODE = "TC852"

FACTS: Mapping[str, tuple[Callable[[FactSpec], bool], str, str]] = {
    "fact": (
        lambda spec: True,
        "is not about one thing",
        "declare seen: {args: [Item]}, or at: {args: [Item], value: Place}",
    ),
    "place": (
        lambda spec: spec.value is not None,
        "says of no single thing where it is",
        "declare at: {args: [Item], value: Place}",
    ),
}
"""What the facts must be that a localizer names, what is wrong otherwise, and what helps."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report references to what does not exist."""
    unread = unreadable_kinds(view.library)
    for entry in entries(view, "localizer", "pose_estimator"):
        if "camera" not in unread:
            for index, name in enumerate(entry.model.cameras):
                yield from unknown(name, view.all("camera"), "camera", entry.span("cameras", index))
    for entry in entries(view, "localizer"):
        for key, (is_right, wrong, help) in FACTS.items():
            fact = getattr(entry.model, key)
            if fact is None or not view.facts or "domain" in unread:
                continue
            span = entry.span(key)
            yield from unknown(fact, view.facts, "fact", span)
            spec = view.facts.get(fact)
            if spec is not None and (len(spec.args) != 1 or not is_right(spec)):
                yield Diagnostic(CODE, "error", span, f"'{fact}' {wrong}", help)
    for entry in entries(view, "camera"):
        objects = [name for scene in view.scenes for name in scene.model.objects]
        if view.scenes and "scene" not in unread:
            for index, name in enumerate(entry.model.meant_for):
                yield from unknown(name, objects, "object", entry.span("meant_for", index))
        mount = entry.model.mounted
        if mount is not None and "agent" not in unread:
            robots = [n for n, it in view.all("agent").items() if it.model.body is not None]
            if robots:
                span = entry.span("mounted", "agent")
                yield from unknown(mount.agent, robots, "agent with a robot", span)
                yield from _link(view, mount.agent, mount.link, entry)


def _link(view: View, agent: str, link: str, entry: Entry[CameraFile]) -> Iterator[Diagnostic]:
    """Whether the robot has the link; in a pack it is a system that gave the agent another body."""
    robot = find_robot(view, _robot(view, agent))
    links = [] if robot is None else sorted(links_of(robot))
    if not links or link in links:
        return
    words = f"camera '{entry.name}': the robot '{robot}' of {agent} has no link '{link}'"
    body = f"{{mounted: {{agent: {agent}, link: …}}}}"
    help = (
        f"{suggestion(link, links, 'its links')}; in a system: overrides: {{{entry.name}: {body}}}"
    )
    yield Diagnostic(CODE, "error", entry.span("mounted", "link"), words, help)


def _robot(view: View, agent: str) -> str:
    """The robot of an agent's body, which may be that of another agent; '' if it has none."""
    entry = view.find("agent", agent)
    body = (entry.model.body if entry is not None else None) or {}
    of = view.find("agent", str(body.get("of", "")))
    body = (of.model.body if of is not None else body) or {}
    return str(body.get("robot", ""))


def unknown(
    name: str, known: Iterable[str], what: str, span: Span, code: str = CODE
) -> Iterator[Diagnostic]:
    """Report a name that is not among those that are known."""
    names = list(known)
    if name not in names:
        help = suggestion(name, names, f"{what}s") if names else None
        yield Diagnostic(code, "error", span, f"unknown {what} '{name}'", help)

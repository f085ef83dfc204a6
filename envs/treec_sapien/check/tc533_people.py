"""Person who cannot move as a scene or a scenario says.

Each of `people:` is an agent who is a Person. `motion` is a file of recordings (`.npz`, or `.json`
of CoMaD) beside the file that names it; `starts` names a skill; `frames` are at least two; `person`
is one of those that recordings have, and a `recording` that is named one of the file's, and only
one. A person is placed by `pose` or by `reach`, not by both, in finite numbers; `hand` is about
`reach`.

Wrong, where the file is `reaching.npz`:

    people:
      usr:
        motion: reachin.npz
        starts: {skill: pik, after: 4s}

Right:

    people:
      user:
        motion: reaching.npz
        reach: [-0.28, 0.32, 0.92]
        starts: {skill: pick, after: 4s}
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from treec.check.base import entries
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.places import PersonMotion, recordings_named
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, list_names, suggestion
from treec.source.errors import suggest

CODE = "TC533"

_RECORDED = ("giver", "receiver", "positions")
"""The people of recordings: two of a handover, or one."""

MARKERS = 25
"""Markers of a person in a frame of CoMaD; see `treec_sapien.people.comad`, which needs numpy."""

_TEXTS = re.compile(
    rb"\x93NUMPY\x01.{3}\{'descr': '<U(?P<width>\d+)', 'fortran_order': False, "
    rb"'shape': \((?P<count>\d+),\), \} *\n",
    re.DOTALL,
)
"""The beginning of a list of texts as numpy writes it (format 1.0)."""
_MOST_NAMES = 16 << 20
"""Bytes of names of recordings that are read."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report people who are not agents, missing recordings and skills, and invalid placements."""
    for entry in entries(view, "scene", "scenario"):
        for name, spec in entry.model.people.items():
            yield from _motion(view, entry, name, spec)
            yield from _placement(entry, name, spec)
            if entry.kind == "scene" or _is_of_system(view, entry):
                yield from _names(view, entry, name, spec)


def _is_of_system(view: View, entry: AnyEntry) -> bool:
    return view.system is not None and view.library.belongs_to(entry, view.system)


def _names(view: View, entry: AnyEntry, name: str, spec: PersonMotion) -> Iterator[Diagnostic]:
    unread = unreadable_names(view.library)
    own = entry.span("people", name, key=True)
    if name not in view.agents:
        if ("agent", name) not in unread:
            help = suggestion(name, view.people, "people")
            yield Diagnostic(CODE, "error", own, f"unknown agent '{name}'", help)
    elif name not in view.people:
        known = f"people: {list_names(view.people)}" if view.people else None
        yield Diagnostic(CODE, "error", own, f"'{name}' is not a Person", known)
    skill = spec.starts.skill
    if skill is not None and skill not in view.all("skill") and ("skill", skill) not in unread:
        span = entry.span("people", name, "starts", "skill")
        help = suggestion(skill, view.all("skill"), "skills")
        yield Diagnostic(CODE, "error", span, f"unknown skill '{skill}'", help)


def _motion(view: View, entry: AnyEntry, name: str, spec: PersonMotion) -> Iterator[Diagnostic]:
    span = entry.span("people", name, "motion")
    path = view.library.file_beside(entry, spec.motion)
    if view.library.leads_out(path):
        message = f"'{spec.motion}' leads out of the library"
        yield Diagnostic(CODE, "error", span, message, "put the file into the library")
        return
    if not path.is_file():
        message = f"no file '{spec.motion}' beside this one"
        help = _near(path)
        yield Diagnostic(CODE, "error", span, message, help)
        return
    if path.suffix == ".json":
        yield from _comad(entry, name, spec, path)
        return
    arrays = _arrays(path)
    if "trans" in arrays and arrays.intersection(("poses", "pose_body")):  # of AMASS
        arrays = {"joints", "lengths", "positions"}
    if not ({"joints", "lengths"} <= arrays and arrays.intersection(_RECORDED)):
        message = f"'{spec.motion}' has no recordings of people"
        help = "it must be an .npz file with 'joints', 'lengths', and 'positions' or 'giver'"
        yield Diagnostic(CODE, "error", span, message, help)
    else:
        yield from _person(entry, name, spec, [it for it in _RECORDED if it in arrays])
    if isinstance(spec.recording, str):
        yield from _recording(entry, name, spec, _recordings(path) or ())


def _comad(entry: AnyEntry, name: str, spec: PersonMotion, path: Path) -> Iterator[Diagnostic]:
    stat = path.stat()
    people = _people_of_comad(path, stat.st_mtime_ns, stat.st_size)
    if isinstance(people, str):
        span = entry.span("people", name, "motion")
        message = f"'{spec.motion}' has no recordings of people: {people}"
        help = f"a file of CoMaD has frames of {MARKERS} markers (x, y, z) by the person's name"
        yield Diagnostic(CODE, "error", span, message, help)
        return
    yield from _person(entry, name, spec, people)
    if isinstance(spec.recording, str):
        yield from _recording(entry, name, spec, ["0"])


@lru_cache(maxsize=8)  # of tens of megabytes, and an editor checks at every key
def _people_of_comad(path: Path, changed: int, size: int) -> tuple[str, ...] | str:
    """The names of the people in a file of CoMaD, or what is wrong; first frames stand for all."""
    try:
        data: Any = json.loads(path.read_bytes())
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except (ValueError, RecursionError) as error:
        return f"it is not JSON ({error})"
    if not isinstance(data, dict) or not data:
        return "there must be people by name"
    for person, frames in data.items():
        first = frames[0] if isinstance(frames, list) and frames else None
        if not isinstance(first, list) or len(first) != MARKERS:
            return f"'{person}' must have frames of {MARKERS} markers"
    return tuple(data)


def _person(
    entry: AnyEntry, name: str, spec: PersonMotion, known: Sequence[str]
) -> Iterator[Diagnostic]:
    if spec.person is not None and spec.person not in known:
        span = entry.span("people", name, "person")
        message = f"unknown person '{spec.person}' in '{spec.motion}'"
        yield Diagnostic(CODE, "error", span, message, suggestion(spec.person, known, "people"))


def _recording(
    entry: AnyEntry, name: str, spec: PersonMotion, known: Sequence[str]
) -> Iterator[Diagnostic]:
    """Where the names of a file's recordings are known: whether one is the one that is wanted."""
    wanted = str(spec.recording)
    named = recordings_named(wanted, Path(spec.motion).stem, known)
    span = entry.span("people", name, "recording")
    if known and not named:
        message = f"unknown recording '{wanted}' in '{spec.motion}'"
        yield Diagnostic(CODE, "error", span, message, suggestion(wanted, known, "recordings"))
    elif len(named) > 1:
        message = f"'{spec.motion}' has several recordings '{wanted}'"
        yield Diagnostic(CODE, "error", span, message, f"write one of {list_names(named)}")


def _arrays(path: Path) -> set[str]:
    """The names of the arrays in an .npz file; none of another file."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as file:
            return {name.removesuffix(".npy") for name in file.namelist()}
    except (OSError, BadZipFile):
        return set()


def _recordings(path: Path) -> list[str] | None:
    """The names of the recordings in an .npz file, read without numpy; None where unknown."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as file:
            if file.getinfo("names.npy").file_size > _MOST_NAMES:
                return None
            data = file.read("names.npy")
    except (OSError, KeyError, BadZipFile):
        return None
    head = _TEXTS.match(data)
    if head is None:
        return None
    width, count = 4 * int(head["width"]), int(head["count"])
    items = data[head.end() :]
    if width == 0 or len(items) != width * count:
        return None
    texts = (items[at : at + width] for at in range(0, len(items), width))
    try:
        return [text.decode("utf-32-le").rstrip("\0") for text in texts]
    except UnicodeDecodeError:
        return None


def _near(path: Path) -> str | None:
    kinds = ("*.npz", "*.json")
    others = [it.name for kind in kinds for it in path.parent.glob(kind)]
    return suggest(path.name, others)


def _placement(entry: AnyEntry, name: str, spec: PersonMotion) -> Iterator[Diagnostic]:
    given = spec.model_fields_set

    def problem(key: str, message: str, help: str | None = None) -> Diagnostic:
        return Diagnostic(CODE, "error", entry.span("people", name, key), message, help)

    if spec.frames is not None:
        first, last = spec.frames
        if first < 0 or last - first < 2:
            message = f"frames {first} to {last} are not a motion"
            yield problem("frames", message, "two frames at least, from 0")
    for key, numbers in (("pose", spec.pose), ("reach", spec.reach or []), ("yaw", [spec.yaw])):
        if not all(map(math.isfinite, numbers)):
            yield problem(key, f"the numbers of '{key}' must be finite")
    if spec.reach is not None and "pose" in given:
        yield problem("pose", "a person is placed by 'pose' or by 'reach'", "leave one of them out")
    if spec.reach is None and spec.hand is not None:
        yield problem("hand", "'hand' is about 'reach', which is not given")

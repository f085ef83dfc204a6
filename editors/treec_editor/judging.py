"""What rules say of a library that is being edited, of what an edit reaches first.

A verdict rests on all files of a view. After an edit it is judged in two steps. At once the rules
run on the files that changed and on those that name what they declare otherwise than before; of
all other files the last verdict stands. When nothing has been edited for a moment, the views are
judged whole; that is what `treec check` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set

from treec.check import Verdicts, check_library, judge, keyed_views, load_rules
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_editor.declarations import INSIDE, OUTSIDE, named

MOST_FILES = 40
"""If an edit reaches more files of a view than this, and two thirds of all, all are judged."""

_NAMELESS = (201, 211, 215, 216, 217, 305, 306, 307, 310, 313, 405, 411, 412, 415, 416, 420, 507)
_MORE = (517, 519, 528, 535, 602, 605, 607, 609, 612, 802, 803, 804, 805, 851, 853)
NAMELESS = frozenset(f"TC{number}" for number in (*_NAMELESS, *_MORE))
"""Rules that report no unknown name where it stands: syntax, order, counts, values, bodies."""

ViewName = tuple[str, str, str]
Known = dict[ViewName, tuple[tuple[AnyEntry, ...], frozenset[Diagnostic]]]
"""The entries of views, and what rules have said of them."""
Progress = Callable[[int, int], None]
"""Takes how many views are judged, and how many are to be."""


class NameSearch:
    """What rules have said in the rounds of a search for a name: each goes on from the last."""

    def __init__(self) -> None:
        self.views: Known = {}


class Interrupted(Exception):
    """A judgement that is no longer wanted."""


class LibraryVerdicts:
    """The last whole verdicts of a library's views. Not for several threads at once."""

    def __init__(self) -> None:
        self._verdicts: Verdicts = {}
        self._views: Known = {}

    def forget(self) -> None:
        """Forget all verdicts."""
        self._verdicts, self._views = {}, {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been judged yet."""
        return not self._views

    def whole(
        self,
        library: Library,
        is_wanted: Callable[[], bool] = lambda: True,
        progress: Progress = lambda done, of: None,
    ) -> list[Diagnostic]:
        """Judge each view that has changed as a whole. Raises Interrupted."""
        views = keyed_views(library)
        rules = load_rules(library)
        todo = {key: view for key, view in views.items() if key not in self._verdicts}
        for number, (key, view) in enumerate(todo.items()):
            progress(number, len(todo))
            found: set[Diagnostic] = set()
            for rule, check in rules:
                if not is_wanted():
                    raise Interrupted
                found |= judge(rule, check, view)
            self._verdicts[key] = frozenset(found)
        problems = check_library(library, verdicts=self._verdicts, views=views)
        named_views = {_name(view): (key, view) for key, view in views.items()}
        self._views = {
            name: (tuple(view.own), self._verdicts[key])
            for name, (key, view) in named_views.items()
            if key in self._verdicts
        }
        return problems

    def reached(
        self,
        library: Library,
        *,
        at_uses: bool = False,
        within: Set[str] | None = None,
        search: NameSearch | None = None,
    ) -> list[Diagnostic]:
        """Judge only what has changed since the last whole verdicts, and what that reaches.

        Of that only the files ``within``, if that is given. In a ``search`` only what has changed
        since its last round, by rules that report unknown names, and no file in which another view
        has found a new problem. The rest is taken to be as it was.
        """
        seen: set[str] = set()
        verdicts = dict(self._verdicts)
        rules = [
            (rule, check)
            for rule, check in load_rules(library)
            if search is None or rule.code not in NAMELESS
        ]
        views = keyed_views(library)
        gone = self._views.keys() - {_name(view) for view in views.values()}
        for key, view in views.items():
            if key in verdicts:
                continue
            name = _name(view)
            tried = None if search is None else search.views.get(name)
            known = tried or self._views.get(name) or self._renamed(name, gone)
            if known is None:
                continue  # check_library judges it
            own, verdict = known
            if search is not None:  # what was said of a text that has changed lies elsewhere now
                now = set(map(id, view.own))
                edited = {entry.path for entry in own if id(entry) not in now}
                verdict = frozenset(it for it in verdict if it.span.path not in edited)
            paths = _reached(own, tuple(view.own), within)
            if tried is not None:  # what was wrong in the last round may be right now
                sound = self._views.get(name, (own, frozenset()))[1]
                doubtful = {it.span.path for it in verdict - sound}
                paths |= doubtful if within is None else doubtful & within
            paths -= seen
            mine = [entry for entry in view.own if entry.path in paths]
            if search is None and len(paths) > max(MOST_FILES, len(own) * 2 // 3):
                continue
            here = {it for it in verdict if it.span.path in paths}
            whole, view.__dict__["own"] = view.own, mine
            found = (
                {it for rule, check in rules for it in judge(rule, check, view)} if mine else set()
            )
            lost = {it.code for it in here - found} if mine else set()
            view.__dict__["own"] = whole  # some rules see what is wrong only among all files
            again = {
                it for rule, check in rules if rule.code in lost for it in judge(rule, check, view)
            }
            seen |= {it.span.path for it in found - here} if search is not None else set()
            verdicts[key] = frozenset((verdict - here) | found | again)
            if search is not None:
                search.views[name] = tuple(view.own), verdicts[key]
        library.results.clear()
        return check_library(library, verdicts=verdicts, views=views, at_uses=at_uses)

    def _renamed(
        self, name: ViewName, gone: Set[ViewName]
    ) -> tuple[tuple[AnyEntry, ...], frozenset[Diagnostic]] | None:
        """What was known of a view whose system, in the same file, has another name now."""
        was = [one for one in gone if one[0] == name[0] and one[2] == name[2]] if name[0] else []
        return self._views[was[0]] if len(was) == 1 else None


def _name(view: View) -> ViewName:
    if view.system is not None:
        return view.system.path, view.system.name, view.system.model.scene
    scenes = [entry.name for entry in view.scenes]
    return "", "", scenes[0] if len(scenes) == 1 else ""


def _reached(
    before: tuple[AnyEntry, ...], after: tuple[AnyEntry, ...], within: Set[str] | None
) -> set[str]:
    """Return the files that differ, and those with a name that is declared otherwise in one."""
    old, new = set(map(id, before)), set(map(id, after))
    gone = [entry for entry in before if id(entry) not in new]
    come = [entry for entry in after if id(entry) not in old]
    was = {it for entry in gone for it in _interface(entry)}
    names = {name for name, *_ in was ^ {it for entry in come for it in _interface(entry)}}
    found = {entry.path for entry in (*gone, *come)}
    if within is not None:
        found &= within
        after = tuple(entry for entry in after if entry.path in within)
    if names:
        word = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        found |= {entry.path for entry in after if word.search(entry.file.text)}
    return found


def _interface(entry: AnyEntry) -> Iterator[tuple[str, str, str]]:
    """Yield what others see of an entry: names, where they stand, and how they are declared."""
    yield entry.name, entry.kind, entry.path
    for table in (OUTSIDE, INSIDE):
        for key in table.get(entry.kind, {}):
            for name, value in named(entry.node.get(key)):
                text = value.file.text[value.start : value.end]
                yield name.text, key, text
                yield entry.name, key, f"{name.text}: {text}"

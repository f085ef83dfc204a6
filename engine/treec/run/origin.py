"""What a run is made with: treec's version, the library's files that it uses, the models.

It stands in `run.json` beside the journal, since it differs between machines. When the run is
resumed, what has changed since is reported, with what it means for the world.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, field

from treec.files.entry import Entry
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.frozen import frozen
from treec.installed import own_version

MEANINGS = {
    "agent": "a new agent joins; what is known of the others is as recorded",
    "domain": "facts and state are as recorded",
    "scenario": "the user goes on after as many lines as were said",
    "scene": "new things are added; what is known of the others is as recorded",
}
"""What a changed file of a kind means for the world of a resumed run."""

OTHERS = ("scenario", "case")
"""Kinds of files that a run does not use; it may be of one scenario."""

OTHER_MEANING = "it holds from now on; the world is as recorded"


@frozen(slots=False)
class Origin:
    """What a run is made with; ``files`` have their kind and a fingerprint, by path."""

    treec: str = ""
    models: tuple[str, ...] = ()
    files: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, view: View, scenario: Entry[ScenarioFile] | None, models: tuple[str, ...]
    ) -> Origin:
        """The origin of a run that begins now."""
        sources = view.library.sources
        files = {
            entry.path: (entry.kind, _fingerprint(sources[entry.path].text.encode()))
            for entry in view.entries
            if entry.path in sources and (entry.kind not in OTHERS or entry is scenario)
        }
        package = view.library.package
        if package is not None:
            for path in sorted(package.folder.rglob("*.py")):
                name = path.relative_to(package.folder.parent).as_posix()
                files[name] = "python", _fingerprint(path.read_bytes())
        return cls(own_version(), models, dict(sorted(files.items())))

    @classmethod
    def read(cls, meta: Mapping[str, object]) -> Origin | None:
        """The origin in a run's `run.json`; None if it has none."""
        files, models = meta.get("files"), meta.get("models")
        if not isinstance(files, dict) or not isinstance(models, list):
            return None
        known = {
            path: (str(found[0]), str(found[1]))
            for path, found in files.items()
            if isinstance(found, list) and len(found) == 2
        }
        return cls(str(meta.get("treec")), tuple(map(str, models)), known)

    def data(self) -> dict[str, object]:
        """Its keys in `run.json`."""
        return asdict(self)

    def changed_files(self, now: Origin) -> dict[str, tuple[str, str]]:
        """Files that were changed, added or removed since: kind, and which of these."""
        changed: dict[str, tuple[str, str]] = {}
        for path in sorted({*self.files, *now.files}):
            before, after = self.files.get(path), now.files.get(path)
            if before != after:
                how = "added" if before is None else "removed" if after is None else "changed"
                changed[path] = (after or before or ("", ""))[0], how
        return changed

    def describe_changes(self, now: Origin) -> list[str]:
        """What differs from ``now``, a line each."""
        lines = []
        if self.treec != now.treec:
            lines.append(f"begun with treec {self.treec}, goes on with {now.treec}")
        if self.models != now.models:
            lines.append(f"begun with {_list(self.models)}, goes on with {_list(now.models)}")
        for path, (kind, how) in self.changed_files(now).items():
            lines.append(f"{path} was {how}: {MEANINGS.get(kind, OTHER_MEANING)}")
        return lines


def _list(models: tuple[str, ...]) -> str:
    return ", ".join(models) or "no model"


def _fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]

"""The files that an XML file includes: ``<include path="…"/>`` of BehaviorTree.CPP 4.

A path is relative to the file that has it. Each file is read once, whoever includes it. Files
outside the first one's folder are not read, nor are packages of ROS looked up; both are reported.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field

from treec.source.diagnostics import Diagnostic, Severity
from treec.source.text import Span
from treec_interchange.xml_reader import BadXml, XmlElement, read_xml

CODE = "import"
"""Stands in the place of a rule's code."""

MAX_FILES, MAX_BYTES = 200, 10_000_000
"""How many files are read together, and of how many bytes."""

ReadFile = Callable[[str], bytes]
"""Returns what is in a file beside or below the first, by its path from there. Raises OSError."""


@dataclass
class XmlFiles:
    """The root elements of files, the first one's first, and their bytes by path."""

    roots: list[XmlElement] = field(default_factory=list)
    sources: dict[str, bytes] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)


def read_files(data: bytes, path: str, read: ReadFile | None) -> XmlFiles:
    """Read a file and all that it includes; without ``read`` includes are reported only.

    ``path`` is the first one's path as it is shown to the user, and the others' are relative to
    its folder.
    """
    reader = _Reader(posixpath.dirname(path), read)
    reader.add(data, posixpath.basename(path), ())
    return reader.done


class _Reader:
    def __init__(self, folder: str, read: ReadFile | None) -> None:
        self.done = XmlFiles()
        self._folder = folder
        self._read = read
        self._bytes = 0

    def add(self, data: bytes, name: str, above: tuple[str, ...]) -> None:
        """Take a file; ``above`` are those that lead to it by their includes."""
        path = posixpath.join(self._folder, name)
        self.done.sources[path] = data
        self._bytes += len(data)
        try:
            root = read_xml(data)
        except BadXml as error:
            span = Span(path, error.line, error.column, error.line, error.column + 1)
            self.done.findings.append(Diagnostic(CODE, "error", span, str(error)))
            return
        for element in root.walk():
            element.path = path
        self.done.roots.append(root)
        for element in root.children:
            if element.tag in ("include", "Include", "Import"):
                self._include(element, name, (*above, name))

    def _include(self, element: XmlElement, name: str, above: tuple[str, ...]) -> None:
        given = element.attributes.get("path", "")
        if self._read is None:
            self._say(element, "included files are not read here: import that one, too")
            return
        if "ros_pkg" in element.attributes:
            package = element.attributes["ros_pkg"]
            self._say(
                element,
                f"'{given}' of the ROS package '{package}' is not read",
                help="copy it beside this file and include it by its path",
            )
            return
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), given))
        if not given:
            self._say(element, "the path of the included file is missing", "error")
        elif posixpath.isabs(given) or "\\" in given or target.startswith(".."):
            self._say(
                element,
                f"'{given}' lies outside the folder of the imported file, and is not read",
                help="import a file that lies above both, or copy that one",
            )
        elif target in above:
            circle = " → ".join((*above[above.index(target) :], target))
            self._say(element, f"files include each other in a circle: {circle}")
        elif posixpath.join(self._folder, target) not in self.done.sources:
            self._add(element, given, target, above)

    def _add(self, element: XmlElement, given: str, target: str, above: tuple[str, ...]) -> None:
        assert self._read is not None
        if len(self.done.sources) >= MAX_FILES:
            self._say(element, f"more than {MAX_FILES} files are not read", "error")
            return
        try:
            data = self._read(target)
        except OSError as error:
            self._say(element, f"'{given}' cannot be read: {error.strerror or error}", "error")
            return
        if self._bytes + len(data) > MAX_BYTES:
            size = MAX_BYTES // 1_000_000
            self._say(element, f"the files are larger than {size} MB together", "error")
            return
        self.add(data, target, above)

    def _say(
        self, at: XmlElement, message: str, severity: Severity = "warning", help: str | None = None
    ) -> None:
        span = Span(at.path, at.line, at.column, at.line, at.column + len(at.tag) + 1)
        self.done.findings.append(Diagnostic(CODE, severity, span, message, help))

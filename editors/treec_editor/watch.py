"""``treec watch``: checks a library at every save."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from treec.cli.common import IgnoreOption, LibraryOption, SelectOption, open_library

if TYPE_CHECKING:
    from treec.check import Verdicts
    from treec.check.suppress import RuleSelection
    from treec.files.library import Library
    from treec.files.stamps import Stamps

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears a terminal and what it can scroll back to."""


def command(
    library: LibraryOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
) -> int:
    """Check a library now and after every save, until Ctrl-C.

    Exit status 0 if the last check found no errors, else 1.
    """
    from treec.cli.check_library import rule_selection

    found = open_library(library)
    watch = LibraryWatch(found, rule_selection(found, select, ignore), screen=sys.stdout.isatty())
    try:
        watch.follow(_wait)
    except KeyboardInterrupt:
        print()
    return 1 if watch.wrong else 0


class LibraryWatch:
    """Checks a library whenever one of its files changes, and prints what the check finds.

    ``screen``: clear the terminal before each report.
    """

    def __init__(
        self, library: Library, selection: RuleSelection | None = None, *, screen: bool = False
    ) -> None:
        self.wrong = False
        """Whether the last check found errors."""
        self._library = library
        self._selection = selection
        self._screen = screen
        self._verdicts: Verdicts = {}
        self._stamps: Stamps | None = None

    def follow(self, wait: Callable[[], bool]) -> None:
        """Check, and check again after each change, as long as ``wait`` returns true."""
        self.look()
        while wait():
            self.look()

    def look(self) -> bool:
        """Check if a file has changed since the last look; return whether one has."""
        from treec.check import check_library
        from treec.cli.check_library import print_problems
        from treec.files.library import load_library
        from treec.files.stamps import changed_files, list_files, stamps

        now = stamps(self._library.root, self._library.package)
        if now == self._stamps:
            return False
        changed = [] if self._stamps is None else changed_files(self._stamps, now)
        self._stamps = now
        if any(not path.endswith(".yaml") for path in changed):
            self._verdicts.clear()  # rules read Python and settings, too
        self._library = load_library(self._library.root)
        problems = check_library(self._library, selection=self._selection, verdicts=self._verdicts)
        self.wrong = any(problem.severity == "error" for problem in problems)
        if self._screen:
            print(CLEAR, end="")
        if changed:
            print(f"{list_files(changed)}: changed")
        print_problems(self._library, problems)
        sys.stdout.flush()
        return True


def _wait() -> bool:
    from treec.files.stamps import EVERY

    time.sleep(EVERY)
    return True

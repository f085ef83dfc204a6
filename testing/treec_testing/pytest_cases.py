"""The pytest plugin of cases: each case of a library is a test; recorded answers for others.

Below a folder with a ``treec.toml``, collecting ``tests/decisions`` also collects the library's
cases, those of whole systems once for each author of answers, and a test that every recording is
used. No case reaches beyond this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from treec_testing.decisions.findings import CaseFinding
    from treec_testing.decisions.snapshot import AnyCase, Snapshot
    from treec_testing.recordings.transport import RecordedTransport

pytest_plugins = ("treec_testing.pytest_network",)

CASES, EXCHANGES = "decisions", "exchanges"
"""The folder of cases, and that of the exchanges of older versions, which are reported."""


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The folder of a library's cases."""
    root = path.parent.parent
    if path.parts[-2:-1] != ("tests",) or path.name not in (CASES, EXCHANGES):
        return None
    if path.name == EXCHANGES and not any(path.rglob("*.exchange.yaml")):
        return None
    if not (root / "treec.toml").is_file():
        return None
    kind = CasesPackage if (path / "__init__.py").is_file() else CasesFolder
    found: pytest.Collector = kind.from_parent(parent, path=path)
    return found


class _WithCases:
    """Collects what is there anyway, and the cases."""

    path: Path

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """The folder's own tests, then the cases."""
        yield from super().collect()  # type: ignore[misc]
        yield Cases.from_parent(self, name="cases")  # type: ignore[arg-type]


class CasesFolder(_WithCases, pytest.Dir):  # type: ignore[misc]
    """tests/decisions, a plain folder."""


class CasesPackage(_WithCases, pytest.Package):
    """tests/decisions, a package."""


class Cases(pytest.Collector):
    """The cases of a library."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test a case, and one that no recording is left over."""
        from treec_testing.decisions.cases import CaseError
        from treec_testing.decisions.snapshot import Snapshot

        library = _library(self.path.parent.parent)
        try:
            snapshot = Snapshot.open(library)
        except CaseError as error:
            raise self.CollectError(str(error)) from None
        for case in snapshot.every:
            yield CaseTest.from_parent(self, name=case.id, case=case, snapshot=snapshot)
        yield UsedTest.from_parent(self, name="every recording is used", snapshot=snapshot)


def _library(root: Path) -> Any:
    from treec.files.library import load_library

    library = load_library(root)
    errors = [d for d in library.diagnostics if d.severity == "error"]
    if errors:
        text = "\n".join(f"{d.span}: {d.code}: {d.message}: {d.help or ''}" for d in errors)
        raise Cases.CollectError(f"{text}\nrun 'treec check'")
    return library


class DecisionDiffers(Exception):
    """What a snapshot found of one case."""

    def __init__(self, findings: list[CaseFinding]) -> None:
        super().__init__(findings)
        self.findings = findings


class _Test(pytest.Item):
    funcargs: Mapping[str, object] = {}
    """None; plugins such as pytest-lsp look for the fixtures of every test."""

    def __init__(self, *, snapshot: Snapshot, **given: Any) -> None:
        super().__init__(**given)
        self.snapshot = snapshot

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The findings, as `treec snapshot` prints them."""
        from treec_testing.decisions.cases import CaseError
        from treec_testing.decisions.findings import format_findings

        error = excinfo.value
        if isinstance(error, DecisionDiffers):
            return "\n".join(
                line for finding in error.findings for line in format_findings([finding])
            )
        if isinstance(error, CaseError):
            return str(error)
        return super().repr_failure(excinfo, style)


class CaseTest(_Test):
    """A case, answered from its recording or played."""

    def __init__(self, *, case: AnyCase, **given: Any) -> None:
        super().__init__(**given)
        self.case = case

    def runtest(self) -> None:
        """Raise DecisionDiffers for what differs."""
        from treec_testing.decisions.no_network import forbid_network

        with forbid_network():
            findings = self.snapshot.judge([self.case], unused=False).findings
        if findings:
            raise DecisionDiffers(findings)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file and line that the case stands in."""
        file, _, line = self.case.where.rpartition(":")
        return self.snapshot.root / file, int(line) - 1, self.case.id


class UsedTest(_Test):
    """Every recording is of a case."""

    def runtest(self) -> None:
        """Raise DecisionDiffers for recordings that no case asks for."""
        findings = self.snapshot.unused()
        if findings:
            raise DecisionDiffers(findings)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The folder."""
        return self.path, None, self.name


@pytest.fixture
def treec_recorded() -> Iterator[Callable[[str | Path], RecordedTransport]]:
    """Opens folders of recordings as transports; a question that nobody recorded fails the test."""
    from treec_testing.recordings.transport import RecordedTransport

    opened: list[RecordedTransport] = []

    def open_(folder: str | Path) -> RecordedTransport:
        opened.append(RecordedTransport.of(Path(folder)))
        return opened[-1]

    yield open_
    missed = [error for transport in opened for error in transport.missed]
    if missed:
        pytest.fail(str(missed[0]), pytrace=False)

"""What to say of a package that is not installed: which it is, and the command that installs it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import Distribution

EXTENSIONS = "treec.extensions"
"""The entry-point group in which packages name their extensions."""

PACKAGES = {
    **{"pil": "pillow", "skimage": "scikit-image", "zmq": "pyzmq", "hibari": "hibari-tts"},
    "rclpy": "ros-jazzy-rclpy",
}
"""Packages that install a module of another name."""

WHOLE = ("all", "dev")
"""Extras that bring everything."""


def missing_package(error: BaseException, module: str = "treec") -> str | None:
    """What an error of importing ``module`` means if it needs a package that is not installed.

    None for any other error, also if the package is that of the module itself.
    """
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    top = error.name.partition(".")[0]
    if top in ("treec", module.partition(".")[0]):
        return None
    package = PACKAGES.get(top.lower(), top)
    command = how_to_install(package, _package_that_failed(error))
    says = f"needs the package '{package}', which is not installed"
    return f"{says}: {command}" if command else says


def needs_extra(what: str, extra: str, error: ImportError) -> str:
    """The message of what cannot be done, since a package of an extra (or of several) is missing.

    The extra brings all that is needed, of which the error names the first.
    """
    package = PACKAGES.get((error.name or "").lower(), error.name)
    says = f"the package '{package}', which is not installed" if package else str(error)
    return f"{what} needs {says}: pip install 'treec[{extra}]'"


def how_to_install(package: str, needed_by: str) -> str | None:
    """The command: of all extras of treec and of extensions, the smallest that has the package.

    Those of the distribution that needs it come first.
    """
    sizes = {
        f"'{_named(owner)}[{extra}]'": (owner.name != needed_by, size)
        for owner in _distributions()
        for extra, size in _extras_with(package, owner.requires or ()).items()
    }
    return f"pip install {min(sizes, key=lambda it: (sizes[it], it))}" if sizes else None


def _package_that_failed(error: BaseException) -> str:
    """The distribution of ours whose module was the last to be run when an import failed."""
    found, frame = "", error.__traceback__
    while frame is not None:
        top = str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        found = top.replace("_", "-") if top.startswith("treec") else found
        frame = frame.tb_next
    return found


def _named(owner: Distribution) -> str:
    """The package to install: the extras of treec's own rooms are also treec's."""
    return "treec" if owner.name.startswith("treec-") else owner.name


def _distributions() -> list[Distribution]:
    from importlib.metadata import PackageNotFoundError, distribution, entry_points

    owners = [point.dist for point in entry_points(group=EXTENSIONS)]
    found = {owner.name: owner for owner in owners if owner is not None}
    with suppress(PackageNotFoundError):  # it is on the path, but not installed
        found["treec"] = distribution("treec")
    return list(found.values())


def _extras_with(package: str, rows: Iterable[str]) -> dict[str, int]:
    """The extras with a package, and how many packages each has."""
    pairs = [
        (_canonical(re.split(r"[^\w.-]", row)[0]), extra)
        for row in rows
        for extra in re.findall(r"extra == [\"']([\w-]+)[\"']", row)
        if extra not in WHOLE
    ]
    sizes = Counter(extra for _, extra in pairs)
    return {extra: sizes[extra] for name, extra in pairs if name == _canonical(package)}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

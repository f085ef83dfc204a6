"""Install packages with uv, which takes half of pip's time, from where pip would take them.

``python .ci/install.py ARGUMENT…``: the arguments of `uv pip install`, which are pip's. uv does not
read pip's settings: indexes, folders of wheels, constraints and certificates are handed on to it.
Where uv is not to be had or fails, pip installs.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import Any

SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
}
"""Settings of pip, and the variables in which uv looks for the same."""


def settings(listed: str) -> dict[str, str]:
    """uv's variables, from lines of `pip config list` such as ``global.cert='/a.crt'``."""
    found: dict[str, str] = {}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        variable = SETTINGS.get(key.rpartition(".")[2])
        if variable is not None:
            found[variable] = " ".join(shlex.split(value))
    if "UV_FIND_LINKS" in found:
        found["UV_FIND_LINKS"] = found["UV_FIND_LINKS"].replace(" ", ",")
    return {"UV_INDEX_STRATEGY": "unsafe-best-match", **found}


def run(module: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command of a module of this Python."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=False, text=True, **options)


def main(arguments: list[str]) -> int:
    """The exit status of uv, or of pip where uv does not come off."""
    pip = ("install", "--quiet", "--disable-pip-version-check", "--no-compile")
    if run("pip", *pip, "uv").returncode == 0:
        listed = run("pip", "config", "list", capture_output=True).stdout
        uv = ("pip", "install", "--quiet", "--python", sys.executable)
        if run("uv", *uv, *arguments, env={**os.environ, **settings(listed)}).returncode == 0:
            return 0
    return run("pip", *pip, *arguments).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

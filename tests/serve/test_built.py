"""The built part of the page is what its source gives, and nothing else is fetched."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from treec_serve.app import PAGE

WEB = Path(__file__).resolve().parents[2] / "serve" / "web"


def source_hash() -> str:
    """The hash of all that the build reads, as ``vite.config.mjs`` makes it."""
    names = ("package-lock.json", "package.json", "tsconfig.json", "vite.config.mjs")
    files = sorted([*names, *(f"src/{one.name}" for one in (WEB / "src").iterdir())])
    found = hashlib.sha256()
    for name in files:
        found.update(f"{name}\n".encode())
        found.update((WEB / name).read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize("name", ["picture.js", "picture.css"])
def test_the_built_files_are_not_older_than_their_source(name: str) -> None:
    first = (PAGE / name).read_text("utf-8").partition("\n")[0]
    assert first.endswith(f"sha256 {source_hash()} */"), "run 'make page'"


def test_it_is_small_and_fetches_nothing() -> None:
    script = (PAGE / "picture.js").read_text("utf-8")
    assert len(script) < 450_000
    addresses = set(re.findall(r"https?://([\w.]+)", script))
    # Names of formats, and addresses in texts of errors and in the package's own description.
    assert addresses <= {
        "www.w3.org",
        "react.dev",
        "reactflow.dev",
        "github.com",
        "chrismaloney.org",
    }
    assert not re.search(r"\bimport\s*\(|from\s*[\"']", script)

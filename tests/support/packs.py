"""Packs for tests: distributions in a folder, with what pip would have written beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.forget import forget_packs
from treec.files.modules import clear_cache

PACK = """
[pack]
name = "sheds"
about = "Garden sheds"
version = "2.1"

[pack.parts]
"tools" = {folders = ["skills"], about = "What a shed holds"}
"tools/all" = {folders = ["skills", "trees"]}
"envs" = {folders = ["envs"]}
"trees" = {folders = ["trees", "envs"]}
"""

SHED = {
    "__init__.py": "raise RuntimeError('a pack is looked for, never imported')\n",
    "treec.toml": PACK,
    "skills/dig.skill.yaml": """skill: dig
about: Dig a hole.
args: {agent: Robot}
takes: 2s
runs: {symbolic: treec.envs.symbolic:Effects}
""",
    "trees/digging.tree.yaml": """tree: digging
about: Dig once.
root:
  - skill: dig
    with: {agent: R1}
""",
    "envs/shed.domain.yaml": """domain: shed
about: Nothing but robots.
""",
    "envs/shed.scene.yaml": """scene: shed
about: An empty shed.
domain: shed
objects: {}
""",
    "envs/r1.agent.yaml": """agent: R1
is: Robot
about: A robot that digs.
can: []
skills: {dig: {}}
""",
    "trees/shed_system.system.yaml": """system: sheds_work
about: Dig.
uses: [trees, skills, envs]
root: digging
domain: shed
scene: shed
""",
    "trees/one.scenario.yaml": """scenario: one_hole
system: sheds_work
expect: {within: 1m}
""",
}


def write(root: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def distribution(
    site: Path, name: str, pack: str, package: str, files: Mapping[str, str], version: str = "1.0"
) -> Path:
    """What pip leaves of a distribution that offers a pack; the package's folder."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    entry = f"[treec.packs]\n{pack} = {package}\n"
    write(site, {f"{info}/METADATA": metadata, f"{info}/entry_points.txt": entry})
    return write(site / package.replace(".", "/"), files)


@contextmanager
def installed(monkeypatch: pytest.MonkeyPatch, site: Path) -> Iterator[None]:
    """With the distributions of a folder installed."""
    monkeypatch.syspath_prepend(str(site))
    forget_packs()
    clear_cache()
    try:
        yield
    finally:
        monkeypatch.undo()
        forget_packs()
        clear_cache()

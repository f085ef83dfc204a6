"""All words of the reports of two runs: one that went well, one with a failure and a variable."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import treec
from tests.support import golden

FILE = Path(__file__).with_name("reports.txt")
TREE = """\
tree: rounds
vars: {tries: number = 0}
root:
  sequence:
    - set: {tries: = tries + 1}
    - selector:
        - check: tries > 3
        - {check: tries > 0, cooldown: 3s}
    - check: tries > 1
"""


def _text(page: str) -> str:
    body = re.sub(r"<(style|script|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    body = re.sub(r"</t[dh]>\s*<t[dh][^>]*>", " | ", body)
    body = re.sub(r"<[^>]+>", "", re.sub(r"</?(tr|h\d|p|table|section)\b[^>]*>", "\n", body))
    return "\n".join(line.strip() for line in unescape(body).splitlines() if line.strip())


def test_what_reports_say(lib: treec.Workspace, tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    (tmp_path / "rounds.tree.yaml").write_text(TREE, "utf-8")
    runs = [
        lib.run("warehouse", scenario="morning_shift"),
        treec.open(tmp_path).run(tree="rounds"),
    ]
    pages = [run.report(tmp_path / "r.html").read_text("utf-8") for run in runs]
    golden.check(FILE, "\n\n".join(map(_text, pages)) + "\n")

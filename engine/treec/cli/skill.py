"""``treec skill``: try single skills."""

from __future__ import annotations

from treec.cli import skill_try
from treec.cli.common import group

app = group("skill", "Try single skills.")
app.command("try")(skill_try.command)

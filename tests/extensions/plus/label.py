"""The kind `label`."""

from __future__ import annotations

from treec.files.fields import Model


class LabelFile(Model):
    """What stands on a crate."""

    label: str
    about: str | None = None
    text: str

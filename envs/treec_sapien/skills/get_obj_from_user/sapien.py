"""Take a thing from a person's open palm, in SAPIEN; physical."""

from __future__ import annotations

from treec_sapien.skills.pick.sapien import Pick


class GetObjFromUser(Pick):
    """A palm is a surface like any other."""

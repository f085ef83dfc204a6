"""Take a thing out of a person's hand, in SAPIEN: physical, from the open palm it lies on."""

from __future__ import annotations

from treec.skills.pick.sapien import Pick


class GetObjFromUser(Pick):
    """See the module: a palm is a surface like any other."""

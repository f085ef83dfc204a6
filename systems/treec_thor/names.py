"""Names of AI2-THOR's objects: those of a scene's file (``Apple_1``) for its object ids.

Ids contain coordinates (``Apple|-00.47|+01.15|+00.48``). Objects of a type are numbered in the
order of their ids, so that the same scene always gives the same names. A piece that was cut keeps
its number: ``Apple|…|AppleSliced_0`` is ``Apple_1 piece 1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

ThorObject = Mapping[str, Any]
"""One entry of ``event.metadata["objects"]``."""

_PIECE = re.compile(r"^(?P<whole>.+)\|(?P<type>\w+?)_(?P<number>\d+)$")


class ObjectNames:
    """Names by object id and ids by name, for the objects of one scene."""

    def __init__(self, objects: Iterable[ThorObject]) -> None:
        self._by_id: dict[str, str] = {}
        self._by_name: dict[str, str] = {}
        count: dict[str, int] = {}
        whole = [one for one in objects if _PIECE.match(str(one["objectId"])) is None]
        for one in sorted(whole, key=lambda o: (str(o["objectType"]), str(o["objectId"]))):
            kind = str(one["objectType"])
            count[kind] = count.get(kind, 0) + 1
            self._add(f"{kind}_{count[kind]}", str(one["objectId"]))

    def add_pieces(self, objects: Iterable[ThorObject]) -> None:
        """Name the pieces that were cut since."""
        for one in objects:
            id = str(one["objectId"])
            match = None if id in self._by_id else _PIECE.match(id)
            if match is not None and match["whole"] in self._by_id:
                self._add(f"{self._by_id[match['whole']]} piece {int(match['number']) + 1}", id)

    def name(self, id: str) -> str | None:
        """The name of an object id; None for one that is unknown."""
        return self._by_id.get(id)

    def id(self, name: str) -> str | None:
        """The object id of a name; None for one that is not there (yet)."""
        return self._by_name.get(name)

    def _add(self, name: str, id: str) -> None:
        self._by_id[id] = name
        self._by_name[name] = id

"""What a skill went by beside a person, for the journal, and whether it touched them.

Forecasts are noted once a second, and when their basis changes.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.person.figure import LEFT_WRIST, RIGHT_WRIST

if TYPE_CHECKING:
    from treec_sapien.person.outlook import PersonOutlook
    from treec_sapien.worker import PhysicalAct

EVERY = 1.0
"""Seconds between two records of forecasts."""

WARM_UP = 1.0
"""Seconds in which the first forecast may come, before its absence is reported."""

AHEAD = (0.0, 0.4, 0.8)
"""Seconds ahead at which the wrists are kept."""

_NONE = -32768


class ForecastLog:
    """Keeps the wrists of each outlook in whole millimetres: 36 bytes each."""

    def __init__(self, act: PhysicalAct) -> None:
        self._act = act
        self._rows: list[Array] = []
        self._made: list[float] = []
        self._last: PersonOutlook | None = None
        self._basis = "forecast"
        self._hidden = ""
        self._quiet = act.now() + WARM_UP
        self._due = act.now() + EVERY

    def look(self) -> None:
        """Keep the outlook if it is a new one."""
        act = self._act
        person = act.watched()
        assert person is not None
        outlook = person.outlook
        if outlook is self._last:
            return
        self._last = outlook
        self._rows.append(_wrists(outlook))
        self._made.append(outlook.made)
        basis = "absent" if outlook.absent else outlook.basis
        if basis == "forecast":
            self._quiet = 0.0
        self._tell_hidden(person.name, outlook)
        if basis != self._basis and act.now() >= self._quiet:
            self._basis = basis
            text = f"{person.name} is forecast again"
            if basis == "absent":
                text = f"{person.name} has left"
            elif basis != "forecast":
                text = (
                    f"{person.name} is not forecast: {outlook.why}; "
                    f"margins are {outlook.further:g} m wider"
                )
            act.note(text, basis=basis)
        if act.now() >= self._due:
            self._due = act.now() + EVERY
            packed = np.array(self._rows).astype("<i2").tobytes()
            act.note(
                "",
                forecasts=base64.b64encode(packed).decode(),
                times=[round(it, 3) for it in self._made],
                basis=basis,
            )
            self._rows, self._made = [], []

    def _tell_hidden(self, name: str, outlook: PersonOutlook) -> None:
        """Say when a joint of who is forecast has been hidden for long, and when none is."""
        hidden = outlook.why if outlook.basis == "forecast" else self._hidden
        if hidden == self._hidden or (not hidden and outlook.wider is not None):
            return
        self._hidden = hidden
        wider = 0.0 if outlook.wider is None else float(outlook.wider.max())
        text = f"all of {name} is seen again"
        if hidden:
            text = f"{name} is forecast, but {hidden}: it may be {wider:.2g} m off"
        self._act.note(text, basis=outlook.basis)


class TouchLog:
    """Notes each contact of a robot at work with a person, and again if it proves its own doing."""

    def __init__(self, act: PhysicalAct) -> None:
        self._act = act
        self._robot = act.robot.name
        self._began = act.now()
        self._noted: dict[str, list[tuple[float, str, bool]]] = {}

    def look(self) -> None:
        """Note what is new since the last look."""
        for name, person in self._act.kitchen.people.items():
            if not person.contacts:
                continue
            contacts = [
                (round(at, 3), link, own)
                for at, robot, link, own in person.contacts
                if robot == self._robot and at >= self._began
            ]
            noted = self._noted.setdefault(name, [])
            for at, link, own in contacts:
                if (at, link, own) not in noted:
                    whose = "by the robot's own motion" if own else f"by {name}'s own motion"
                    touch = {"person": name, "link": link, "at": at, "own": own}
                    self._act.note(f"{name} is touched, {whose}: {link}", touch=touch)
            self._noted[name] = contacts


def _wrists(outlook: PersonOutlook) -> Array:
    if not len(outlook.times):
        return np.full((len(AHEAD), 2, 3), _NONE)
    at = [int(np.argmin(np.abs(outlook.times - outlook.made - ahead))) for ahead in AHEAD]
    wrists = outlook.joints[at][:, (LEFT_WRIST, RIGHT_WRIST)]
    return np.asarray(np.clip(np.rint(1000 * wrists), _NONE + 1, 32767))


def read_log(record: Mapping[str, Any]) -> tuple[Array, Array]:
    """Return when forecasts were made (n), and the wrists (n, 3 times, left and right, 3; metres).

    NaN where there was no pose.
    """
    packed = np.frombuffer(base64.b64decode(record["forecasts"]), "<i2")
    wrists = packed.reshape(-1, len(AHEAD), 2, 3).astype(float)
    wrists[wrists == _NONE] = np.nan
    return np.array(record["times"], float), wrists / 1000

"""The extension of the network that hears: what reads its weights."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(name="hearing", scorers={"npz": "treec_hearing.network:read_network"})

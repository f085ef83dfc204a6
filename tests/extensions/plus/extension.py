"""The declaration: no code but this is imported until something of it is used."""

from __future__ import annotations

from treec import Extension, Filter, Function, Kind

HERE = "tests.extensions.plus"

EXTENSION = Extension(
    name="plus",
    kinds=(Kind("label", f"{HERE}.label:LabelFile"),),
    rules=(f"{HERE}.tc951_label",),
    nodes={"beep": f"{HERE}.beep:NODE"},
    functions=(Function("crates", f"{HERE}.words:crates", (), "list of text", "All crates."),),
    filters=(Filter("loud", f"{HERE}.words:loud", "text"),),
    tests={"even_number": f"{HERE}.words:even"},
    actions={"beep_at": f"{HERE}.words:beep_at"},
    sensors={"scale": f"{HERE}.words:scale"},
    answerers={"orders": f"{HERE}.words:orders"},
    commands={"labels": f"{HERE}.commands:labels", "journal labels": f"{HERE}.commands:journal"},
    monitors={"board": f"{HERE}.board:open_board"},
    models={"plus": f"{HERE}.words:open_echo"},
    environments={"hall": "tests.support.small_world:SmallWorld"},
)

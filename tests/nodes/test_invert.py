from tests.nodes.build import probes, shown
from treec.nodes.modifiers.invert import invert


def test_success_and_failure_change_places():
    (a,) = probes("SFR")
    assert shown(invert(name="m", child=a), 3) == [
        "FAILURE aS",
        "SUCCESS aF",
        "RUNNING aR",
        "end a",
    ]

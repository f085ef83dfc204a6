from tests.nodes.build import probes, shown
from treec.nodes.modifiers.force_success import force_success


def test_failure_becomes_success():
    (a,) = probes("SFR")
    assert shown(force_success(name="m", child=a), 3) == [
        "SUCCESS aS",
        "SUCCESS aF",
        "RUNNING aR",
        "end a",
    ]

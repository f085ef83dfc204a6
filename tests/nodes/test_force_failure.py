from tests.nodes.build import probes, shown
from treec.nodes.modifiers.force_failure import force_failure


def test_success_becomes_failure():
    (a,) = probes("SFR")
    assert shown(force_failure(name="m", child=a), 3) == [
        "FAILURE aS",
        "FAILURE aF",
        "RUNNING aR",
        "end a",
    ]

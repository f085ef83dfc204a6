from tests.nodes.build import probes, shown
from treec.nodes.modifiers.keep_running_until_failure import keep_running_until_failure


def test_success_becomes_running():
    (a,) = probes("SRSF")
    assert shown(keep_running_until_failure(name="m", child=a), 4) == [
        "RUNNING aS",
        "RUNNING aR",
        "RUNNING aS",
        "FAILURE aF",
        "end",
    ]

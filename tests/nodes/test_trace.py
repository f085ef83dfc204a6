from tests.nodes.build import probes
from treec.nodes.control.parallel import Parallel
from treec_testing.tick_trace import trace


def test_has_the_form_of_the_golden_traces():
    root = Parallel(name="p", children=probes("RR", "RS", "RR"), success_count=1)
    assert trace(root, 3) == {
        "ticks": [
            {
                "root": "RUNNING",
                "leaf_ticks": [["a", "RUNNING"], ["b", "RUNNING"], ["c", "RUNNING"]],
                "halted": [],
            },
            {
                "root": "SUCCESS",
                "leaf_ticks": [["a", "RUNNING"], ["b", "SUCCESS"]],
                "halted": ["a", "c"],
            },
            {
                "root": "RUNNING",
                "leaf_ticks": [["a", "RUNNING"], ["b", "RUNNING"], ["c", "RUNNING"]],
                "halted": [],
            },
        ],
        "halted_at_end": ["a", "b", "c"],
    }

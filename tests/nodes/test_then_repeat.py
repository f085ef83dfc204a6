from tests.nodes.build import probes, shown
from treec.nodes.then_repeat import ThenRepeat


def test_begins_again_at_the_next_tick_and_asks_for_it():
    (a,) = probes("SFR")
    node = ThenRepeat(name="m", child=a)
    woken: list[int] = []
    node.wake = lambda: woken.append(1)
    assert shown(node, 4) == [
        "RUNNING aS",
        "RUNNING aF",
        "RUNNING aR",
        "RUNNING aS",
        "end",
    ]
    assert len(woken) == 3

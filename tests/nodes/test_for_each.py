from tests.nodes.build import probes, shown
from treec.nodes.control.for_each import ForEach


def each(script: str, items: list[str]):
    bound: list[str] = []
    (a,) = probes(script)
    return ForEach(name="f", items=lambda: items, bind=bound.append, child=a), bound


def test_instant_items_follow_each_other_in_one_tick():
    node, bound = each("S", ["x", "y", "z"])
    assert shown(node, 1) == ["SUCCESS aS aS aS", "end"]
    assert bound == ["x", "y", "z"]


def test_an_item_is_bound_once_while_the_child_runs():
    node, bound = each("RS", ["x", "y"])
    assert shown(node, 3) == ["RUNNING aR", "RUNNING aS aR", "SUCCESS aS", "end"]
    assert bound == ["x", "y"]


def test_a_failure_leaves_the_rest():
    node, bound = each("SF", ["x", "y", "z"])
    assert shown(node, 1) == ["FAILURE aS aF", "end"]
    assert bound == ["x", "y"]


def test_an_empty_list_succeeds():
    node, bound = each("S", [])
    assert shown(node, 1) == ["SUCCESS", "end"]
    assert bound == []


def test_the_list_is_read_when_a_round_begins():
    items = ["x"]
    node, bound = each("RS", items)
    node.tick_once()
    items.append("y")
    node.tick_once()
    assert node.status.name == "SUCCESS"
    node.tick_once()
    assert bound == ["x", "x"]
    node.tick_once()
    assert bound == ["x", "x", "y"]


def test_a_halt_forgets_the_items():
    node, bound = each("R", ["x", "y"])
    assert shown(node, 1) == ["RUNNING aR", "end a"]
    node.tick_once()
    assert bound == ["x", "x"]

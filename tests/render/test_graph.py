import pytest

from treec.render.graph import DrawnEdge, DrawnGraph, Vertex

A, B, C = (Vertex(name, name, "skill") for name in "abc")


def test_two_vertices_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="two vertices have the id 'a'"):
        DrawnGraph("", (A, A))


def test_an_edge_to_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown vertex 'c' of an edge"):
        DrawnGraph("", (A, B), (DrawnEdge("a", "c"),))


def test_a_tree_with_a_shared_child_is_refused_and_a_dag_is_not() -> None:
    edges = (DrawnEdge("a", "c"), DrawnEdge("b", "c"))
    with pytest.raises(ValueError, match="'c' has two parents"):
        DrawnGraph("", (A, B, C), edges)
    assert DrawnGraph("", (A, B, C), edges, "dag").roots == ("a", "b")


@pytest.mark.parametrize(
    "edges", [(DrawnEdge("a", "a"),), (DrawnEdge("b", "c"), DrawnEdge("c", "b"))]
)
def test_a_tree_with_a_cycle_is_refused(edges: tuple[DrawnEdge, ...]) -> None:
    with pytest.raises(ValueError, match="cycle"):
        DrawnGraph("", (A, B, C), edges)


def test_walk_gives_parents_first_in_the_order_of_edges() -> None:
    graph = DrawnGraph("", (A, B, C), (DrawnEdge("b", "c"), DrawnEdge("b", "a")))
    assert list(graph.walk()) == [("b", 0), ("c", 1), ("a", 1)]


def test_a_tree_of_5000_levels_is_walked() -> None:
    vertices = tuple(Vertex(str(i), "", "skill") for i in range(5000))
    graph = DrawnGraph("", vertices, tuple(DrawnEdge(str(i), str(i + 1)) for i in range(4999)))
    assert max(depth for _, depth in graph.walk()) == 4999

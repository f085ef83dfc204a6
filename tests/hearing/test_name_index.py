from treec_hearing.name_index import NameIndex


def walk(index: NameIndex[str], *words: str) -> list[str]:
    following: NameIndex[str] | None = index
    for word in words:
        following = following.after(word) if following is not None else None
    return list(following) if following is not None else []


def test_a_name_is_found_at_its_last_word_and_nowhere_else() -> None:
    index: NameIndex[str] = NameIndex()
    index.add(("red", "box"), "b1")
    index.add(("red",), "the red one")
    index.add(("red", "box"), "b2")
    assert walk(index, "red", "box") == ["b1", "b2"]
    assert walk(index, "red") == ["the red one"]
    assert walk(index, "box") == walk(index, "red", "box", "lid") == walk(index) == []


def test_what_is_removed_leaves_others_of_its_name() -> None:
    index: NameIndex[str] = NameIndex()
    index.add(("red", "box"), "b1")
    index.add(("red", "box"), "b2")
    index.remove(("red", "box"), "b1")
    assert walk(index, "red", "box") == ["b2"]

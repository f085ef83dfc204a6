from treec.source.text import SourceFile, Span


def test_line_breaks_of_all_systems_are_one_and_the_byte_order_mark_is_gone():
    file = SourceFile("a.yaml", "\ufeffone\r\ntwo\rthree\n")
    assert file.text == "one\ntwo\nthree\n"
    assert [file.line(n) for n in range(6)] == ["", "one", "two", "three", "", ""]


def test_columns_count_code_points():
    file = SourceFile("a.yaml", "日本: 😀x\nb")
    assert file.span(5) == Span("a.yaml", 1, 6, 1, 7)
    assert file.text[file.offset(1, 6)] == "x"


def test_a_span_may_end_on_a_later_line():
    file = SourceFile("a.yaml", "ab\ncd\n")
    assert file.span(1, 3) == Span("a.yaml", 1, 2, 2, 2)
    assert str(file.span(1, 3)) == "a.yaml:1:2"


def test_position_and_offset_are_each_others_inverse():
    file = SourceFile("a.yaml", "ab\n\nc")
    for offset in range(len(file.text) + 1):
        assert file.offset(*file.position(offset)) == offset


def test_what_lies_beyond_the_text_is_brought_back_to_its_end():
    file = SourceFile("a.yaml", "ab\nc")
    assert file.position(99) == (2, 2)
    assert file.position(-1) == (1, 1)
    assert file.offset(1, 99) == 2
    assert file.offset(0, 1) == 0
    assert file.offset(9, 1) == 4
    assert file.span(3, 99) == Span("a.yaml", 2, 1, 2, 2)


def test_an_empty_file_has_one_empty_line():
    file = SourceFile("a.yaml", "")
    assert (file.line(1), file.position(0)) == ("", (1, 1))

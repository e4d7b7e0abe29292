"""The parts of a change, and a file that moved on since."""

from caramelo_tui.workspace.undo_images import Step, images_of, moved

TEN = "".join(f"{n}\n" for n in range(1, 11)).encode()
EDITED = TEN.replace(b"2\n", b"two\n").replace(b"8\n", b"eight\n")


def test_hunks_are_parts_and_any_of_them_can_be_left_out() -> None:
    images = images_of(TEN, EDITED)
    assert images.parts == {0, 1}
    assert images.with_parts({0, 1}) == EDITED
    assert images.with_parts({1}) == TEN.replace(b"8\n", b"eight\n")
    assert images.with_parts(set()) == TEN


def test_files_that_are_made_deleted_or_no_text_have_one_part() -> None:
    for before, after in ((None, b""), (b"x", None), (b"\0a", b"\0b")):
        images = images_of(before, after)
        assert images.parts == {0}
        assert images.with_parts({0}) == after
        assert images.with_parts(set()) == before


def test_a_file_that_is_as_recorded_goes_back_exactly() -> None:
    assert moved(b"new", since=b"new", to=b"old") == Step(content=b"old")
    assert moved(b"new", since=b"new", to=None) == Step(content=None)
    assert moved(None, since=None, to=b"old") == Step(content=b"old")


def test_a_file_that_is_there_already_stays() -> None:
    assert moved(b"old", since=b"new", to=b"old") == Step(content=b"old")


def test_changes_elsewhere_stay() -> None:
    current = EDITED.replace(b"5\n", b"mine\n")
    step = moved(current, since=EDITED, to=TEN)
    assert step == Step(content=TEN.replace(b"5\n", b"mine\n"), is_merged=True)


def test_what_cannot_be_joined_is_in_conflict() -> None:
    assert moved(b"mine", since=b"new", to=None).conflicts == 1
    assert moved(None, since=b"new", to=b"old").conflicts == 1
    assert moved(b"mine", since=b"\0new", to=b"\0old").conflicts == 1


def test_bytes_that_are_not_utf8_survive_a_merge() -> None:
    base, target = b"\xff1\n2\n3\n4\n5\n", b"\xff1\n2\n3\n4\nfive\n"
    assert moved(b"\xfe1\n2\n3\n4\n5\n", since=base, to=target).content == (
        b"\xfe1\n2\n3\n4\nfive\n"
    )

"""A review is laid out by file, with everything that has to be known."""

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.diff_sections import Section
from caramelo_tui.ui.widgets.review_sections import review_sections
from caramelo_tui.ui.widgets.review_state import ReviewState
from tests.unit.ui.drawing import look, numbered, review, texts_of, write


def shown(sections: list[Section], width: int = 60) -> str:
    on = look(width)
    return "\n".join(
        text
        for section in sections
        for row in range(len(section.estimates(on)))
        for text in texts_of(section.draw(row, on).lines)
    )


def test_files_stand_above_their_hunks() -> None:
    state = ReviewState(
        review(
            write(numbered(40), numbered(40, line_3="x", line_30="y")),
            write(None, "new\n", path="b.py", call_id="two"),
        )
    )
    sections = review_sections(state)
    assert [(section.path, section.stop) for section in sections] == [
        ("src/cli.py", None),
        ("src/cli.py", "call-1:0"),
        ("src/cli.py", "call-1:1"),
        ("b.py", None),
        ("b.py", "two:0"),
    ]
    text = shown(sections)
    assert "src/cli.py" in text
    assert "new file" in text
    assert text.count("? undecided") == 3


def test_the_heads_follow_the_decisions() -> None:
    state = ReviewState(review(write(numbered(40), numbered(40, line_3="x", line_30="y"))))
    sections = review_sections(state)
    state.decide((state.hunk_ids[0],), is_accepted=True)
    state.decide((state.hunk_ids[1],), is_accepted=False)
    text = shown(sections)
    assert "✓ accepted" in text
    assert "✗ rejected" in text
    assert "✓ 1 ✗ 1" in text


def test_notes_warnings_and_links_are_said() -> None:
    state = ReviewState(
        review(
            write("a\n", "b\n", warning="protected path"),
            write("a\n", "b\n", path="linked", call_id="two", hard_links=3),
            write("a\n", "a\n", path="same", call_id="three"),
            note="made again, because the file changed",
            agent_title="tester",
        )
    )
    text = shown(review_sections(state), 80)
    for words in (
        "from tester",
        "! made again, because the file changed",
        "! protected path",
        "3 names share this file",
        "Nothing would change.",
    ):
        assert words in text


def test_remarks_stand_below_what_they_are_about() -> None:
    state = ReviewState(review(write("a\n", "b\n")))
    sections = review_sections(state)
    state.remark("too short", path="src/cli.py", hunk=HunkId("call-1:0"), line=1, excerpt="b")
    state.remark("wrong file", path="src/cli.py", hunk=None, line=None, excerpt="")
    text = shown(sections)
    assert text.index("wrong file") < text.index("@@") < text.index("line 1: too short")


def test_a_hunk_that_lost_its_ground_says_so() -> None:
    state = ReviewState(
        review(
            write("a\nb\n", "a\nnew\nb\n", call_id="one"),
            write("a\nnew\nb\n", "a\nnewer\nb\n", call_id="two"),
        )
    )
    sections = review_sections(state)
    state.decide((HunkId("one:0"),), is_accepted=False)
    text = shown(sections)
    assert "! depends on a rejected hunk" in text or "! will be asked again" in text

"""The result tells what was really written, by line numbers that hold."""

from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.diffs import Hunk, SearchReplace, WriteProposal
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.tools.files.write_results import render_dependent_write, render_write_result


def hunk(
    index: int, old_start: int, old: tuple[str, ...], new: tuple[str, ...], new_start: int = 1
) -> Hunk:
    return Hunk(
        id=HunkId(f"c:{index}"),
        old_start=old_start,
        old_lines=old,
        new_start=new_start,
        new_lines=new,
    )


HUNKS = (
    hunk(0, 2, ("b\n",), ("B1\n", "B2\n", "B3\n")),
    hunk(1, 5, ("e\n", "f\n"), ("  E\n",)),
    hunk(2, 9, (), ("new\n",)),
)


def proposal(*, before: bytes | None = b"a\nb\n", shown_path: str = "src/a.py") -> WriteProposal:
    return WriteProposal(
        call_id=CallId("c"),
        path="src/a.py",
        shown_path=shown_path,
        edit=SearchReplace(search="x", replace="y"),
        before=before,
        after=b"after\n",
        hunks=HUNKS,
        base_hash=None,
    )


def test_all_applied_gives_places_bytes_and_lines() -> None:
    output = render_write_result(proposal(), applied=HUNKS, rejected=(), written=b"1\n2\n3")

    assert output.text == (
        "changed src/a.py at lines 2-4, line 7, line 10; it now has 5 bytes, 3 lines."
    )
    assert not output.is_error


def test_new_file_says_created_and_a_link_names_its_target() -> None:
    output = render_write_result(
        proposal(before=None, shown_path="alias"), applied=HUNKS[:1], rejected=(), written=b"x\n"
    )

    assert output.text == "created alias (a link to src/a.py); it now has 2 bytes, 1 line."


def test_no_hunk_at_all_says_nothing_changed() -> None:
    output = render_write_result(proposal(), applied=(), rejected=(), written=b"a\nb\n")

    assert output.text == "src/a.py: nothing changed; it now has 4 bytes, 2 lines."
    assert not output.is_error


def test_partial_lists_both_kinds_with_line_numbers_and_remarks() -> None:
    output = render_write_result(
        proposal(),
        applied=(HUNKS[0], HUNKS[2]),
        rejected=(HUNKS[1],),
        written=b"1\n2\n",
        remarks=(
            Remark(path="src/a.py", text="keep the name", line=5, excerpt="  E"),
            Remark(path="src/a.py", text="thanks"),
        ),
    )

    assert output.text == (
        "partially applied: 2 of 3 hunks\n"
        "src/a.py; it now has 4 bytes, 2 lines.\n"
        "applied (line numbers of the file as it is now):\n"
        "- lines 2-4\n"
        "- line 11\n"
        "rejected by the user (line numbers of the file before this call):\n"
        "- lines 5-6: `E`\n"
        "remarks of the user:\n"
        "- src/a.py:5 `  E`: keep the name\n"
        "- src/a.py: thanks"
    )
    assert not output.is_error


def test_a_remark_on_several_lines_quotes_them_below() -> None:
    remark = Remark(path="src/a.py", text="why", line=5, excerpt="- old\n  E\x1b")
    output = render_write_result(
        proposal(), applied=HUNKS, rejected=(), written=b"1\n", remarks=(remark,)
    )
    assert "- src/a.py:5, about these lines: why\n  > - old\n  >   E" in output.text
    assert "\x1b" not in output.text


def test_nothing_applied_is_an_error_that_starts_with_the_rejection() -> None:
    removal = hunk(3, 4, ("gone\n",), ())
    blank = hunk(4, 7, ("\n",), ("\n", "\n"))
    output = render_write_result(
        proposal(),
        applied=(),
        rejected=(removal, blank, HUNKS[2]),
        written=b"a\nb\n",
        remarks=(Remark(path="src/a.py", text="no"),),
    )

    assert output.is_error
    assert output.text.startswith("rejected by the user")
    assert "- line 4: removal of `gone`\n- line 7\n- insertion before line 9: `new`" in output.text
    assert output.text.endswith("- src/a.py: no")


def test_applied_removal_says_before_which_line() -> None:
    removal = hunk(3, 4, ("gone\n",), ())

    output = render_write_result(proposal(), applied=(removal,), rejected=(), written=b"")

    assert "a removal before line 4" in output.text


def test_long_line_is_cut_in_the_excerpt_and_cannot_act() -> None:
    long = hunk(5, 1, ("a\n",), ("\x1b" + "x" * 500 + "\n",))

    output = render_write_result(proposal(), applied=(), rejected=(long,), written=b"a\n")

    assert "\x1b" not in output.text
    assert len(output.text) < 300


def test_result_with_endless_remarks_stays_within_the_limit() -> None:
    output = render_write_result(
        proposal(),
        applied=HUNKS,
        rejected=(),
        written=b"a\n",
        remarks=(Remark(path="src/a.py", text="x" * 400_000),),
    )

    assert len(output.text.encode()) <= 262_144
    assert output.is_truncated


def test_dependent_write_says_why_it_was_not_applied() -> None:
    output = render_dependent_write(proposal())

    assert output.is_error
    assert "depends on a rejected hunk" in output.text

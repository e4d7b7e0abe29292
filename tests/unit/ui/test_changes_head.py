"""The head always says what waits."""

from dataclasses import replace

import pytest

from caramelo_tui.ui.keymap import KeyMap
from caramelo_tui.ui.widgets.cells import width_of
from caramelo_tui.ui.widgets.changes_head import HeadFacts, head_lines
from caramelo_tui.ui.widgets.review_state import ReviewCounts
from tests.unit.ui.drawing import PALETTE, text_of

NONE = ReviewCounts(files=0, hunks=0, undecided=0, accepted=0, rejected=0)
SOME = ReviewCounts(files=2, hunks=4, undecided=3, accepted=1, rejected=0)
DONE = ReviewCounts(files=1, hunks=1, undecided=0, accepted=1, rejected=0)


def shown(
    counts: ReviewCounts,
    *,
    width: int = 80,
    shows_waiting: bool = True,
    is_asking: bool = False,
    note: str = "",
    has_sections: bool = True,
) -> tuple[str, str]:
    facts = HeadFacts(
        counts=counts,
        applied_files=5,
        shows_waiting=shows_waiting,
        has_sections=has_sections,
        is_asking=is_asking,
        current=counts if shows_waiting and counts.hunks else None,
        note=note,
    )
    first, second = head_lines(facts, PALETTE, width)
    assert max(width_of(first), width_of(second)) <= width
    return text_of(first), text_of(second)


def test_the_head_says_which_view_it_is_and_what_is_being_written() -> None:
    facts = HeadFacts(
        counts=NONE,
        applied_files=5,
        shows_waiting=False,
        shows_totals=True,
        has_sections=True,
        is_asking=False,
        current=None,
        writing_files=2,
    )
    first = text_of(head_lines(facts, PALETTE, 80)[0])
    assert first == " waiting 0  ▌applied 5 files · in total  … writing 2 files"
    assert width_of(head_lines(facts, PALETTE, 20)[0]) <= 20


def test_waiting_files_hunks_and_undecided_are_counted() -> None:
    assert shown(SOME)[0] == "▌waiting 2 files · 4 hunks · 3 undecided   applied 5 files"
    assert shown(DONE)[0] == "▌waiting 1 file · 1 hunk · 0 undecided   applied 5 files"
    assert shown(NONE, shows_waiting=False)[0] == " waiting 0  ▌applied 5 files · by turn"


def test_the_counts_are_said_on_the_other_list_too() -> None:
    assert "waiting 2 files" in shown(SOME, shows_waiting=False)[0]


def test_the_question_says_its_answers() -> None:
    assert shown(SOME, is_asking=True)[1] == (
        " 3 undecided: a accepts them · r rejects them · esc back"
    )


def test_a_question_about_one_hunk_speaks_of_one() -> None:
    one = ReviewCounts(files=1, hunks=2, undecided=1, accepted=1, rejected=0)
    assert shown(one, is_asking=True)[1] == (" 1 undecided: a accepts it · r rejects it · esc back")


def test_a_narrow_question_says_all_its_answers_too() -> None:
    assert shown(SOME, is_asking=True, width=44)[1] == " 3 undecided: a accepts · r rejects · esc"


def test_the_keys_follow_what_is_left_to_do() -> None:
    assert shown(SOME)[1].startswith(" a accept  r reject  s settle")
    assert shown(DONE)[1].startswith(" s settle")
    assert shown(SOME, shows_waiting=False)[1].startswith(" j/k hunk")
    assert shown(SOME, note="wait")[1] == " wait"
    assert not shown(NONE, shows_waiting=False, has_sections=False)[1]


def test_what_was_not_applied_can_be_asked_for() -> None:
    facts = HeadFacts(
        counts=NONE,
        applied_files=0,
        shows_waiting=False,
        has_sections=True,
        is_asking=False,
        current=None,
        can_ask_again=True,
    )
    assert text_of(head_lines(facts, PALETTE, 60)[1]).startswith(" p propose again")


def test_what_was_applied_names_the_keys_that_take_it_back() -> None:
    by_turn = HeadFacts(
        counts=NONE,
        applied_files=1,
        shows_waiting=False,
        has_sections=True,
        is_asking=False,
        current=None,
        can_undo=True,
    )
    in_total = replace(by_turn, shows_totals=True)
    hunk, file = (text_of(head_lines(facts, PALETTE, 80)[1]) for facts in (by_turn, in_total))
    assert hunk.startswith(" u undo  U undo file  j/k hunk")
    assert file.startswith(" U undo file  j/k hunk")


def test_an_empty_list_names_the_way_to_the_other_one() -> None:
    assert shown(NONE, has_sections=False)[1].strip() == "v applied"
    assert shown(SOME, shows_waiting=False, has_sections=False)[1].strip() == "v waiting"


@pytest.mark.parametrize("width", [1, 10, 25, 40])
def test_narrow_heads_leave_out_whole_keys(width: int) -> None:
    _first, second = shown(SOME, width=width)
    known = {"accept", "reject", "settle", "hunk", "whole file", "everything", "remark"}
    known |= {"next file", "applied"}
    words = [part.split(" ", 1)[1] for part in second.strip().split("  ") if part]
    assert set(words) <= known


def test_the_keys_of_the_user_are_named() -> None:
    keys = KeyMap(changed={"changes.accept_hunk": "f12", "changes.reject_hunk": ""})
    facts = HeadFacts(
        counts=SOME,
        applied_files=0,
        shows_waiting=True,
        has_sections=True,
        is_asking=False,
        current=SOME,
        keys=keys,
    )
    second = text_of(head_lines(facts, PALETTE, 80)[1])
    assert second.startswith(" F12 accept  s settle  j/k hunk")


def test_the_view_against_head_is_named_in_a_narrow_pane_too() -> None:
    facts = HeadFacts(
        counts=SOME,
        applied_files=12,
        shows_waiting=False,
        shows_head=True,
        head_files=3,
        has_sections=True,
        is_asking=False,
        current=None,
    )
    first, second = (text_of(line) for line in head_lines(facts, PALETTE, 50))
    assert first == " waiting 2   applied 12 files  ▌git HEAD 3 files"
    assert "h back" in second

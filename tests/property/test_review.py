"""Accepted hunks add up to what a person would get by hand."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.review import WriteFate, outcome_of, preview
from caramelo_tui.domain.approvals import ProposedWrite
from caramelo_tui.domain.diffs import Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import decode, encode, hunks_between, lines_of

TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=12).map(
    lambda letters: "".join(f"{letter}\n" for letter in letters)
)
CHAINS = st.lists(TEXTS, min_size=2, max_size=4)


def proposal(index: int, before: str, after: str) -> WriteProposal:
    call_id = CallId(f"c{index}")
    return WriteProposal(
        call_id=call_id,
        path="a",
        shown_path="a",
        edit=WholeContent(content=after, can_overwrite=True),
        before=encode(before),
        after=encode(after),
        hunks=hunks_between(before, after, call_id=call_id),
        base_hash=None,
    )


def by_hand(before: str, hunks: Sequence[Hunk], accepted: set[HunkId]) -> str:
    """Apply hunks from the last line up, each in place."""
    lines = lines_of(before)
    for hunk in reversed(hunks):
        if hunk.id in accepted:
            start = hunk.old_start - 1
            lines[start : start + len(hunk.old_lines)] = hunk.new_lines
    return "".join(lines)


@given(before=TEXTS, after=TEXTS, data=st.data())
def test_any_subset_of_one_write_is_what_a_person_gets_by_hand(
    before: str, after: str, data: st.DataObject
) -> None:
    shown = proposal(0, before, after)
    accepted = {hunk.id for hunk in shown.hunks if data.draw(st.booleans())}
    outcome = outcome_of(shown, shown.before, dict.fromkeys(accepted, True))
    assert outcome.after == encode(by_hand(before, shown.hunks, accepted))


@given(texts=CHAINS, data=st.data())
def test_nothing_is_applied_that_was_not_shown_and_accepted(
    texts: list[str], data: st.DataObject
) -> None:
    shown = [proposal(index, *pair) for index, pair in enumerate(pairwise(texts))]
    accepted = {
        hunk.id: data.draw(st.booleans(), label=str(hunk.id))
        for item in shown
        for hunk in item.hunks
    }
    current = shown[0].before
    for item in shown:
        outcome = outcome_of(item, current, accepted)
        wanted = [(hunk.old_lines, hunk.new_lines) for hunk in item.hunks if accepted[hunk.id]]
        got = [(hunk.old_lines, hunk.new_lines) for hunk in outcome.applied]
        if outcome.fate is WriteFate.SETTLED:
            assert got == wanted
            chosen = {hunk.id for hunk in outcome.applied}
            now = by_hand(decode(current or b""), outcome.proposal.hunks, chosen)
            assert outcome.after == encode(now)
        else:
            assert got == []
            assert outcome.after == current
        current = outcome.after


@given(texts=CHAINS)
def test_accepting_all_gives_the_last_text_and_none_the_first(texts: list[str]) -> None:
    shown = [proposal(index, *pair) for index, pair in enumerate(pairwise(texts))]
    writes = [
        ProposedWrite(call_id=item.call_id, fingerprint="", tool="", proposal=item, reason="")
        for item in shown
    ]
    every = [hunk.id for item in shown for hunk in item.hunks]
    assert preview(writes, dict.fromkeys(every, True)).files[0].after == encode(texts[-1])
    assert preview(writes, dict.fromkeys(every, False)).files[0].after == encode(texts[0])
    assert preview(writes, {}).undecided == len(every)

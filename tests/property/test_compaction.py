"""Whatever the transcript, a compaction leaves a valid one that is no longer (I4)."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.compaction import CutPlanner, Sizes, compacted, prompts_of
from caramelo_tui.agent.transcript import Transcript
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    TextBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage
from tests.doubles.transcripts import characters

LENGTHS = st.sampled_from([0, 1, 50, 1_900, 2_100, 9_000])


@st.composite
def transcripts(draw: st.DrawFn) -> tuple[Message, ...]:
    """Transcripts as runs make them: prompts, notes, turns, the last one maybe unanswered."""
    made = Transcript()
    count = 0
    for _ in range(draw(st.integers(0, 6))):
        for is_note in draw(st.lists(st.booleans(), max_size=2)):
            made.append_user(UserMessage(text="n" * draw(LENGTHS), is_note=is_note))
        made.append_user(UserMessage(text="p" * draw(LENGTHS)))
        for calls in draw(st.lists(st.integers(0, 3), max_size=4)):
            ids = [CallId(f"c{count + place}") for place in range(calls)]
            count += calls
            blocks = tuple(ToolCall(id=name, name="grep", arguments_json="{}") for name in ids)
            made.append_assistant(
                AssistantMessage(
                    blocks=blocks or (TextBlock(text="t" * (draw(LENGTHS) + 1)),),
                    stop_reason=StopReason.TOOL_USE if ids else StopReason.END_TURN,
                    usage=Usage(input_tokens=draw(LENGTHS)),
                )
            )
            if not ids:
                break
            made.append_results(
                ToolResultsMessage(
                    results=tuple(
                        ToolResult(
                            call_id=name,
                            text="r" * draw(LENGTHS),
                            is_error=False,
                            state=CallState.OK,
                        )
                        for name in ids
                    )
                )
            )
    return made.snapshot()


@given(
    messages=transcripts(),
    goal=st.integers(0, 40_000),
    tail=st.integers(0, 20_000),
    pinned=st.sets(st.integers(-1, 12), max_size=4),
    drops=st.booleans(),
)
def test_a_compacted_transcript_is_valid_and_keeps_what_must_stay(
    messages: tuple[Message, ...], goal: int, tail: int, pinned: set[int], *, drops: bool
) -> None:
    planner = CutPlanner(messages, estimate=characters)
    cut = planner.plan(Sizes(goal=goal, tail=tail), pinned=pinned, drops=drops)
    if cut is None:
        return
    kept = compacted(messages, cut, "told")
    checked = Transcript()
    checked.replace_all(kept)
    assert isinstance(kept[0], UserMessage)
    assert kept[-1].__class__ is messages[-1].__class__
    prompts = prompts_of(messages)
    if prompts:
        assert prompts[-1] in kept
    for place in pinned:
        if 0 <= place < len(prompts):
            assert prompts[place] in kept
    assert cut.drops or len(kept) == len(messages)

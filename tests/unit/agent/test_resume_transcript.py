"""A transcript made again of its events: the one that the session would have sent."""

from dataclasses import replace

from caramelo_tui.agent.resume_transcript import NO_RESULT, TranscriptPlayer
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    ContextCompacted,
    ModelChanged,
    NoteAdded,
    PromptSteered,
    RunStarted,
    ToolCallFinished,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    Message,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from tests.doubles.stored_sessions import Told

READ = ("c1", "file_read", "{}")


def played(told: Told) -> tuple[Message, ...]:
    player = TranscriptPlayer()
    player.play(told.events)
    player.end()
    return player.transcript.snapshot()


def finished(told: Told, call_id: str, text: str, *, agent: str = "") -> AgentEvent:
    result = ToolResult(call_id=CallId(call_id), text=text, is_error=False, state=CallState.OK)
    return ToolCallFinished(
        head=told.head(agent=agent), call_id=CallId(call_id), tool="t", result=result, duration_ms=1
    )


def texts(messages: tuple[Message, ...]) -> list[str]:
    found: list[str] = []
    for message in messages:
        match message:
            case UserMessage():
                found.append(f"{'note' if message.is_note else 'user'}: {message.text}")
            case AssistantMessage():
                found.append(f"model: {message.text}")
            case ToolResultsMessage():
                found += [f"result: {result.text}" for result in message.results]
    return found


def test_prompts_answers_and_results_come_in_their_order() -> None:
    told = Told().begin("read it").turn().reply("I look.", READ)
    told.add(finished(told, "c1", "its text")).end_turn()
    told.turn().reply("It says so.").end_turn().end().exchange("thanks", "welcome")
    assert texts(played(told)) == [
        "user: read it",
        "model: I look.",
        "result: its text",
        "model: It says so.",
        "user: thanks",
        "model: welcome",
    ]


def test_notes_of_a_run_come_before_its_prompt_and_those_of_a_turn_behind() -> None:
    told = Told().begin("go")
    told.add(NoteAdded(head=told.head(is_in_turn=False), text="of the run"))
    told.turn()
    told.add(NoteAdded(head=told.head(), text="of the turn"))
    told.add(PromptSteered(head=told.head(), text="and this"))
    told.reply("done").end_turn().end()
    assert texts(played(told)) == [
        "note: of the run",
        "user: go",
        "note: of the turn",
        "user: and this",
        "model: done",
    ]


def test_results_stand_in_the_order_of_the_calls() -> None:
    told = Told().begin("go").turn().reply("", READ, ("c2", "grep", "{}"))
    told.add(finished(told, "c2", "second")).add(finished(told, "c1", "first"))
    assert texts(played(told)) == ["user: go", "model: ", "result: first", "result: second"]


def test_thinking_keeps_its_proof_and_images_their_bytes() -> None:
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"\x89PNG")
    thought = ThinkingBlock(text="hm", signature="proof")
    told = Told().begin("look")
    begun = told.events[0]
    assert isinstance(begun, RunStarted)
    told.events[0] = replace(begun, images=(image,))
    message = AssistantMessage(
        blocks=(thought, TextBlock(text="yes")), stop_reason=StopReason.END_TURN
    )
    told.turn().add(AssistantReplied(head=told.head(), message=message))
    assert played(told) == (UserMessage(text="look", images=(image,)), message)


def test_a_broken_answer_is_its_text_and_an_answer_again_takes_its_place() -> None:
    told = Told().begin("go").turn().reply("half", READ, is_whole=False).end_turn().end()
    assert texts(played(told)) == ["user: go", "model: half"]
    told.begin("go")
    begun = told.events[-1]
    assert isinstance(begun, RunStarted)
    told.events[-1] = replace(begun, is_retry=True)
    told.turn().reply("whole").end_turn().end()
    assert texts(played(told)) == ["user: go", "model: whole"]


def test_a_refusal_is_not_sent_back() -> None:
    message = AssistantMessage(blocks=(TextBlock(text="no"),), stop_reason=StopReason.REFUSAL)
    told = Told().begin("go").turn()
    told.add(AssistantReplied(head=told.head(), message=message)).end_turn().end()
    assert texts(played(told)) == ["user: go"]


def test_sub_agents_and_the_users_own_commands_are_not_told() -> None:
    told = Told().begin("go").turn().reply("", READ)
    told.add(NoteAdded(head=told.head(agent="child"), text="for the child"))
    told.add(finished(told, "own-1", "output of the user's"))
    told.add(finished(told, "c1", "by a child", agent="child"))
    told.add(finished(told, "c1", "mine"))
    assert texts(played(told)) == ["user: go", "model: ", "result: mine"]


def test_a_call_whose_end_is_missing_is_answered() -> None:
    told = Told().begin("go").turn().reply("", READ).begin("on").turn()
    assert texts(played(told)) == ["user: go", "model: ", f"result: {NO_RESULT}", "user: on"]


def test_a_record_with_holes_gives_a_valid_transcript() -> None:
    told = Told().turn().reply("an answer to nothing").reply("one more")
    told.begin("go").turn().reply("first").reply("second")
    assert texts(played(told)) == ["user: go", "model: first"]


def test_another_model_gets_no_thinking() -> None:
    told = Told().begin("go").turn()
    message = AssistantMessage(
        blocks=(ThinkingBlock(text="hm", signature="s"), TextBlock(text="yes")),
        stop_reason=StopReason.END_TURN,
    )
    told.add(AssistantReplied(head=told.head(), message=message)).end_turn().end()
    told.add(ModelChanged(head=told.head(), provider="p", model="m", context_window=None))
    [_, answer] = played(told)
    assert isinstance(answer, AssistantMessage)
    assert answer.blocks == (TextBlock(text="yes"),)


def test_a_compacted_transcript_is_compacted_again() -> None:
    told = Told().exchange("one", "1").exchange("two", "2").exchange("three", "3")
    told.add(
        ContextCompacted(
            head=told.head(),
            is_by_hand=True,
            tokens_before=9,
            tokens_after=3,
            dropped_messages=4,
            kept_answers=1,
            pinned=(0,),
            summary="they counted",
        )
    )
    told.exchange("four", "4")
    pinned, note, *rest = texts(played(told))
    assert pinned == "user: one"
    assert note.startswith("note: ")
    assert note.endswith("they counted")
    assert rest == ["user: three", "model: 3", "user: four", "model: 4"]

"""A room on doubles: a scripted model for summaries, and a transcript that tests fill."""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.agent.compaction_summary import Summarizer, SummaryModel
from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.context_room import ContextRoom, Count, RoomParts, not_counted
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.spending import Ledger, PricedModel, Spending
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, Message, ToolResultsMessage, UserMessage
from caramelo_tui.domain.prices import Prices
from tests.doubles.agent_worlds import (
    FakeStamps,
    FixedClock,
    QuickWaiting,
    ScriptedAnswers,
    Step,
    says,
)

PRICES = Prices(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75)


@dataclass
class ContextWorld:
    """A room and what it works on."""

    room: ContextRoom
    conversation: Conversation
    events: EventStream
    summaries: ScriptedAnswers
    ledger: Ledger
    tokens: TokenCount
    is_running: bool = False
    runs_begun: int = 0

    def fill(self, messages: Sequence[Message]) -> None:
        transcript = self.conversation.transcript
        for message in messages:
            match message:
                case UserMessage():
                    transcript.append_user(message)
                case AssistantMessage():
                    transcript.append_assistant(message)
                case ToolResultsMessage():
                    transcript.append_results(message)


def context_world(
    *,
    window: int | None = 10_000,
    summaries: Sequence[Sequence[Step]] = (says("short summary"),),
    compact_at: float = 0.75,
    count: Count = not_counted,
) -> ContextWorld:
    """Build a room; the answer takes 100 tokens of the window."""
    events, ledger, tokens = EventStream(FixedClock()), Ledger(), TokenCount()
    conversation = Conversation(
        outside=OutsideChanges(FakeStamps()),
        mode=CurrentMode(ApprovalMode.REVIEW),
        context=ContextBuilder(
            model="model-1", system="", tools=tuple, answer_tokens=100, context_window=window
        ),
    )
    provider = ScriptedAnswers(summaries)
    worlds: list[ContextWorld] = []

    async def before_run() -> None:
        worlds[0].runs_begun += 1

    room = ContextRoom(
        RoomParts(
            conversation=conversation,
            events=events,
            summarizer=Summarizer(
                model=lambda: SummaryModel(provider=provider, model="fast-1"),
                events=events,
                ids=CountingIds(),
                waiting=QuickWaiting(),
            ),
            spending=Spending(
                ledger, model=lambda: PricedModel(model="model-1", prices=PRICES), events=events
            ),
            ledger=ledger,
            tokens=tokens,
            priced=lambda model: PricedModel(model=model, prices=PRICES),
            compact_at=compact_at,
            is_running=lambda: worlds[0].is_running,
            before_run=before_run,
            count=count,
        )
    )
    world = ContextWorld(
        room=room,
        conversation=conversation,
        events=events,
        summaries=provider,
        ledger=ledger,
        tokens=tokens,
    )
    worlds.append(world)
    return world

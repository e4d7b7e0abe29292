"""Have the part of a transcript that goes summed up by a model.

Owns the request for a summary: the record as text, bounded to what the model can hold, and one
answer without tools. Shows nothing of the answer while it comes; retries are told. Proven by
tests/unit/agent/test_compaction_summary.py.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import assert_never

from caramelo_tui.agent.approval_broker import EventSink
from caramelo_tui.agent.compaction import shortened_text
from caramelo_tui.agent.context_builder import CHARACTERS_PER_TOKEN
from caramelo_tui.agent.reply_stream import ReplyStream, Waiting
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.domain.agent_events import AgentEvent, EventHead, RetryScheduled
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Provider, ProviderRequest

SUMMARY_TOKENS = 4_096
"""Limit of the answer: the wish for 900 words, and room for a model that thinks."""
MOST_CHARACTERS = 32_000
"""What is kept of a summary: twice the limit of the answer, which not every server heeds."""
_UNKNOWN_WINDOW = 64_000
"""Tokens that a model of unknown size is asked to hold."""
_FILL = 0.6
"""Part of the window that the record may fill; its size is only estimated."""


class SummaryFailed(ProviderError):
    """The model gave no summary that can be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryModel:
    """Who makes summaries."""

    provider: Provider
    model: str
    context_window: int | None = None
    """Tokens it can hold; ``None`` when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A summary, and what it took."""

    text: str
    model: str
    usage: Usage


class RetriesOnly:
    """Passes on that a request is tried again, and nothing of the answer."""

    def __init__(self, events: EventSink) -> None:
        self._events = events

    def emit(self, make: Callable[[EventHead], AgentEvent], *, agent: str = "") -> AgentEvent:
        """Return the event; only a retry reaches the readers."""
        event = make(EventHead(seq=0, at=0.0))
        return self._events.emit(make, agent=agent) if isinstance(event, RetryScheduled) else event


class Summarizer:
    """Makes the summaries of one agent."""

    def __init__(
        self,
        *,
        model: Callable[[], SummaryModel],
        events: EventSink,
        ids: IdSource,
        waiting: Waiting,
    ) -> None:
        """Wire it; ``model`` is asked at each summary, so that it may change."""
        self._model = model
        self._events = RetriesOnly(events)
        self._ids = ids
        self._waiting = waiting

    async def summarize(self, messages: Sequence[Message]) -> Summary:
        """Return a summary of messages.

        Raises:
            SummaryFailed: If the model gave none that can be used.
            ProviderError: If the request failed.
            asyncio.CancelledError: When interrupted; the HTTP stream is closed.
        """
        chosen = self._model()
        replies = ReplyStream(
            provider=chosen.provider,
            events=self._events,
            call_ids=CallIds(self._ids),
            waiting=self._waiting,
        )
        answer = await replies.receive(_request(messages, chosen), on_broken=_leave)
        text = answer.text.strip()
        if not text or answer.stop_reason is StopReason.REFUSAL:
            raise SummaryFailed("The model gave no summary.")
        if len(text) > MOST_CHARACTERS:
            text = f"{text[:MOST_CHARACTERS]}\n[… the summary was cut off here …]"
        return Summary(text=text, model=chosen.model, usage=answer.usage)


def _leave(broken: AssistantMessage) -> None:
    """Keep nothing of a summary that broke off: it is no part of the record."""
    del broken


def _request(messages: Sequence[Message], chosen: SummaryModel) -> ProviderRequest:
    window = chosen.context_window or _UNKNOWN_WINDOW
    characters = int(window * _FILL * CHARACTERS_PER_TOKEN)
    text = f"<record>\n{record_text(messages, characters)}\n</record>\n\nSum up this record."
    system = files("caramelo_tui.agent").joinpath("prompts", "summary.md").read_text("utf-8")
    return ProviderRequest(
        model=chosen.model,
        system=system,
        messages=(UserMessage(text=text, is_note=True),),
        tools=(),
        max_tokens=SUMMARY_TOKENS,
    )


def record_text(messages: Sequence[Message], limit: int) -> str:
    """Return messages as text of at most about ``limit`` characters.

    Where they are longer, parts of the middle are left out: how the work began and what came
    last matter most.
    """
    parts = [_one_entry(part) for message in messages for part in _parts(message)]
    if sum(map(len, parts)) + len(parts) <= limit:
        return "\n".join(parts)
    begin = _taken(parts, limit // 3)
    end = _taken(reversed(parts[len(begin) :]), limit - limit // 3)
    left_out = len(parts) - len(begin) - len(end)
    return "\n".join((*begin, f"[… {left_out:,} entries were left out …]", *reversed(end)))


def _one_entry(text: str) -> str:
    """Return an entry that cannot pass for several, and that does not end the record.

    Only its first line begins at the margin: what stands in a file or a page is nobody's word.
    """
    return "\n  ".join(text.replace("</record", "< /record").splitlines())


def _taken(parts: Iterable[str], limit: int) -> list[str]:
    taken: list[str] = []
    for part in parts:
        limit -= len(part) + 1
        if limit < 0:
            break
        taken.append(part)
    return taken


def _parts(message: Message) -> list[str]:
    match message:
        case UserMessage():
            who = "Note of the program" if message.is_note else "Developer"
            return [f"{who}: {message.text}"]
        case AssistantMessage():
            said = [f"Agent: {message.text}"] if message.text else []
            return said + [
                f"Agent calls {call.name} ({call.id}): {shortened_text(call.arguments_json)}"
                for call in message.calls
            ]
        case ToolResultsMessage():
            return [
                f"Result of {result.call_id} ({result.state}): {shortened_text(result.text)}"
                for result in message.results
            ]
        case _:
            assert_never(message)

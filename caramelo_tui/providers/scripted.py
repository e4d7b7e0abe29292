"""Play a script as a provider: the demo's model and the tests'.

Owns the playing: pieces and pace, made-up ids, plausible usage, faults. It checks every
request as a vendor would. What is played is decided by ``scenario``; no network, no
randomness. Proven by tests/unit/providers/test_scripted.py.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
)
from caramelo_tui.domain.ids import CountingIds, IdSource
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.request_checks import check_request
from caramelo_tui.providers.scenario import (
    FaultKind,
    Observation,
    Scenario,
    ScenarioCursor,
    ScriptedFault,
    ScriptedTurn,
)

CHARACTERS_PER_TOKEN = 4
"""Rule of thumb for the made-up usage."""

_PIECE = re.compile(r"\s*\S{1,12}\s*", re.DOTALL)
_ARGUMENT_PIECE_LENGTH = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast the script is played, in seconds; all zero plays as fast as it is read."""

    before_answer_s: float = 0.0
    """Before the first piece, as a model that reads the request."""
    per_piece_s: float = 0.0
    """Between two pieces of text, thinking or arguments."""


AT_ONCE = Pace()
"""For tests."""

LIFELIKE = Pace(before_answer_s=0.6, per_piece_s=0.02)
"""For the demo: about the speed of a quick model."""


class ScriptedProvider:
    """Answers from a script."""

    def __init__(
        self,
        script: Scenario | Sequence[ScriptedTurn],
        *,
        name: str = "demo",
        pace: Pace = AT_ONCE,
        ids: IdSource | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        scenario = script if isinstance(script, Scenario) else Scenario(turns=tuple(script))
        self._cursor = ScenarioCursor(scenario)
        self._name = name
        self._pace = pace
        self._ids = ids or CountingIds()
        self._capabilities = capabilities or Capabilities(reasoning=True, caching=True)
        self._requests: list[ProviderRequest] = []
        self._cached_characters = 0

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What the script is said to be able to do."""
        return self._capabilities

    @property
    def requests(self) -> tuple[ProviderRequest, ...]:
        """All requests so far, oldest first."""
        return tuple(self._requests)

    async def warm(self) -> None:
        """Do nothing: a script needs no loading."""

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        """Return ``None``: a script has no tokens."""
        return None

    async def close(self) -> None:
        """Do nothing: a script holds no connection."""

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Play the turn that the script has for this request.

        A turn that is closed or cancelled before its end is played again at the next request.

        Raises:
            BadRequest: If a vendor would refuse the request.
            ProviderError: If the script has a fault here.
        """
        self._requests.append(request)
        check_request(request)
        turn = self._cursor.next_turn(observed(request.messages))
        await asyncio.sleep(self._pace.before_answer_s)
        if turn.raises and not turn.raises.after_content:
            self._cursor.advance(turn)
            fault = _error_for(turn.raises)
            raise fault
        for event in self._content(turn):
            await asyncio.sleep(self._pace.per_piece_s)
            yield event
        # Gone past before the last event: a consumer that has it need not ask for more.
        self._cursor.advance(turn)
        if turn.raises:
            fault = _error_for(turn.raises)
            raise fault
        yield UsageSeen(usage=self._usage(request, turn))
        yield StreamStopped(stop_reason=turn.played_stop_reason)

    def _content(self, turn: ScriptedTurn) -> Iterator[ProviderEvent]:
        for piece in text_pieces(turn.thinking):
            yield ThinkingDelta(text=piece)
        if turn.thinking:
            yield ThinkingEnded()
        for piece in text_pieces(turn.text):
            yield TextDelta(text=piece)
        for slot, call in enumerate(turn.calls):
            call_id = call.id or self._ids.new("call")
            yield ToolCallBegan(slot=slot, call_id=call_id, name=call.name)
            text = call.arguments_json
            for start in range(0, len(text), _ARGUMENT_PIECE_LENGTH):
                fragment = text[start : start + _ARGUMENT_PIECE_LENGTH]
                yield ToolArgumentsDelta(slot=slot, fragment=fragment)

    def _usage(self, request: ProviderRequest, turn: ScriptedTurn) -> Usage:
        """Return counts as a vendor with a prompt cache would give them."""
        asked = len(request.system) + sum(_length(message) for message in request.messages)
        cached = min(self._cached_characters, asked)
        self._cached_characters = asked
        said = turn.thinking + turn.text + "".join(call.arguments_json for call in turn.calls)
        return Usage(
            input_tokens=_tokens(asked - cached),
            output_tokens=_tokens(len(said)),
            cache_read_tokens=_tokens(cached) if cached else 0,
        )


def text_pieces(text: str) -> tuple[str, ...]:
    """Return ``text`` cut into pieces as a model streams them; joined they are the text."""
    return tuple(_PIECE.findall(text)) or ((text,) if text else ())


def observed(messages: Sequence[Message]) -> Observation:
    """Return what a script can react to in a transcript."""
    prompts = [
        message.text
        for message in messages
        if isinstance(message, UserMessage) and not message.is_note
    ]
    # Notes of the program may stand behind the results.
    ends = [
        message
        for message in messages
        if not (isinstance(message, UserMessage) and message.is_note)
    ]
    last = ends[-1] if ends else None
    results = last.results if isinstance(last, ToolResultsMessage) else ()
    return Observation(
        prompt=prompts[-1] if prompts else "",
        results=tuple((result.text, result.is_error) for result in results),
    )


def _error_for(fault: ScriptedFault) -> ProviderError:
    match fault.kind:
        case FaultKind.RATE_LIMITED:
            return RateLimited("Too many requests.", retry_after_s=fault.retry_after_s)
        case FaultKind.OVERLOADED:
            return Overloaded("The model is busy.", retry_after_s=fault.retry_after_s)
        case FaultKind.STREAM_BROKEN:
            return StreamBroken("The connection was lost.")
        case FaultKind.AUTHENTICATION:
            return AuthenticationFailed("The key was refused.")
        case FaultKind.BAD_REQUEST:
            return BadRequest("The request was refused.")
        case FaultKind.CONTEXT_TOO_LONG:
            return ContextTooLong("The request is too long for the model.")
        case _:
            assert_never(fault.kind)


def _length(message: Message) -> int:
    match message:
        case UserMessage():
            return len(message.text)
        case ToolResultsMessage():
            return sum(len(result.text) for result in message.results)
        case AssistantMessage():
            return len(message.text) + sum(len(call.arguments_json) for call in message.calls)
        case _:
            assert_never(message)


def _tokens(characters: int) -> int:
    return max(1, characters // CHARACTERS_PER_TOKEN)

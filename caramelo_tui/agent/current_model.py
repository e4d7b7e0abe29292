"""Let one model after another answer within a session.

Owns which model answers the main agent now, and when another one takes over: never within an
answer, at once while nothing runs, else before the next request. What was said stays; thinking
and its proofs are given to no model but the one that made them. Proven by
tests/unit/composition/test_model_choice.py.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.models_port import AnsweringModel
from caramelo_tui.agent.run_frames import SessionFacts
from caramelo_tui.agent.thinking import without_thinking
from caramelo_tui.domain.agent_events import ModelChanged, NoticeLevel
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, Provider, ProviderRequest, prompt_cost_of


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableModel:
    """A model with all that is needed to ask it."""

    provider: Provider
    model: str
    capabilities: Capabilities
    """The provider's, less what this model is known not to do."""
    answer_tokens: int
    """Limit of an answer."""
    context_window: int | None = None
    endpoint_note: str = ""

    @property
    def answering(self) -> AnsweringModel:
        """It, as the user interface sees it."""
        return AnsweringModel(
            provider=self.provider.name,
            model=self.model,
            context_window=self.context_window,
            endpoint_note=self.endpoint_note,
        )


class CurrentModel:
    """A provider that passes each request on to the one that answers now."""

    def __init__(self, model: UsableModel, *, events: EventStream) -> None:
        """Let a model answer; ``attach`` comes before the first change."""
        self._now = model
        self._next: UsableModel | None = None
        self._events = events
        self._conversation: Conversation | None = None
        self._is_in_run = False

    def attach(self, conversation: Conversation) -> None:
        """Take the conversation whose requests are passed on."""
        self._conversation = conversation
        self._warn_without_tools(self._now)

    @property
    def now(self) -> UsableModel:
        """The model that answers now."""
        return self._now

    @property
    def chosen(self) -> UsableModel:
        """The one that answers the next request."""
        return self._next or self._now

    def take(self, model: UsableModel) -> None:
        """Let another model answer: at once, or from the next turn on; the last one counts."""
        self._next = model
        if not self._is_in_run:
            self.settle()

    def settle(self) -> None:
        """Let the model that was taken last answer from here on; called before each request."""
        model, self._next = self._next, None
        if model is None or self._events.is_closed or self._is_the_same(model):
            return
        self._now = model
        answering = model.answering
        if self._conversation is not None:
            transcript = self._conversation.transcript
            transcript.replace_all(without_thinking(transcript.snapshot()))
            self._conversation.context.take_model(
                model.model,
                able=model.capabilities,
                answer_tokens=model.answer_tokens,
                context_window=model.context_window,
            )
        self._events.emit(
            lambda head: ModelChanged(
                head=head,
                provider=answering.provider,
                model=answering.model,
                context_window=answering.context_window,
                endpoint_note=answering.endpoint_note,
            )
        )
        self._warn_when_full(model)
        self._warn_without_tools(model)

    def begin_run(self, facts: SessionFacts) -> SessionFacts:
        """Return what holds for a run that begins now; others take over between its turns."""
        self._is_in_run = True
        return replace(facts, provider=self._now.provider.name, model=self._now.model)

    def end_run(self) -> None:
        """Let others take over at once again, and one that was taken meanwhile do so."""
        self._is_in_run = False
        self.settle()

    # -- the provider's side

    @property
    def name(self) -> str:
        """Name of the provider that answers now."""
        return self._now.provider.name

    @property
    def capabilities(self) -> Capabilities:
        """What the model that answers now can do."""
        return self._now.capabilities

    async def warm(self) -> None:
        """Load what the first request needs."""
        await self._now.provider.warm()

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send a request to the model that answers now.

        Raises:
            ProviderError: As its provider says.
        """
        events = self._now.provider.stream(request)
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Return the tokens of a request as its provider counts them."""
        return await self._now.provider.count_tokens(request)

    def prompt_cost(self, model: str) -> float:
        """Return what one prompt counts for at the provider that answers now."""
        return prompt_cost_of(self._now.provider, model)

    async def close(self) -> None:
        """Release the connections of the provider that answers now; those of others are not its."""
        await self._now.provider.close()

    # -- parts

    def _is_the_same(self, model: UsableModel) -> bool:
        return (model.provider, model.model) == (self._now.provider, self._now.model)

    def _warn_when_full(self, model: UsableModel) -> None:
        conversation, window = self._conversation, model.context_window
        if conversation is None or window is None:
            return
        held = conversation.context.estimated_tokens(conversation.transcript.snapshot())
        if held > window:
            text = (
                f"The conversation holds about {held:,} tokens, and {model.model} can hold "
                f"{window:,}: make it shorter by /compact, or choose a larger model."
            )
            self._events.raise_notice(NoticeLevel.WARNING, text)

    def _warn_without_tools(self, model: UsableModel) -> None:
        if model.capabilities.tools:
            return
        text = (
            f"{model.model} is known to call no tools: it is offered none, and can answer and no "
            "more. Choose another one by /model, or say otherwise in models.toml."
        )
        self._events.raise_notice(NoticeLevel.WARNING, text)

"""Build the request that goes out: system prompt, transcript and tools.

Owns the system prompt and the estimate of what fits into the model's context window. It
leaves nothing out by itself: what does not fit is an error with a sentence for the user.
Proven by tests/unit/agent/test_context_builder.py.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import assert_never

from caramelo_tui.domain.errors import ContextTooLong
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import ToolCall, ToolSpec
from caramelo_tui.providers.base import EVERYTHING, Capabilities, ProviderRequest
from caramelo_tui.providers.left_out import without_images

CHARACTERS_PER_TOKEN = 3.6
"""Rule of thumb for English text and code, on the careful side; used only between the
provider's own counts."""
_TOKENS_PER_IMAGE = 1_600
"""A careful guess for a large image; vendors count by its size."""


def system_prompt(
    *,
    root_name: str,
    system: str,
    date: str,
    ends_by_call: bool = False,
    is_subagent: bool = False,
) -> str:
    """Return the system prompt of an agent.

    It must not vary within a session, since providers cache it.

    Args:
        root_name: Last part of the workspace path; the model is told no more of it.
        system: Operating system, such as ``Linux``.
        date: Day on which the session began, ``YYYY-MM-DD``.
        ends_by_call: Whether the work ends by ``task_done`` (profile ``core``).
        is_subagent: Whether another agent reads the answer.
    """
    names = ["system", *(["subagent"] if is_subagent else []), *(["core"] if ends_by_call else [])]
    prompts = files("caramelo_tui.agent").joinpath("prompts")
    text = "".join(prompts.joinpath(f"{name}.md").read_text("utf-8") for name in names)
    root = visible(root_name, keeps_newlines=False)
    return Template(text).substitute(root=root, system=system, date=date)


def no_instructions() -> str:
    """Return no instructions."""
    return ""


@dataclass(slots=True, kw_only=True)
class ContextBuilder:
    """Make requests of one session; the model may change between two of them."""

    model: str
    system: str
    tools: Callable[[], tuple[ToolSpec, ...]]
    """The tools that are offered at the moment."""
    answer_tokens: int
    """Limit of the answer."""
    context_window: int | None = None
    """Tokens that the model can hold, answer included; ``None`` when unknown."""
    able: Capabilities = EVERYTHING
    """What the model can do: it is offered no tools and sent no images that it does not take."""
    instructions: Callable[[], str] = no_instructions
    """The end of the system prompt; the same from the first request on."""
    speaks_with_person: bool = True
    """``False`` for a sub-agent: what it is told is not counted as a prompt of the person."""

    def take_model(
        self, model: str, *, able: Capabilities, answer_tokens: int, context_window: int | None
    ) -> None:
        """Make the requests from now on for another model."""
        self.model = model
        self.able = able
        self.answer_tokens = answer_tokens
        self.context_window = context_window

    def build(self, messages: Sequence[Message]) -> ProviderRequest:
        """Return the request for a transcript.

        Raises:
            ContextTooLong: If the transcript is estimated to exceed the context window; the
                run ends with its text.
        """
        estimate = self.estimated_tokens(messages)
        if self.context_window is not None and estimate > self.context_window:
            msg = (
                f"The conversation holds about {estimate:,} tokens; {self.model} can hold "
                f"{self.context_window:,}. Nothing was left out and nothing was sent. "
                "Compact the conversation (/compact), or start a new session."
            )
            raise ContextTooLong(msg)
        return ProviderRequest(
            model=self.model,
            system=self.system + self.instructions(),
            messages=tuple(messages) if self.able.images else without_images(messages),
            tools=self.tools() if self.able.tools else (),
            max_tokens=self.answer_tokens,
            able=self.able,
            is_users_turn=self.speaks_with_person and ends_with_person(messages),
        )

    def estimated_tokens(self, messages: Sequence[Message]) -> int:
        """Return the tokens of the next request: the provider's last count plus an estimate.

        Without any count the whole request is estimated by its characters.
        """
        return sum(self._counted_and_guessed(messages))

    def guessed_tokens(self, messages: Sequence[Message]) -> int:
        """Return how many of the estimated tokens no provider has counted."""
        return self._counted_and_guessed(messages)[1]

    def _counted_and_guessed(self, messages: Sequence[Message]) -> tuple[int, int]:
        for index in range(len(messages) - 1, -1, -1):
            message = messages[index]
            if isinstance(message, AssistantMessage) and message.usage.context_tokens:
                newer = sum(map(_characters, messages[index + 1 :]))
                return message.usage.context_tokens, _tokens(newer)
        fixed = len(self.system + self.instructions()) + sum(map(_tool_characters, self.tools()))
        return 0, _tokens(fixed + sum(map(_characters, messages)))


def ends_with_person(messages: Sequence[Message]) -> bool:
    """Whether the person said something after the model's last answer and its tools' results."""
    return newest_words(messages) is not None


def newest_words(messages: Sequence[Message]) -> UserMessage | None:
    """Return what the person said last, if nothing but notes of the program came after it."""
    for message in reversed(messages):
        if not isinstance(message, UserMessage):
            return None
        if not message.is_note:
            return message
    return None


def _tokens(characters: int) -> int:
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


def _tool_characters(spec: ToolSpec) -> int:
    return len(spec.name) + len(spec.description) + len(json.dumps(dict(spec.input_schema)))


def _weight(text: str) -> int:
    """Return characters, with more for those that are not ASCII: most are a token by themselves."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _characters(message: Message) -> int:
    match message:
        case UserMessage():
            images = len(message.images) * _TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN
            return _weight(message.text) + int(images)
        case ToolResultsMessage():
            return sum(_weight(result.text) for result in message.results)
        case AssistantMessage():
            return sum(map(_block_characters, message.blocks))
        case _:
            assert_never(message)


def _block_characters(block: TextBlock | ThinkingBlock | ToolCall) -> int:
    match block:
        case TextBlock() | ThinkingBlock():
            return _weight(block.text)
        case ToolCall():
            return len(block.name) + _weight(block.arguments_json)
        case _:
            assert_never(block)

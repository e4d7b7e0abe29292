"""The providers that the contract suite and the stream properties are run on.

Owns the list: a provider that speaks over HTTP is one entry, with how its form of API writes what
the tests look for. What the loopback server speaks is in ``tests.doubles.served_wires``.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from caramelo_tui.domain.messages import ImageAttachment, StopReason
from caramelo_tui.providers.anthropic import AnthropicProvider
from caramelo_tui.providers.anthropic_stream import AnthropicStreamReader
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.copilot import CopilotProvider
from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider
from caramelo_tui.providers.openai_stream import OpenAIStreamReader
from caramelo_tui.providers.responses import ResponsesProvider
from caramelo_tui.providers.responses_stream import ResponsesStreamReader
from caramelo_tui.providers.responses_wire import signature_of
from caramelo_tui.providers.scenario import ScriptedTurn
from caramelo_tui.providers.streaming import EventReader
from tests.doubles.model_server_clients import GREP, MODEL
from tests.doubles.model_server_streams import SIGNATURE
from tests.doubles.responses_streams import ENCRYPTED
from tests.doubles.served_wires import (
    ANTHROPIC,
    ANTHROPIC_WIRE,
    COPILOT,
    COPILOT_WIRE,
    OPENAI,
    OPENAI_WIRE,
    RESPONSES,
    RESPONSES_WIRE,
    ServedWire,
)

IMAGE = ImageAttachment(name="shot.png", media_type="image/png", data=b"\x89PNG\r\n\x1a\n")
"""An image as far as a provider looks at it."""
IMAGE_TEXT = "iVBORw0KGgo="
"""Its bytes in base64."""

_SHARED_REASONS = (StopReason.END_TURN, StopReason.MAX_TOKENS, StopReason.REFUSAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderWire:
    """One provider under test."""

    name: str
    served: ServedWire
    build: Callable[[EndpointSettings], Provider]
    reader: Callable[[Callable[[], str]], EventReader]
    """Builds the reader of one answer from a source of ids for calls."""
    stop_field: bytes
    """How the stop reason ``end_turn`` stands in a stream."""
    stop_value: bytes
    """The same with the unknown reason ``bored``."""
    first_body: Mapping[str, object]
    """The body of ``request_of()``."""
    image_part: Mapping[str, object]
    """How ``IMAGE`` stands in a request."""
    stop_reasons: tuple[StopReason, ...] = _SHARED_REASONS
    """Those that this form of API can tell, beside ``tool_use``."""
    signature: str | None = None
    """What proves the thinking of a scripted turn."""

    def stream_of(self, turn: ScriptedTurn) -> bytes:
        """Return the recorded stream of a turn."""
        body = {"model": MODEL, "stream_options": {"include_usage": True}}
        return self.served.stream(turn, body, number=1)

    def holds_image(self, body: Mapping[str, object]) -> bool:
        """Return whether a request's body has ``IMAGE`` in this form."""
        return json.dumps(self.image_part) in json.dumps(body)


_MARK = {"type": "ephemeral"}
_SYSTEM = "You are a test."
_SCHEMA = dict(GREP.input_schema)

ANTHROPIC_PROVIDER = ProviderWire(
    name=ANTHROPIC,
    served=ANTHROPIC_WIRE,
    build=AnthropicProvider,
    reader=lambda new_id: AnthropicStreamReader(key="", new_call_id=new_id),
    stop_field=b'"stop_reason": "end_turn"',
    stop_value=b'"stop_reason": "bored"',
    signature=SIGNATURE,
    stop_reasons=(*_SHARED_REASONS, StopReason.STOP_SEQUENCE, StopReason.PAUSE_TURN),
    first_body={
        "model": MODEL,
        "max_tokens": 1000,
        "stream": True,
        "system": [{"type": "text", "text": _SYSTEM, "cache_control": _MARK}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "go", "cache_control": _MARK}]}
        ],
        "tools": [
            {
                "name": "grep",
                "description": "Search.",
                "input_schema": _SCHEMA,
                "cache_control": _MARK,
            }
        ],
    },
    image_part={
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": IMAGE_TEXT},
    },
)
OPENAI_PROVIDER = ProviderWire(
    name=OPENAI,
    served=OPENAI_WIRE,
    build=OpenAICompatibleProvider,
    reader=lambda new_id: OpenAIStreamReader(key="", new_call_id=new_id),
    stop_field=b'"finish_reason": "stop"',
    stop_value=b'"finish_reason": "bored"',
    first_body={
        "model": MODEL,
        "max_tokens": 1000,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": "go"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "grep", "description": "Search.", "parameters": _SCHEMA},
            }
        ],
    },
    image_part={"type": "image_url", "image_url": {"url": f"data:image/png;base64,{IMAGE_TEXT}"}},
)
RESPONSES_PROVIDER = ProviderWire(
    name=RESPONSES,
    served=RESPONSES_WIRE,
    build=ResponsesProvider,
    reader=lambda new_id: ResponsesStreamReader(key="", new_call_id=new_id),
    stop_field=b'"status": "completed", "error": null, "incomplete_details": null',
    stop_value=b'"status": "incomplete", "error": null, "incomplete_details": {"reason": "bored"}',
    signature=signature_of(
        {
            "id": "rs_0001",
            "summary": [{"text": "Let me see."}],
            "encrypted_content": ENCRYPTED,
        }
    ),
    first_body={
        "model": MODEL,
        "max_output_tokens": 1000,
        "stream": True,
        "store": False,
        "instructions": _SYSTEM,
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}
        ],
        "tools": [
            {
                "type": "function",
                "name": "grep",
                "description": "Search.",
                "parameters": _SCHEMA,
                "strict": False,
            }
        ],
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"summary": "auto"},
    },
    image_part={
        "type": "input_image",
        "detail": "auto",
        "image_url": f"data:image/png;base64,{IMAGE_TEXT}",
    },
)
COPILOT_PROVIDER = replace(
    OPENAI_PROVIDER, name=COPILOT, served=COPILOT_WIRE, build=CopilotProvider
)


def _over_sdk(wire: ProviderWire) -> ProviderWire:
    return replace(
        wire,
        name=f"{wire.name}-sdk",
        build=lambda settings: wire.build(replace(settings, uses_sdk=True)),
    )


WIRES = (ANTHROPIC_PROVIDER, OPENAI_PROVIDER, RESPONSES_PROVIDER)
"""Those that are asked at the address they are given, over the HTTP client alone."""
SDK_WIRES = tuple(_over_sdk(wire) for wire in WIRES)
"""The same over their vendors' SDKs."""
DIRECT_WIRES = (*WIRES, *SDK_WIRES)
"""Both."""
EVERY_WIRE = (*DIRECT_WIRES, COPILOT_PROVIDER)
"""All of them; Copilot names its address with the token."""

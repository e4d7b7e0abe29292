"""Know the endpoints that can be named without their address.

Owns the table: what each preset speaks, where it is, which variables hold its key and its
address, and how its Chat Completions differ. Finds no key, opens no connection and loads no
SDK. Proven by tests/unit/providers/test_presets.py.

Sources, read 2026-11-30: ai.google.dev, "OpenAI compatibility" and "Thought signatures";
console.groq.com, "OpenAI compatibility"; openrouter.ai, "Quickstart"; docs.mistral.ai, "API
reference"; api-docs.deepseek.com, "Your first API call" and "Thinking mode"; the projects' own
pages on their servers: Ollama, LM Studio, llama.cpp (tools/server), vLLM.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.providers.chat_quirks import OPENAI_QUIRKS, ChatQuirks
from caramelo_tui.providers.endpoints import ANTHROPIC_BASE_URL, OPENAI_BASE_URL

PLAIN = ChatQuirks()
"""An endpoint that differs in nothing that is known."""


class Wire(StrEnum):
    """What an endpoint speaks."""

    MESSAGES = "messages"
    """Anthropic's Messages API."""
    CHAT = "chat"
    """Chat Completions."""
    RESPONSES = "responses"
    """OpenAI's Responses API."""
    COPILOT = "copilot"
    """Chat Completions behind GitHub's login."""
    FILE = "file"
    """A model's file, run by a program of ours on this machine."""
    SCRIPT = "script"
    """The demo's script; no network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One endpoint."""

    title: str
    """How it is called in sentences."""
    wire: Wire = Wire.CHAT
    base_url: str = ""
    """Address; empty: it must be set, or there is none."""
    key_variables: tuple[str, ...] = ()
    """Variables that hold its key; the first that is set counts. The first one is named in
    messages, and a start that names no provider looks at it alone."""
    base_url_variable: str = ""
    """The vendor's own variable for another address; empty: none."""
    needs_key: bool = True
    """Whether nothing can be asked of it without a key."""
    is_local: bool = False
    """Whether it is a server that people run on their own machine."""
    quirks: ChatQuirks = PLAIN


_SKIPS_SIGNATURE: Mapping[str, JsonValue] = MappingProxyType(
    {"extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}}
)
"""Gemini refuses calls without the signature of the thought behind them; this text is documented
for calls whose signature was not kept."""

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "anthropic": Preset(
            title="Anthropic",
            wire=Wire.MESSAGES,
            base_url=ANTHROPIC_BASE_URL,
            key_variables=("ANTHROPIC_API_KEY",),
            base_url_variable="ANTHROPIC_BASE_URL",
        ),
        "openai": Preset(
            title="OpenAI",
            base_url=OPENAI_BASE_URL,
            key_variables=("OPENAI_API_KEY",),
            base_url_variable="OPENAI_BASE_URL",
            quirks=OPENAI_QUIRKS,
        ),
        "openai-responses": Preset(
            title="OpenAI (Responses)",
            wire=Wire.RESPONSES,
            base_url=OPENAI_BASE_URL,
            key_variables=("OPENAI_API_KEY",),
            base_url_variable="OPENAI_BASE_URL",
            quirks=OPENAI_QUIRKS,
        ),
        "copilot": Preset(
            title="GitHub Copilot",
            wire=Wire.COPILOT,
            # The GitHub that is logged in to; where chat is sent to comes with the token.
            base_url="https://github.com",
            key_variables=("GITHUB_COPILOT_TOKEN", "COPILOT_GITHUB_TOKEN"),
        ),
        "gemini": Preset(
            title="Gemini",
            base_url="https://generativelanguage.googleapis.com/v1beta/openai",
            # The second one holds keys of other Google services just as often.
            key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            quirks=ChatQuirks(call_extras=_SKIPS_SIGNATURE),
        ),
        "groq": Preset(
            title="Groq",
            base_url="https://api.groq.com/openai/v1",
            key_variables=("GROQ_API_KEY",),
            quirks=ChatQuirks(
                max_tokens_field="max_completion_tokens", reasoning_fields=("reasoning",)
            ),
        ),
        "openrouter": Preset(
            title="OpenRouter",
            base_url="https://openrouter.ai/api/v1",
            key_variables=("OPENROUTER_API_KEY",),
            quirks=ChatQuirks(reasoning_fields=("reasoning", "reasoning_content")),
        ),
        "mistral": Preset(
            title="Mistral",
            base_url="https://api.mistral.ai/v1",
            key_variables=("MISTRAL_API_KEY",),
            # It tells usage by itself, and refuses ids of calls that are not its own form.
            quirks=ChatQuirks(sends_stream_options=False, call_id_length=9),
        ),
        "deepseek": Preset(
            title="DeepSeek",
            base_url="https://api.deepseek.com/v1",
            key_variables=("DEEPSEEK_API_KEY",),
            # Calls are refused in a later request when the thinking behind them is missing.
            quirks=ChatQuirks(sends_reasoning_as="reasoning_content", takes_images=False),
        ),
        "ollama": Preset(
            title="Ollama",
            base_url="http://127.0.0.1:11434/v1",
            needs_key=False,
            is_local=True,
        ),
        "lmstudio": Preset(
            title="LM Studio",
            base_url="http://127.0.0.1:1234/v1",
            needs_key=False,
            is_local=True,
        ),
        "llamacpp": Preset(
            title="llama.cpp",
            base_url="http://127.0.0.1:8080/v1",
            needs_key=False,
            is_local=True,
            quirks=ChatQuirks(asks_parallel_calls=True),
        ),
        "vllm": Preset(
            title="vLLM",
            base_url="http://127.0.0.1:8000/v1",
            needs_key=False,
            is_local=True,
        ),
        "custom": Preset(title="a compatible endpoint", needs_key=False),
        "local": Preset(
            title="a model file",
            wire=Wire.FILE,
            needs_key=False,
            quirks=ChatQuirks(asks_parallel_calls=True),
        ),
        "demo": Preset(title="the demo", wire=Wire.SCRIPT, needs_key=False),
    }
)
"""Every preset by its name in the configuration, in the order in which they are looked for."""

LOCAL_PRESETS = tuple(name for name, preset in PRESETS.items() if preset.is_local)
"""Servers that may already run on this machine."""

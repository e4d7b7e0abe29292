"""Each vendor's form carries the very schema that the tools have."""

from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from caramelo_tui.composition import offered_tools
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.profiles import PROFILES
from caramelo_tui.domain.tool_calls import ToolSpec
from caramelo_tui.headless.tool_shapes import SHAPES
from caramelo_tui.providers import anthropic_wire, openai_wire
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.chat_quirks import ChatQuirks

SPECS = {
    profile: tuple(tool.spec for tool in offered_tools(Settings(profile=profile)))
    for profile in PROFILES
}


def every_spec() -> list[ToolSpec]:
    return [spec for specs in SPECS.values() for spec in specs]


def shaped(shape: str, spec: ToolSpec) -> Mapping[str, Any]:
    return SHAPES[shape](spec)


@pytest.mark.parametrize("spec", every_spec(), ids=lambda spec: spec.name)
def test_every_schema_is_valid_draft_07_and_refuses_what_it_does_not_name(spec: ToolSpec) -> None:
    schema = dict(spec.input_schema)
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("spec", every_spec(), ids=lambda spec: spec.name)
def test_the_schema_is_the_same_object_in_each_form(spec: ToolSpec) -> None:
    text = {"name": spec.name, "description": spec.description}
    assert shaped("neutral", spec) == {**text, "input_schema": spec.input_schema}
    assert shaped("anthropic", spec) == {**text, "input_schema": spec.input_schema}
    assert shaped("copilot", spec) == {**text, "inputSchema": spec.input_schema}
    function = {**text, "parameters": spec.input_schema}
    assert shaped("openai", spec) == {"type": "function", "function": function}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_forms_are_what_the_providers_send(profile: str) -> None:
    request = ProviderRequest(
        model="m",
        system="",
        messages=(UserMessage(text="hi"),),
        tools=SPECS[profile],
        max_tokens=1,
    )
    anthropic = anthropic_wire.request_body(request, uses_cache=False)
    assert anthropic["tools"] == [shaped("anthropic", spec) for spec in SPECS[profile]]
    openai = openai_wire.request_body(request, quirks=ChatQuirks())
    assert openai["tools"] == [shaped("openai", spec) for spec in SPECS[profile]]

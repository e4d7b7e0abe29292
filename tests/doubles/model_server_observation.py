"""Read from a vendor's request what a script can react to."""

from collections.abc import Mapping, Sequence
from typing import cast

from caramelo_tui.providers.scenario import Observation

_Json = Mapping[str, object]


def anthropic_observation(body: _Json) -> Observation:
    """Return the last prompt and the results that a Messages request ends with."""
    messages = cast("Sequence[_Json]", body["messages"])
    prompts: list[str] = []
    results: list[tuple[str, bool]] = []
    for message in messages:
        if message["role"] != "user":
            continue
        blocks = cast("Sequence[_Json]", message["content"])
        results = [
            (str(block["content"]), bool(block.get("is_error", False)))
            for block in blocks
            if block["type"] == "tool_result"
        ]
        texts = [str(block["text"]) for block in blocks if block["type"] == "text"]
        if texts and not results:
            prompts.append(texts[-1])
    return Observation(prompt=prompts[-1] if prompts else "", results=tuple(results))


def openai_observation(body: _Json) -> Observation:
    """Return the last prompt and the results that a Chat Completions request ends with.

    This form has no error mark; a text that starts like an error, or names an exit code that
    is not 0, counts as one.
    """
    messages = cast("Sequence[_Json]", body["messages"])
    prompts = [_text_of(message["content"]) for message in messages if message["role"] == "user"]
    results: list[tuple[str, bool]] = []
    for message in messages:
        if message["role"] == "tool":
            text = str(message["content"])
            results.append((text, _reads_as_error(text)))
        elif message["role"] == "assistant":
            results = []
    return Observation(prompt=prompts[-1] if prompts else "", results=tuple(results))


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = cast("Sequence[_Json]", content)
    return "\n".join(str(part["text"]) for part in parts if part["type"] == "text")


def _reads_as_error(text: str) -> bool:
    first_line = text.partition("\n")[0].strip().casefold()
    if first_line.startswith("exit_code:"):
        return first_line.partition(":")[2].strip() != "0"
    return first_line.startswith(("error", "denied", "refused"))

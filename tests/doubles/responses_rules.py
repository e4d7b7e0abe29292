"""Refuse requests to the Responses API that OpenAI refuses, and read what a script reacts to.

Rules from developers.openai.com ("Responses: create", "Function calling", "Reasoning models") and
the types of the official SDK (openai 3.57.0), read 2026-11-30. Stricter where the program should
never rely on leniency: unknown keys, results that stand before their calls.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

from caramelo_tui.providers.scenario import Observation
from tests.doubles.model_server_rules import Refused

Json = Mapping[str, object]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*")
_LEAST_OUTPUT_TOKENS = 16
_BODY_KEYS: tuple[set[str], set[str]] = (
    {"model", "input", "stream", "store"},
    {"instructions", "max_output_tokens", "tools", "include", "reasoning"},
)
_COUNTED_KEYS: tuple[set[str], set[str]] = (
    {"model", "input"},
    {"instructions", "tools", "reasoning"},
)
_ITEM_KEYS: Mapping[str, set[str]] = {
    "message": {"type", "role", "content"},
    "function_call": {"type", "call_id", "name", "arguments"},
    "function_call_output": {"type", "call_id", "output"},
    "reasoning": {"type", "id", "summary", "encrypted_content"},
}
_PART_KEYS: Mapping[str, set[str]] = {
    "input_text": {"type", "text"},
    "input_image": {"type", "detail", "image_url"},
    "output_text": {"type", "text"},
}


def check_responses(body: object, *, encrypted: str) -> None:
    """Check a body of ``POST /v1/responses``.

    Args:
        body: The request.
        encrypted: What the content of each reasoning item must be.
    """
    request = _object(body, "body")
    _keys(request, "body", *_BODY_KEYS)
    if request["stream"] is not True or request["store"] is not False:
        _refuse("this server streams only, and stores nothing")
    tokens = request.get("max_output_tokens", _LEAST_OUTPUT_TOKENS)
    if not isinstance(tokens, int) or tokens < _LEAST_OUTPUT_TOKENS:
        _refuse("Invalid 'max_output_tokens': integer below minimum value.")
    if request.get("include", ["reasoning.encrypted_content"]) != ["reasoning.encrypted_content"]:
        _refuse("Invalid value: 'include'")
    _check_asked(request, encrypted)


def check_counted(body: object, *, encrypted: str) -> None:
    """Check a body of ``POST /v1/responses/input_tokens``."""
    request = _object(body, "body")
    _keys(request, "body", *_COUNTED_KEYS)
    _check_asked(request, encrypted)


def responses_observation(body: Json) -> Observation:
    """Return the last prompt and the results that a request ends with."""
    prompts: list[str] = []
    results: list[tuple[str, bool]] = []
    for item in cast("Sequence[Json]", body["input"]):
        if item["type"] == "function_call_output":
            text = str(item["output"])
            results.append((text, text.casefold().startswith(("error", "denied", "refused"))))
            continue
        results = []
        if item.get("role") == "user":
            parts = cast("Sequence[Json]", item["content"])
            prompts.append("\n".join(str(part["text"]) for part in parts if "text" in part))
    return Observation(prompt=prompts[-1] if prompts else "", results=tuple(results))


def _check_asked(request: Json, encrypted: str) -> None:
    _text(request["model"], "model")
    _text(request.get("instructions", ""), "instructions")
    if request.get("reasoning", {"summary": "auto"}) != {"summary": "auto"}:
        _refuse("Invalid value: 'reasoning'")
    for at, tool in enumerate(_list(request.get("tools", []), "tools")):
        _check_tool(_object(tool, f"tools[{at}]"), f"tools[{at}]")
    _check_items(_list(request["input"], "input"), encrypted)


def _check_tool(tool: Json, where: str) -> None:
    _keys(tool, where, {"type", "name", "parameters", "strict"}, {"description"})
    if tool["type"] != "function" or tool["strict"] is not False:
        _refuse(f"{where}: this server takes functions that are not strict")
    if not _NAME.fullmatch(_text(tool["name"], where)):
        _refuse(f"Invalid '{where}.name'")
    if _object(tool["parameters"], where).get("type") != "object":
        _refuse(f"Invalid schema for function: {where}")


def _check_items(items: Sequence[object], encrypted: str) -> None:
    if not items:
        _refuse("One of 'input' must be provided.")
    called: list[str] = []
    answered: set[str] = set()
    before: Json = {}
    for at, each in enumerate(items):
        where = f"input[{at}]"
        item = _object(each, where)
        kind = str(item.get("type"))
        _keys(item, where, _ITEM_KEYS.get(kind) or _refuse(f"Invalid value: {kind!r}"), set())
        if before.get("type") == "reasoning" and _comes_of_another(item):
            _refuse(f"Item '{before['id']}' of type 'reasoning' was provided without its required")
        match kind:
            case "message":
                _check_message(item, where)
            case "reasoning":
                _check_reasoning(item, where, encrypted)
            case "function_call":
                called.append(_check_call(item, where, called))
            case _:
                _check_output(item, where, called, answered)
        before = item
    missing = [each for each in called if each not in answered]
    if missing:
        _refuse(f"No tool output found for function call {missing[0]}.")
    if before.get("type") == "reasoning" or before.get("role") == "assistant":
        _refuse("The last item must not be the model's.")


def _comes_of_another(item: Json) -> bool:
    return item.get("role") == "user" or item["type"] == "function_call_output"


def _check_message(item: Json, where: str) -> None:
    role = item["role"]
    if role not in {"user", "assistant"}:
        _refuse(f"Invalid value: {role!r}")
    allowed = {"input_text", "input_image"} if role == "user" else {"output_text"}
    parts = _list(item["content"], where)
    if not parts:
        _refuse(f"{where}.content: empty")
    for each in parts:
        part = _object(each, where)
        kind = str(part.get("type"))
        if kind not in allowed:
            _refuse(f"Invalid value: {kind!r}. Supported values are: {sorted(allowed)}")
        _keys(part, where, _PART_KEYS[kind], set())
        if kind == "input_image" and not _IMAGE.fullmatch(_text(part["image_url"], where)):
            _refuse(f"Invalid '{where}.image_url'")
        if kind != "input_image" and not _text(part["text"], where):
            _refuse(f"{where}: empty text")


def _check_reasoning(item: Json, where: str, encrypted: str) -> None:
    if item["encrypted_content"] != encrypted or not _text(item["id"], where).startswith("rs_"):
        _refuse(f"The encrypted content for item {item['id']} could not be verified.")
    for each in _list(item["summary"], where):
        part = _object(each, where)
        _keys(part, where, {"type", "text"}, set())


def _check_call(item: Json, where: str, called: Sequence[str]) -> str:
    call_id = _text(item["call_id"], where)
    if not 1 <= len(call_id) <= 64 or call_id in called:
        _refuse(f"Invalid '{where}.call_id'")
    if not _NAME.fullmatch(_text(item["name"], where)):
        _refuse(f"Invalid '{where}.name'")
    try:
        arguments: object = json.loads(_text(item["arguments"], where))
    except ValueError:
        _refuse(f"{where}.arguments: is no JSON")
    _object(arguments, where)
    return call_id


def _check_output(item: Json, where: str, called: Sequence[str], answered: set[str]) -> None:
    call_id = _text(item["call_id"], where)
    _text(item["output"], where)
    if call_id not in called or call_id in answered:
        _refuse(f"No tool call found for function call output with call_id {call_id}.")
    answered.add(call_id)


def _refuse(message: str) -> NoReturn:
    raise Refused(message)


def _keys(value: Json, where: str, required: set[str], optional: set[str]) -> None:
    missing = sorted(required - set(value))
    if missing:
        _refuse(f"Missing required parameter: '{where}.{missing[0]}'.")
    extra = sorted(set(value) - required - optional)
    if extra:
        _refuse(f"Unknown parameter: '{where}.{extra[0]}'.")


def _object(value: object, where: str) -> Json:
    if not isinstance(value, dict):
        _refuse(f"Invalid type for '{where}': expected an object")
    return cast("Json", value)


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        _refuse(f"Invalid type for '{where}': expected an array")
    return cast("Sequence[object]", value)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        _refuse(f"Invalid type for '{where}': expected a string")
    return value

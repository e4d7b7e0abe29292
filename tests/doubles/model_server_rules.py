"""Refuse requests as the vendors document it.

Owns what makes a request body wrong for the Messages API and for Chat Completions. Stricter
than the vendors where they forgive: unknown keys, an order of roles that they would merge.
Each check raises ``Refused`` with the sentence for the vendor's error envelope.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

Json = Mapping[str, object]

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MOST_CACHE_MARKS = 4

MEDIA_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

_ANTHROPIC_KEYS = frozenset(
    {"model", "max_tokens", "messages", "system", "tools", "stream", "thinking", "stop_sequences"}
)
_OPENAI_KEYS = frozenset(
    {
        "model",
        "messages",
        "tools",
        "stream",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "parallel_tool_calls",
        "reasoning_effort",
    }
)
_BLOCK_KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "text": (frozenset({"type", "text"}), frozenset({"cache_control"})),
    "tool_use": (frozenset({"type", "id", "name", "input"}), frozenset({"cache_control"})),
    "tool_result": (
        frozenset({"type", "tool_use_id", "content"}),
        frozenset({"is_error", "cache_control"}),
    ),
    "image": (frozenset({"type", "source"}), frozenset({"cache_control"})),
    "thinking": (frozenset({"type", "thinking", "signature"}), frozenset()),
    "redacted_thinking": (frozenset({"type", "data"}), frozenset()),
}
_USER_BLOCKS = frozenset({"text", "tool_result", "image"})
_ASSISTANT_BLOCKS = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})


class Refused(Exception):
    """The request is not valid."""


def refuse(message: str) -> NoReturn:
    """Refuse the request.

    Raises:
        Refused: Always.
    """
    raise Refused(message)


def check_anthropic(body: object) -> None:
    """Check a body of ``POST /v1/messages``."""
    request = _object(body, "body")
    _keys(request, "body", {"model", "max_tokens", "messages", "stream"}, _ANTHROPIC_KEYS)
    _text(request["model"], "model")
    if request["stream"] is not True:
        refuse("stream: this server only streams")
    if not _is_count(request["max_tokens"]):
        refuse("max_tokens: Input should be greater than or equal to 1")
    marks = _check_system(request.get("system")) + _check_anthropic_tools(request.get("tools"))
    marks += _check_anthropic_messages(_list(request["messages"], "messages"))
    if marks > MOST_CACHE_MARKS:
        refuse(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")
    if "thinking" in request:
        thinking = _object(request["thinking"], "thinking")
        _keys(thinking, "thinking", {"type"}, {"type", "display"})
        if thinking["type"] != "adaptive":
            refuse("thinking.type: this server knows adaptive only")


def check_anthropic_count(body: object) -> None:
    """Check a body of ``POST /v1/messages/count_tokens``."""
    request = _object(body, "body")
    unknown = {"max_tokens", "stream"} & set(request)
    if unknown:
        refuse(f"{min(unknown)}: Extra inputs are not permitted")
    check_anthropic({**request, "max_tokens": 1, "stream": True})


def check_openai(body: object) -> None:
    """Check a body of ``POST /v1/chat/completions``."""
    request = _object(body, "body")
    _keys(request, "body", {"model", "messages", "stream"}, _OPENAI_KEYS)
    _text(request["model"], "model")
    if request["stream"] is not True:
        refuse("stream: this server only streams")
    for field in ("max_tokens", "max_completion_tokens"):
        if field in request and not _is_count(request[field]):
            refuse(f"Invalid '{field}': integer below minimum value.")
    if "stream_options" in request:
        options = _object(request["stream_options"], "stream_options")
        _keys(options, "stream_options", set(), {"include_usage"})
    _check_openai_tools(request.get("tools"))
    _check_openai_messages(_list(request["messages"], "messages"))


def _check_system(system: object) -> int:
    if system is None:
        return 0
    blocks = _list(system, "system")
    return sum(_check_block(each, f"system.{at}", {"text"}) for at, each in enumerate(blocks))


def _check_anthropic_tools(tools: object) -> int:
    if tools is None:
        return 0
    marks = 0
    names: list[str] = []
    for at, each in enumerate(_filled_list(tools, "tools")):
        where = f"tools.{at}"
        tool = _object(each, where)
        _keys(tool, where, {"name", "input_schema"}, {"description", "cache_control"})
        names.append(_tool_name(tool["name"], f"{where}.name"))
        _check_schema(tool["input_schema"], f"{where}.input_schema")
        marks += _check_mark(tool, where)
    if len(set(names)) != len(names):
        refuse("tools: Tool names must be unique.")
    return marks


def _check_anthropic_messages(messages: Sequence[object]) -> int:
    if not messages:
        refuse("messages: at least one message is required")
    marks = 0
    open_ids: list[str] = []
    seen_ids: set[str] = set()
    for at, each in enumerate(messages):
        where = f"messages.{at}"
        message = _object(each, where)
        _keys(message, where, {"role", "content"}, set())
        expected = "assistant" if at % 2 else "user"
        if message["role"] != expected:
            refuse(f"{where}: roles must alternate; expected {expected}")
        blocks = _filled_list(message["content"], f"{where}.content")
        allowed = _ASSISTANT_BLOCKS if at % 2 else _USER_BLOCKS
        marks += sum(
            _check_block(block, f"{where}.content.{number}", allowed)
            for number, block in enumerate(blocks)
        )
        _check_results(blocks, open_ids, where)
        open_ids = [str(block["id"]) for block in _blocks_of(blocks, "tool_use")]
        if len(set(open_ids)) != len(open_ids) or seen_ids.intersection(open_ids):
            refuse(f"{where}: `tool_use` ids must be unique")
        seen_ids.update(open_ids)
    if len(messages) % 2 == 0:
        refuse("This model does not support assistant message prefill.")
    return marks


def _check_results(blocks: Sequence[object], open_ids: Sequence[str], where: str) -> None:
    answered = [str(block["tool_use_id"]) for block in _blocks_of(blocks, "tool_result")]
    missing = [each for each in open_ids if each not in answered]
    if missing:
        refuse(
            f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            + ", ".join(missing)
        )
    unexpected = [each for each in answered if each not in open_ids]
    if unexpected:
        refuse(
            f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: "
            + ", ".join(unexpected)
        )
    if len(set(answered)) != len(answered):
        refuse(f"{where}: each tool_use must have a single result.")
    kinds = [_object(block, where)["type"] for block in blocks]
    if answered and kinds[: len(answered)] != ["tool_result"] * len(answered):
        refuse(f"{where}: `tool_result` blocks must come first")


def _check_block(value: object, where: str, allowed: frozenset[str] | set[str]) -> int:
    block = _object(value, where)
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in allowed:
        refuse(f"{where}: Input tag {kind!r} found using 'type' does not match any expected")
    required, optional = _BLOCK_KEYS[kind]
    _keys(block, where, required, optional)
    match kind:
        case "text":
            if not _text(block["text"], f"{where}.text").strip():
                refuse(f"{where}: text content blocks must contain non-whitespace text")
        case "image":
            _check_source(_object(block["source"], f"{where}.source"), f"{where}.source")
        case "tool_use":
            _id(block["id"], f"{where}.id")
            _tool_name(block["name"], f"{where}.name")
            _object(block["input"], f"{where}.input")
        case "tool_result":
            _check_result(block, where)
        case _:
            for key in sorted(required - {"type"}):
                _text(block[key], f"{where}.{key}")
    return _check_mark(block, where)


def _check_result(block: Json, where: str) -> None:
    _id(block["tool_use_id"], f"{where}.tool_use_id")
    content = _text(block["content"], f"{where}.content")
    if block.get("is_error") and not content:
        refuse(f"{where}: content cannot be empty if `is_error` is true")
    if not isinstance(block.get("is_error", False), bool):
        refuse(f"{where}.is_error: Input should be a valid boolean")


def _check_source(source: Json, where: str) -> None:
    _keys(source, where, {"type", "media_type", "data"}, set())
    if source["type"] != "base64":
        refuse(f"{where}.type: this server knows base64 only")
    _image(source["media_type"], source["data"], where)


def _check_mark(holder: Json, where: str) -> int:
    if "cache_control" not in holder:
        return 0
    if holder["cache_control"] != {"type": "ephemeral"}:
        refuse(f"{where}.cache_control: Input should be an ephemeral mark")
    return 1


def _check_openai_tools(tools: object) -> None:
    if tools is None:
        return
    for at, each in enumerate(_filled_list(tools, "tools")):
        where = f"tools[{at}]"
        tool = _object(each, where)
        _keys(tool, where, {"type", "function"}, set())
        if tool["type"] != "function":
            refuse(f"Invalid value for {where}.type")
        function = _object(tool["function"], f"{where}.function")
        _keys(function, f"{where}.function", {"name", "parameters"}, {"description"})
        _tool_name(function["name"], f"{where}.function.name")
        _check_schema(function["parameters"], f"{where}.function.parameters")


def _check_openai_messages(messages: Sequence[object]) -> None:
    if not messages:
        refuse("Invalid 'messages': empty array.")
    open_ids: list[str] = []
    before = ""
    for at, each in enumerate(messages):
        where = f"messages.[{at}]"
        message = _object(each, where)
        role = message.get("role")
        if role == "tool":
            _keys(message, where, {"role", "content", "tool_call_id"}, set())
            call_id = _text(message["tool_call_id"], f"{where}.tool_call_id")
            if call_id not in open_ids:
                refuse(
                    f"{where}: messages with role 'tool' must be a response to a preceding message"
                    " with 'tool_calls'."
                )
            open_ids.remove(call_id)
            _text(message["content"], f"{where}.content")
            before = "tool"
            continue
        if open_ids:
            refuse(
                "An assistant message with 'tool_calls' must be followed by tool messages"
                f" responding to each 'tool_call_id': {', '.join(open_ids)}"
            )
        open_ids = _check_openai_message(message, where, before, is_first=at == 0)
        before = str(role)
    if open_ids:
        refuse(f"tool calls are not answered: {', '.join(open_ids)}")
    if before == "assistant":
        refuse("The last message must not be the assistant's.")


def _check_openai_message(message: Json, where: str, before: str, *, is_first: bool) -> list[str]:
    match message.get("role"):
        case "system":
            _keys(message, where, {"role", "content"}, set())
            if not is_first:
                refuse(f"{where}: system messages stand first")
            _text(message["content"], f"{where}.content")
            return []
        case "user":
            _keys(message, where, {"role", "content"}, set())
            if before == "user":
                refuse(f"{where}: two user messages in a row")
            _check_openai_content(message["content"], f"{where}.content")
            return []
        case "assistant":
            _keys(message, where, {"role", "content"}, {"tool_calls"})
            if before not in {"user", "tool"}:
                refuse(f"{where}: an assistant message stands after user or tool")
            return _check_openai_calls(message, where)
        case role:
            refuse(f"Invalid value: {role!r}. Supported values are: system, user, ...")


def _check_openai_content(content: object, where: str) -> None:
    if isinstance(content, str):
        return
    for at, each in enumerate(_filled_list(content, where)):
        place = f"{where}[{at}]"
        part = _object(each, place)
        kind = part.get("type")
        if kind == "text":
            _keys(part, place, {"type", "text"}, set())
            _text(part["text"], f"{place}.text")
        elif kind == "image_url":
            _keys(part, place, {"type", "image_url"}, set())
            holder = _object(part["image_url"], f"{place}.image_url")
            _keys(holder, f"{place}.image_url", {"url"}, {"detail"})
            head, _, data = _text(holder["url"], f"{place}.image_url.url").partition(";base64,")
            _image(head.removeprefix("data:"), data, place)
        else:
            refuse(f"Invalid value for {place}.type: {kind!r}")


def _check_openai_calls(message: Json, where: str) -> list[str]:
    content = message["content"]
    if "tool_calls" not in message:
        if not _text(content, f"{where}.content"):
            refuse(f"{where}: content is empty")
        return []
    if content is not None:
        _text(content, f"{where}.content")
    ids: list[str] = []
    for at, each in enumerate(_filled_list(message["tool_calls"], f"{where}.tool_calls")):
        place = f"{where}.tool_calls[{at}]"
        call = _object(each, place)
        _keys(call, place, {"id", "type", "function"}, set())
        function = _object(call["function"], f"{place}.function")
        _keys(function, f"{place}.function", {"name", "arguments"}, set())
        _tool_name(function["name"], f"{place}.function.name")
        _check_arguments(function["arguments"], f"{place}.function.arguments")
        ids.append(_short_id(call["id"], f"{place}.id"))
    if len(set(ids)) != len(ids):
        refuse(f"{where}: duplicate tool call ids")
    return ids


def _check_arguments(value: object, where: str) -> None:
    try:
        arguments: object = json.loads(_text(value, where))
    except ValueError:
        refuse(f"{where}: is no JSON")
    _object(arguments, where)


def _check_schema(value: object, where: str) -> None:
    if _object(value, where).get("type") != "object":
        refuse(f"{where}.type: Input should be 'object'")


def _blocks_of(blocks: Sequence[object], kind: str) -> list[Json]:
    objects = [_object(block, "content") for block in blocks]
    return [block for block in objects if block["type"] == kind]


def _keys(
    value: Json,
    where: str,
    required: frozenset[str] | set[str],
    optional: frozenset[str] | set[str],
) -> None:
    missing = sorted(required - set(value))
    if missing:
        refuse(f"{where}.{missing[0]}: Field required")
    extra = sorted(set(value) - required - optional)
    if extra:
        refuse(f"{where}.{extra[0]}: Extra inputs are not permitted")


def _object(value: object, where: str) -> Json:
    if not isinstance(value, dict):
        refuse(f"{where}: Input should be an object")
    return cast("Json", value)


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        refuse(f"{where}: Input should be a valid list")
    return cast("Sequence[object]", value)


def _filled_list(value: object, where: str) -> Sequence[object]:
    items = _list(value, where)
    if not items:
        refuse(f"{where}: must not be empty")
    return items


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        refuse(f"{where}: Input should be a valid string")
    return value


def _image(media_type: object, data: object, where: str) -> None:
    if media_type not in MEDIA_TYPES:
        refuse(f"{where}.media_type: {media_type!r} is not supported")
    try:
        is_empty = not base64.b64decode(_text(data, f"{where}.data"), validate=True)
    except binascii.Error:
        is_empty = True
    if is_empty:
        refuse(f"{where}.data: is no image")


def _id(value: object, where: str) -> str:
    text = _text(value, where)
    if not _ID.fullmatch(text):
        refuse(f"{where}: String should match pattern '^[a-zA-Z0-9_-]+$'")
    return text


def _short_id(value: object, where: str) -> str:
    text = _text(value, where)
    if not 1 <= len(text) <= 40:
        refuse(f"Invalid '{where}': string too long. Expected maximum length 40.")
    return text


def _tool_name(value: object, where: str) -> str:
    text = _text(value, where)
    if not _TOOL_NAME.fullmatch(text):
        refuse(f"{where}: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'")
    return text


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1

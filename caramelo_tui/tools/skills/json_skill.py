"""Read a skill from JSON.

Owns the JSON shape: name, description, triggers, tools, promptTemplate. Runs and resolves
nothing. Pure. Proven by tests/unit/tools/skills/test_json_skill.py.
"""

import json
from typing import NoReturn, cast

from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.skills.field_readers import (
    Findings,
    note_unknown_keys,
    read_command,
    read_description,
    read_name,
    read_prompt,
    read_triggers,
)
from caramelo_tui.tools.skills.hidden_characters import hidden_findings, without_tags
from caramelo_tui.tools.skills.input_schema import JsonObject, closed_schema, schema_errors
from caramelo_tui.tools.skills.skill import SkillDraft, SkillToolDefinition
from caramelo_tui.tools.validation import describe_value

MOST_TOOLS = 32
"""Tools of one skill; a model chooses badly among more."""
DEEPEST_LEVEL = 64
"""Lists and objects within each other in the whole file."""
_INTEGER_DIGITS = 16
"""With the sign; such numbers are exact everywhere (RFC 8259, section 6)."""
_SKILL_KEYS = ("name", "description", "triggers", "tools", "promptTemplate")
_TOOL_KEYS = ("name", "description", "inputSchema", "command")


def read_json_skill(text: str, found: Findings) -> SkillDraft | None:
    """Return the skill that a JSON text describes.

    Args:
        text: The whole file.
        found: Takes what is wrong, and what the user should know.

    Returns:
        The skill with the tools that can be used; ``None`` when it cannot be used at all.
    """
    fields = _decoded(text, found)
    if fields is None:
        return None
    found.take(hidden_findings(fields))
    clean = cast("JsonObject", without_tags(fields))
    note_unknown_keys(clean, _SKILL_KEYS, "", found)
    name = read_name(clean.get("name"), "name", found)
    description = read_description(clean.get("description"), "description", found)
    triggers = read_triggers(clean.get("triggers", []), found)
    tools = _tools(clean.get("tools", []), fields.get("tools", []), found)
    prompt = read_prompt(clean.get("promptTemplate", ""), "promptTemplate", found)
    if name is None or description is None:
        return None
    return SkillDraft(
        name=name, description=description, triggers=triggers, prompt=prompt, tools=tools
    )


def _decoded(text: str, found: Findings) -> JsonObject | None:
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=_unique_pairs,
            parse_constant=_refuse_constant,
            parse_int=_bounded_integer,
        )
        # Half of a surrogate pair, or 1e400, is JSON to Python and to nobody else.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        found.problem(f"is nested more than {DEEPEST_LEVEL} levels deep")
        return None
    except ValueError as error:
        found.problem(f"is no usable JSON: {error}")
        return None
    if _is_too_deep(value):
        found.problem(f"is nested more than {DEEPEST_LEVEL} levels deep")
        return None
    if not isinstance(value, dict):
        found.problem(f"expected a JSON object, got {describe_value(value)}")
        return None
    return value


def _is_too_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST_LEVEL + 1):
        inner = [part for part in level if isinstance(part, list | dict)]
        level = [
            item for part in inner for item in (part if isinstance(part, list) else part.values())
        ]
        if not inner:
            return False
    return True


def _unique_pairs(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result: JsonObject = {}
    seen: set[str] = set()
    for key, value in pairs:
        # Two keys that differ in what is taken out are one key in the end.
        bare = str(without_tags(key))
        if bare in seen:
            msg = f"the key {json.dumps(key)} stands more than once in one object"
            raise ValueError(msg)
        seen.add(bare)
        result[key] = value
    return result


def _bounded_integer(digits: str) -> int:
    # Vendors refuse a whole request for one number that they cannot hold.
    if len(digits) <= _INTEGER_DIGITS:
        return int(digits)
    msg = f"{digits[:_INTEGER_DIGITS]}… is a number of {len(digits)} digits"
    raise ValueError(msg)


def _refuse_constant(name: str) -> NoReturn:
    msg = f"{name} is not a JSON value"
    raise ValueError(msg)


def _tools(clean: JsonValue, raw: JsonValue, found: Findings) -> tuple[SkillToolDefinition, ...]:
    if not isinstance(clean, list) or not isinstance(raw, list):
        found.problem(f"tools: expected a list, got {describe_value(clean)}")
        return ()
    if len(clean) > MOST_TOOLS:
        found.problem(f"tools: only the first {MOST_TOOLS} of {len(clean)} are offered")
    pairs = list(zip(clean, raw, strict=True))[:MOST_TOOLS]
    tools = (
        _tool(fields, as_written, f"tools[{index}]", found)
        for index, (fields, as_written) in enumerate(pairs)
    )
    return tuple(tool for tool in tools if tool is not None)


def _tool(
    fields: JsonValue, raw: JsonValue, where: str, found: Findings
) -> SkillToolDefinition | None:
    """Return one tool; ``None`` when it cannot be offered."""
    if not isinstance(fields, dict) or not isinstance(raw, dict):
        found.problem(f"{where}: expected an object, got {describe_value(fields)}")
        return None
    name = read_name(fields.get("name"), f"{where}.name", found)
    if name is None:
        return None
    where = f"tool {name}: "
    note_unknown_keys(fields, _TOOL_KEYS, where, found)
    description = read_description(fields.get("description"), f"{where}description", found)
    schema = fields.get("inputSchema")
    errors = schema_errors(schema)
    for error in errors:
        found.problem(where + error)
    if "command" not in raw:
        found.problem(f"tool {name} has no command, so it is not offered")
        return None
    # As it is written: nothing may be taken out of what is run.
    command = read_command(raw["command"], f"{where}command", found)
    if description is None or command is None or errors or not isinstance(schema, dict):
        return None
    spec = ToolSpec(name=name, description=description, input_schema=closed_schema(schema))
    return SkillToolDefinition(spec=spec, command=command)

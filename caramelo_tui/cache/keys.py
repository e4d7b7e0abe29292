"""Say which calls are the same question.

Owns the key of a cached answer; pure. Two calls have one key only if a run of each would give
the same text on the same disk. Proven by tests/unit/cache/test_keys.py.
"""

import json
from collections.abc import Mapping

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.workspace.path_forms import names_a_folder, plain_spelling

_PATH_ARGUMENT = "path"


def default_arguments(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the values that a tool's JSON Schema gives to arguments that are left out."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {
        name: rule["default"]
        for name, rule in properties.items()
        if isinstance(rule, dict) and "default" in rule
    }


def cache_key(
    tool: str,
    arguments: Mapping[str, JsonValue],
    path: str,
    *,
    defaults: Mapping[str, JsonValue] | None = None,
) -> str:
    """Return the key of a call.

    ``./a`` and ``a`` are one key. A file and a link to it are two, since the text names the
    path as it was asked for; so are ``a`` and ``a/``, since the second can be an error.

    Args:
        tool: Name of the tool.
        arguments: The validated arguments.
        path: Where the ``path`` argument (or its default) leads, workspace-relative.
        defaults: Values of the arguments that are left out.

    Returns:
        A text that is equal for equal questions only.
    """
    asked = arguments.get(_PATH_ARGUMENT)
    spelling = path
    if isinstance(asked, str) and path != ".":
        spelling = plain_spelling(asked) or path
        if asked.startswith("/"):
            spelling = f"/{spelling}"
        if names_a_folder(asked):
            spelling += "/"
    given = {**(defaults or {}), **arguments}
    others = {name: value for name, value in given.items() if name != _PATH_ARGUMENT}
    return json.dumps([tool, path, spelling, others], sort_keys=True)

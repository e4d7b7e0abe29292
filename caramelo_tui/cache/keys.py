"""Say which calls are the same question.

Owns the key of a cached answer; pure. Two calls have one key only if a run of each would give
the same text on the same disk. Proven by tests/unit/cache/test_keys.py.
"""

import json
from collections.abc import Mapping

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.workspace.path_forms import names_a_folder, plain_spelling

_PATH_ARGUMENT = "path"


def cache_key(tool: str, arguments: Mapping[str, JsonValue], path: str) -> str:
    """Return the key of a call.

    ``./a`` and ``a`` are one key. A file and a link to it are two, since the text names the
    path as it was asked for; so are ``a`` and ``a/``, since the second can be an error.

    Args:
        tool: Name of the tool.
        arguments: The validated arguments.
        path: Where the ``path`` argument (or its default) leads, workspace-relative.

    Returns:
        A text that is equal for equal questions only.
    """
    asked = arguments.get(_PATH_ARGUMENT)
    spelling = path
    if isinstance(asked, str) and path != ".":
        spelling = plain_spelling(asked) or path
        if names_a_folder(asked):
            spelling += "/"
    others = {name: value for name, value in arguments.items() if name != _PATH_ARGUMENT}
    return json.dumps([tool, path, spelling, others], sort_keys=True)

"""Propose a string replacement (profile ``core``).

Owns the schema of ``edit_file`` and that equal strings are refused; matching is the
workspace's work. Proven by tests/unit/tools/files/test_edit_file.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.diffs import SearchReplace
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.proposed_write import ProposedWrite
from caramelo_tui.tools.files.write_words import CORE_WORDS
from caramelo_tui.tools.validation import text_argument

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File to edit, absolute or relative to the workspace root.",
        },
        "old_string": {
            "type": "string",
            "description": "Exact string to find; must occur exactly once in the file.",
        },
        "new_string": {
            "type": "string",
            "description": "Literal replacement; must differ from old_string.",
        },
    },
    "required": ["path", "old_string", "new_string"],
    "additionalProperties": False,
}


def edit_file() -> ProposedWrite:
    """Return the tool ``edit_file``."""
    spec = ToolSpec(name="edit_file", description=description_of("edit_file"), input_schema=_SCHEMA)
    return ProposedWrite(spec, edit_of, allows_absolute=True, words=CORE_WORDS)


def edit_of(arguments: Mapping[str, JsonValue]) -> SearchReplace:
    """Return the edit that validated arguments ask for.

    Raises:
        ToolFailure: If ``old_string`` is empty or the same as ``new_string``.
    """
    old = text_argument(arguments, "old_string")
    new = text_argument(arguments, "new_string")
    if not old:
        msg = (
            "`old_string` is empty: give the text to replace. "
            f"For a new file use {CORE_WORDS.create_tool}."
        )
        raise ToolFailure(msg)
    if old == new:
        msg = "`old_string` and `new_string` are the same: nothing was changed. They must differ."
        raise ToolFailure(msg)
    return SearchReplace(search=old, replace=new)

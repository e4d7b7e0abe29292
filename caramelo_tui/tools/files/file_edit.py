"""Propose a SEARCH/REPLACE edit (profile ``caramelo``).

Owns the schema of ``file_edit``; matching is the workspace's work. Proven by
tests/unit/tools/files/test_file_edit.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.diffs import SearchReplace
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.proposed_write import ProposedWrite
from caramelo_tui.tools.validation import text_argument

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "Existing file, relative to the workspace root.",
        },
        "search": {
            "type": "string",
            "description": "Exact text; must occur exactly once in the file.",
        },
        "replace": {"type": "string", "description": "Literal text that takes its place."},
    },
    "required": ["path", "search", "replace"],
    "additionalProperties": False,
}


def file_edit() -> ProposedWrite:
    """Return the tool ``file_edit``."""
    spec = ToolSpec(name="file_edit", description=description_of("file_edit"), input_schema=_SCHEMA)
    return ProposedWrite(spec, edit_of)


def edit_of(arguments: Mapping[str, JsonValue]) -> SearchReplace:
    """Return the edit that validated arguments ask for.

    Raises:
        ToolFailure: If the search text is empty.
    """
    search = text_argument(arguments, "search")
    if not search:
        msg = "`search` is empty: give the text to replace. For a new file use file_write."
        raise ToolFailure(msg)
    return SearchReplace(search=search, replace=text_argument(arguments, "replace"))

"""Propose a whole file (profile ``caramelo``).

Owns the schema of ``file_write``. Proven by tests/unit/tools/files/test_file_write.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.diffs import WholeContent
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.proposed_write import ProposedWrite
from caramelo_tui.tools.validation import flag_argument, text_argument

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File, relative to the workspace root; missing folders are made.",
        },
        "content": {"type": "string", "description": "The whole file."},
        "overwrite": {
            "type": "boolean",
            "default": False,
            "description": "Whether an existing file may be replaced.",
        },
    },
    "required": ["path", "content"],
    "additionalProperties": False,
}


def file_write() -> ProposedWrite:
    """Return the tool ``file_write``."""
    spec = ToolSpec(
        name="file_write", description=description_of("file_write"), input_schema=_SCHEMA
    )
    return ProposedWrite(spec, edit_of)


def edit_of(arguments: Mapping[str, JsonValue]) -> WholeContent:
    """Return the edit that validated arguments ask for."""
    return WholeContent(
        content=text_argument(arguments, "content"),
        can_overwrite=flag_argument(arguments, "overwrite"),
    )

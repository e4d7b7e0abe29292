"""Propose a whole file (profile ``core``).

Owns the schema of ``write_file``: it makes a file or replaces one, without a flag for it.
Proven by tests/unit/tools/files/test_write_file.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.diffs import WholeContent
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
            "description": "File to write, absolute or relative to the workspace root.",
        },
        "content": {"type": "string", "description": "Full file content."},
    },
    "required": ["path", "content"],
    "additionalProperties": False,
}


def write_file() -> ProposedWrite:
    """Return the tool ``write_file``."""
    spec = ToolSpec(
        name="write_file", description=description_of("write_file"), input_schema=_SCHEMA
    )
    return ProposedWrite(spec, edit_of, allows_absolute=True, words=CORE_WORDS)


def edit_of(arguments: Mapping[str, JsonValue]) -> WholeContent:
    """Return the edit that validated arguments ask for; an existing file is replaced."""
    return WholeContent(content=text_argument(arguments, "content"), can_overwrite=True)

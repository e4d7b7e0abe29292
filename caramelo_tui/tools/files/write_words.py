"""Name what the texts about writes call their tools and count.

Owns the few words in which the two profiles' writing tools differ; all else about a write is
shared. Proven by tests/unit/tools/files/test_write_results.py.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteWords:
    """The words of one profile."""

    create_tool: str
    """Makes new files; named when a file that is to be edited does not exist."""
    read_tool: str
    """Shows a file; named when a result is too long."""
    counts_characters: bool
    """Whether the size of a written file is told in characters instead of bytes."""


CARAMELO_WORDS = WriteWords(
    create_tool="file_write", read_tool="file_read", counts_characters=False
)
"""Of ``file_edit`` and ``file_write``."""
CORE_WORDS = WriteWords(create_tool="write_file", read_tool="read_file", counts_characters=True)
"""Of ``edit_file`` and ``write_file``."""

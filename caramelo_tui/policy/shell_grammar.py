"""Parse shell text with a real grammar, within a time limit.

Owns the grammar: loaded on first use and kept. Its recovery from errors can take seconds for
some texts of a few kilobytes, so that a clock ends it; short texts are always read to the end,
and so the answer for what people write does not depend on the machine. Proven by
tests/unit/policy/test_shell_grammar.py.
"""

import time
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point

TIME_LIMIT_S = 0.06
"""For all texts of one command line together."""
ALWAYS_READ_BYTES = 1_000
"""A text up to this length is read whatever the clock says; the worst takes some 20 ms."""
MAX_SIGNS = 400
"""A text with more signs outside quotes is not read at once: a part of the recovery cannot be
interrupted, and takes time by the square of their number."""


class ShellGrammar:
    """The grammar with the time that is left for one command line."""

    def __init__(self, limit_s: float = TIME_LIMIT_S) -> None:
        self._left_s = limit_s

    def parse(self, source: bytes, *, signs: int) -> "Node | None":
        """Return the root of the tree; ``None`` when it is too much for the time left.

        Args:
            source: UTF-8.
            signs: Characters outside quotes that are neither letters, digits nor blanks.
        """
        parser = _parser()
        if len(source) <= ALWAYS_READ_BYTES:
            return parser.parse(source).root_node
        if self._left_s <= 0 or signs > MAX_SIGNS:
            return None
        started = time.perf_counter()
        deadline = started + self._left_s

        def read(offset: int, _point: "Point") -> bytes:
            return source[offset:]

        def is_late(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001 - the library's
            return time.perf_counter() > deadline

        try:
            return parser.parse(read, progress_callback=is_late).root_node
        except ValueError:  # How the library says that the callback ended it.
            parser.reset()
            return None
        finally:
            self._left_s -= time.perf_counter() - started


@cache
def _parser() -> "Parser":
    # Loaded on first use: the first screen must not wait for a grammar.
    import tree_sitter  # noqa: PLC0415 - paid for by whoever needs it only
    import tree_sitter_bash  # noqa: PLC0415 - paid for by whoever needs it only

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))

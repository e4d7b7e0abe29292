"""Turn a write call into a proposal.

Owns what every writing tool shares: resolve the path, work the edit out against this turn's
overlay, prepare the call. The pipeline writes what the user accepted; a writing tool itself
never does. Proven by tests/unit/tools/files/test_proposed_write.py.
"""

import asyncio
from collections.abc import Callable, Mapping

from caramelo_tui.domain.diffs import FileEdit
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.files.write_words import CARAMELO_WORDS, WriteWords
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.validation import text_argument

EditOfArguments = Callable[[Mapping[str, JsonValue]], FileEdit]
"""Reads the edit out of validated arguments; may raise ``ToolFailure``."""


class ProposedWrite:
    """A tool that proposes one edit of one file."""

    effect = Effect.WRITE

    def __init__(
        self,
        spec: ToolSpec,
        edit_of: EditOfArguments,
        *,
        allows_absolute: bool = False,
        words: WriteWords = CARAMELO_WORDS,
    ) -> None:
        """Make the tool of one profile.

        Args:
            spec: As the model sees it; its schema has a text ``path``.
            edit_of: Reads the edit out of the arguments.
            allows_absolute: Whether the profile accepts absolute paths inside the root.
            words: How the profile speaks of writes.
        """
        self._spec = spec
        self._edit_of = edit_of
        self._allows_absolute = allows_absolute
        self._words = words

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    @property
    def words(self) -> WriteWords:
        """How the results of this tool are worded."""
        return self._words

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Work out the exact new bytes; changes nothing.

        Raises:
            ToolFailure: If the path is refused or the edit cannot be made.
        """
        edit = self._edit_of(arguments)
        resolved = context.sandbox.resolve(
            text_argument(arguments, "path"), allows_absolute=self._allows_absolute
        )

        def prepared() -> PreparedCall:
            proposal = context.overlay.make_proposal(
                call.id, resolved, edit, create_tool=self._words.create_tool
            )
            return PreparedCall(
                call=call,
                arguments=arguments,
                effect=self.effect,
                summary=make_inert(resolved.shown),
                paths=(proposal.path,),
                proposal=proposal,
            )

        # Reading, comparing and hashing a large file takes longer than the loop may stall.
        return await asyncio.to_thread(prepared)

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Refuse: only the pipeline writes, and only what was accepted.

        Raises:
            ToolFailure: Always.
        """
        del context
        msg = f"{prepared.call.name} was not written: it has to go through a review."
        raise ToolFailure(msg)

"""Run a finished read again past the cache, for the user only.

Owns which calls can be repeated. Tells the model nothing and stores nothing. Proven by
tests/unit/agent/test_repeated_reads.py.
"""

from collections import OrderedDict

from caramelo_tui.agent.call_records import CallRecord, required
from caramelo_tui.agent.call_stages import CallStages
from caramelo_tui.agent.turn_record import result_of
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.tools.base import ToolOutput

_MOST_CALLS = 1_000
"""Calls that can be repeated, the oldest forgotten first."""


class RepeatedReads:
    """The cacheable reads of one agent."""

    def __init__(self, stages: CallStages) -> None:
        self._stages = stages
        self._records: OrderedDict[CallId, CallRecord] = OrderedDict()

    def keep(self, record: CallRecord) -> None:
        """Take note of a read that ran or was answered from the cache."""
        prepared = record.prepared
        if prepared is None or not prepared.is_cacheable:
            return
        # Not the record itself: it has the answer, and a thousand answers are many megabytes.
        self._records[record.call.id] = CallRecord(
            index=record.index, call=record.call, tool=record.tool, arguments=record.arguments
        )
        if len(self._records) > _MOST_CALLS:
            self._records.popitem(last=False)

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Return what a read gives now; ``None`` for a call that is no cacheable read."""
        record = self._records.get(call_id)
        if record is None:
            return None
        tool, arguments = required(record.tool), required(record.arguments)
        context = self._stages.context(record, is_quiet=True)
        try:
            prepared = await tool.prepare(record.call, arguments, context)
            output = await tool.execute(prepared, context)
        except ToolFailure as failure:
            output = ToolOutput(text=str(failure), is_error=True)
        state = CallState.ERROR if output.is_error else CallState.OK
        return result_of(call_id, output, state)

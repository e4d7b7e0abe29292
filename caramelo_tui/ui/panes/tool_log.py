"""Show a row for each tool call.

Owns the list, its filter and the requests to open, cancel or end a call. The records come from
the router; this pane never asks the agent. Proven by tests/pilot/test_tool_log.py.
"""

from datetime import datetime
from typing import ClassVar, Self

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input
from textual.widgets._static import Static

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.call_filter import STATE_SIGN, TOOL_SIGN, with_next
from caramelo_tui.ui.call_records import CallRecord, CallRecords, RowState
from caramelo_tui.ui.decision_text import VERDICT_COLORS, rule_text
from caramelo_tui.ui.formatting import duration_text, size_text, state_sign, state_words
from caramelo_tui.ui.keymap import KeyPlace, bindings_of
from caramelo_tui.ui.messages import CallCancelAsked, CallDetailsAsked, CallRepeatAsked
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.subagent_text import subagent_text
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line, width_of

OWN_TOOL = "!"
"""Stands in the place of a tool's name for commands of the person's own."""
_TOOL_CELLS = 11
_WIDE_TOOL_CELLS = 15
"""Room for the tool's name, narrow and where states are words; longer ones are cut."""
_WORDS_FROM = 64
"""Cells from which the state is said in words besides its sign."""
_STATE_CELLS = 11
"""The longest state and a blank."""
_RULE_CELLS = 24
"""Cells from which the rule is said in the row itself; below the rows it always is."""
_RULE_PADDING = 2
"""Blank cells beside the rule below the rows."""
_SIZES_FROM = 66
"""Cells from which the size of the result is shown."""


class CallRows(RowList):
    """The calls that match the filter, oldest first."""

    def __init__(self, records: CallRecords, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._records = records
        self._words = ""
        self._shown: tuple[CallRecord, ...] = ()

    @property
    def row_count(self) -> int:
        """Calls that match."""
        return len(self._shown)

    @property
    def current(self) -> CallRecord | None:
        """The call under the cursor."""
        return self._shown[self.cursor] if self._shown else None

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Say why the list is empty."""
        if len(self._records):
            return ("No call matches the filter.",)
        return ("No tool calls yet.", "", "Each call of the agent gets a row here.")

    def filter(self, words: str) -> None:
        """Show only calls that match every word."""
        self._words = words
        self.refresh_rows()

    def refresh_rows(self) -> None:
        """Take what changed in the records; follow the end if the cursor was there."""
        was_at_end, current = self.is_at_end, self.current
        self._shown = self._records.matching(self._words)
        if was_at_end:
            self.move_to(len(self._shown) - 1)
        elif current is None or not self._keeps(current):
            self.repaint()

    def _keeps(self, current: CallRecord) -> bool:
        """Keep the cursor on its call when a sub-agent's rows came above it."""
        is_moved = self._shown[self.cursor : self.cursor + 1] != (current,)
        return is_moved and self.select(current.call_id)

    def select(self, call_id: CallId) -> bool:
        """Put the cursor on a call; ``False`` when it is not shown."""
        for index, record in enumerate(self._shown):
            if record.call_id == call_id:
                self.move_to(index)
                return True
        return False

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return time, state, tool, arguments, duration and size of a call."""
        record = self._shown[index]
        palette = self.palette
        text = palette.style("foreground", ground)
        muted = palette.style("muted", ground)
        state = palette.state(record.state, ground)
        when = datetime.fromtimestamp(record.started_at).astimezone().strftime("%H:%M:%S")
        indent = "└ " if record.agent else ""
        line: Line = [(f"{when} ", muted), (f"{indent}{state_sign(record.state)} ", state)]
        if width >= _WORDS_FROM:
            line.append((f"{state_words(record.state):<{_STATE_CELLS}}", state))
        cells = _WIDE_TOOL_CELLS if width >= _WORDS_FROM else _TOOL_CELLS
        name = cut_cells(one_line(record.tool), cells)
        line.append((f"{name:<{cells}} ", text))
        tail = _tail_text(record, shows_size=width >= _SIZES_FROM)
        room = width - width_of(line) - len(tail) - (1 if tail else 0)
        shown = cut_cells(one_line(_summary(record)), max(room, 0))
        line.append((shown, muted))
        line += self._rule(record, width - width_of(line) - len(tail) - 1, ground)
        gap = width - width_of(line) - len(tail)
        line.append((" " * max(gap, 0), muted))
        line.append((tail, muted))
        return line

    def _rule(self, record: CallRecord, room: int, ground: str) -> Line:
        """Return the decision and its rule where there is room for most of it."""
        decision = record.decision
        if decision is None or room < _RULE_CELLS:
            return []
        words = cut_cells(one_line(rule_text(decision)), room - 2)
        color = "muted" if decision.is_allow else VERDICT_COLORS[decision.verdict]
        return [(f"  {words}", self.palette.style(color, ground))]


class ToolLog(Vertical):
    """The pane: a filter that shows while it is used, and the rows."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.TOOLS)]

    def __init__(self, records: CallRecords, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._records = records
        self._rows = CallRows(records, id="call-rows")
        self._filter = FilterLine(id="call-filter")
        self._rule_line = Static(id="call-rule", markup=False)
        self._rule_line.display = False

    def compose(self) -> ComposeResult:
        """Lay out the filter over the rows, and the current row's rule below them."""
        yield self._filter
        yield self._rows
        yield self._rule_line

    def on_resize(self) -> None:
        """Cut the rule for the new width."""
        self._show_rule()

    @property
    def rows(self) -> CallRows:
        """The list, for the focus."""
        return self._rows

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Give the list the focus."""
        self._rows.focus(scroll_visible)
        return self

    def show_records(self) -> None:
        """Show what changed in the records."""
        self._rows.refresh_rows()
        self._show_rule()

    def show_call(self, call_id: CallId) -> bool:
        """Put the cursor on a call, lifting the filter when it hides it."""
        if self._rows.select(call_id):
            return True
        self._filter.close()
        return self._rows.select(call_id)

    def action_filter(self) -> None:
        """Open the filter."""
        self._filter.open()

    def action_next_state(self) -> None:
        """Show only calls of the next state that there is, at last all again."""
        present = {record.state for record in self._records}
        states = [state.value for state in RowState if state in present]
        self._filter.show_value(with_next(self._filter.value, STATE_SIGN, states))

    def action_next_tool(self) -> None:
        """Show only calls of the next tool that was used, at last all again."""
        tools = dict.fromkeys(record.tool for record in self._records)
        self._filter.show_value(with_next(self._filter.value, TOOL_SIGN, tools))

    def action_cancel_call(self) -> None:
        """Ask for the call under the cursor to be cancelled."""
        record = self._rows.current
        if record is not None and record.state in {RowState.RUNNING, RowState.BACKGROUND}:
            self.post_message(CallCancelAsked(record.call_id))

    def action_run_again(self) -> None:
        """Ask for the read under the cursor to be run again, for the person only."""
        record = self._rows.current
        if record is not None and record.can_repeat:
            self.post_message(CallRepeatAsked(record.call_id))
        else:
            self.notify("Only finished reads can be run again.", markup=False)

    @on(RowList.Moved)
    def _show_rule(self) -> None:
        """Say by which rule the call under the cursor was decided."""
        record = self._rows.current
        # No band without a row; with one it always says something, so that nothing jumps.
        self._rule_line.display = record is not None
        if record is None:
            return
        cut = cut_cells(_rule_words(record), max(self.size.width - _RULE_PADDING, 1))
        self._rule_line.update(Content(cut), layout=False)

    @on(Input.Changed)
    def _take_filter(self, event: Input.Changed) -> None:
        event.stop()
        self._rows.filter(event.value)

    @on(FilterLine.Left)
    def _leave_filter(self, event: FilterLine.Left) -> None:
        event.stop()
        self._rows.focus()

    @on(RowList.Opened)
    def _open(self, event: RowList.Opened) -> None:
        event.stop()
        record = self._rows.current
        if record is not None:
            self.post_message(CallDetailsAsked(record.call_id))


def _rule_words(record: CallRecord) -> str:
    """Return by which rule a call was decided, or why by none."""
    if record.decision is not None:
        return one_line(rule_text(record.decision))
    if record.tool == OWN_TOOL:
        return "your own command: nobody was asked"
    return "not decided yet" if record.is_live else "no rule was asked"


def _summary(record: CallRecord) -> str:
    """Return the short arguments; for a sub-agent its title and role."""
    subagent = record.subagent
    if subagent is None:
        return record.summary
    return f"{subagent.title} ({subagent.role})"


def _tail_text(record: CallRecord, *, shows_size: bool) -> str:
    """Return what stands at the right end of a row: age or duration, and size."""
    parts: list[str] = []
    if record.subagent is not None:
        parts.append(subagent_text(record.subagent, shows_tokens=shows_size))
    elif shows_size and record.size_bytes:
        parts.append(size_text(record.size_bytes))
    if record.state is RowState.CACHED:
        parts.append(f"{duration_text(round(record.cache_age_s * 1000))} old")
    elif record.result is not None and record.result.exit_code:
        parts.append(f"exit {record.result.exit_code}")
    if record.state is not RowState.CACHED and record.duration_ms:
        parts.append(duration_text(record.duration_ms))
    return "  ".join(parts)

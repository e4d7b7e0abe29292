"""Show all of one tool call: arguments, decision, output.

Owns the page of one record, which grows while the call runs. It asks for the whole output and
for cancelling by the functions it was given. Proven by tests/pilot/test_tool_log.py.
"""

import json
from collections.abc import Callable, Iterator
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.call_records import CallRecord, RowState
from caramelo_tui.ui.decision_text import VERDICT_COLORS
from caramelo_tui.ui.formatting import (
    change_text,
    duration_text,
    state_sign,
    state_variable,
    state_words,
)
from caramelo_tui.ui.hints import SEPARATOR
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.keymap import KeyPlace, bindings_of
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.output import OutputScreen
from caramelo_tui.ui.screens.text_lines import TextLine, TextLines
from caramelo_tui.ui.subagent_text import subagent_text
from caramelo_tui.ui.widgets.cells import one_line, safe_lines


class CallDetailsScreen(Dialog[None]):
    """All that is known of a call."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.DETAILS)]

    def __init__(
        self,
        record: CallRecord,
        *,
        load: Callable[[str], bytes | None],
        cancel: Callable[[CallId], None],
        repeat: Callable[[CallId], None],
    ) -> None:
        """Show a record.

        Args:
            record: Read again at each ``show_record``.
            load: Returns a kept output by its name, ``None`` when it is gone.
            cancel: Cancels a running call or ends its background processes.
            repeat: Runs a finished read again past the cache and shows what it gives.
        """
        super().__init__(title=one_line(f"{record.tool}  {record.summary}"), kind="call-details")
        self.add_class("-large")
        self._record = record
        self._load = load
        self._cancel = cancel
        self._repeat = repeat
        self._lines = TextLines(tuple(detail_lines(record)))

    @property
    def call_id(self) -> CallId:
        """The call that is shown."""
        return self._record.call_id

    def compose_parts(self) -> list[Widget]:
        """Show the page."""
        return [self._lines]

    def on_mount(self) -> None:
        """Take the keys."""
        self._lines.focus()
        self._draw_hint()

    def show_record(self) -> None:
        """Show what changed in the record."""
        self._lines.show_lines(tuple(detail_lines(self._record)))
        self._draw_hint()

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss(None)

    def action_cancel_call(self) -> None:
        """Cancel the call, or end what it left running."""
        if self._can_cancel:
            self._cancel(self.call_id)

    def action_run_again(self) -> None:
        """Run a read again, for the person only."""
        if self._record.can_repeat:
            self._repeat(self.call_id)

    def action_load_output(self) -> None:
        """Open the whole output."""
        name = None if self._record.result is None else self._record.result.artifact
        if name is None:
            self.notify("This call kept no larger output.", markup=False)
            return
        data = self._load(name)
        if data is None:
            self.notify("The whole output is gone.", severity="warning", markup=False)
            return
        host_of(self).push_screen(OutputScreen(data, title=f"{self._record.tool}: whole output"))

    @property
    def _can_cancel(self) -> bool:
        return self._record.state in {RowState.RUNNING, RowState.BACKGROUND}

    def _draw_hint(self) -> None:
        hints: list[str] = []
        if self._can_cancel:
            hints.append("x end" if self._record.background else "x cancel")
        if self._record.result is not None and self._record.result.artifact:
            hints.append("o whole output")
        if self._record.can_repeat:
            hints.append("ctrl+r run again")
        self.box.show_hint(SEPARATOR.join((*hints, "↑↓ scroll", "esc close")))


def detail_lines(record: CallRecord) -> Iterator[TextLine]:
    """Yield the page of a call from top to bottom."""
    yield _state_line(record)
    if record.agent:
        yield TextLine(text=f"asked by {one_line(record.agent)}", color="muted")
    yield from _subagent_lines(record)
    yield from _decision_lines(record)
    for process in record.background:
        words = f"still running: {process.pid}  {process.command}"
        yield TextLine(text=one_line(words), color="state-running")
    yield from _section("Arguments", _pretty(record.arguments_json))
    yield from _change_lines(record)
    if record.result is not None:
        yield from _section("Result for the model", record.result.text)
    elif record.tail:
        yield from _section("Output so far", record.tail_text)


def _subagent_lines(record: CallRecord) -> Iterator[TextLine]:
    subagent = record.subagent
    if subagent is None:
        return
    words = f"{subagent.title} · role {subagent.role} · {subagent.model}"
    yield TextLine(text=one_line(words), color="secondary")
    yield TextLine(text=subagent_text(subagent), color="muted")


def _decision_lines(record: CallRecord) -> Iterator[TextLine]:
    """Yield what the policy said, by which rule, and where the rule is written."""
    decision = record.decision
    if decision is None:
        return
    color = VERDICT_COLORS[decision.verdict]
    yield TextLine(text=one_line(f"{decision.verdict.value}: {decision.reason}"), color=color)
    code = f" · {decision.code}" if decision.code else ""
    yield TextLine(text=one_line(f"rule: {decision.rule} · {decision.origin}{code}"), color="muted")


def _state_line(record: CallRecord) -> TextLine:
    parts = [f"{state_sign(record.state)} {state_words(record.state)}"]
    if record.state is RowState.CACHED:
        parts.append(f"from the cache, {duration_text(round(record.cache_age_s * 1000))} old")
    elif record.duration_ms:
        parts.append(duration_text(record.duration_ms))
    if record.result is not None and record.result.exit_code is not None:
        parts.append(f"exit {record.result.exit_code}")
    if record.result is not None and record.result.is_truncated:
        parts.append("cut for the model")
    return TextLine(text=" · ".join(parts), color=state_variable(record.state), attributes="bold")


def _change_lines(record: CallRecord) -> Iterator[TextLine]:
    if record.changes is None or not record.changes.files:
        return
    yield from _section(
        "Changed",
        "\n".join(
            f"{change_text(file.added_lines, file.removed_lines)}  {one_line(file.path)}"
            for file in record.changes.files
        ),
    )


def _section(title: str, text: str) -> Iterator[TextLine]:
    yield TextLine(text="")
    yield TextLine(text=title, color="primary", attributes="bold")
    for line in safe_lines(text):
        yield TextLine(text=line)


def _pretty(arguments_json: str) -> str:
    """Return arguments one to a line; as they came where they are no JSON."""
    try:
        value: object = json.loads(arguments_json or "{}")
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments_json

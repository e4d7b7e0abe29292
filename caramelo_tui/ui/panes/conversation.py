"""Show what the user and the model say, and what is done.

Owns the pane's public methods and its messages; lines and keys are the view's. It never
decides anything and holds no agent. Proven by tests/pilot/test_conversation.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import Self

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.ui.keymap import DEFAULT_KEYS, label_of
from caramelo_tui.ui.own_labels import bindings_of_class, label_among
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.widgets.block_list import GO_ON, prompt_blocks
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.conversation_view import ConversationView

_JUMP = "jump('conversation')"

_MS_PER_S = 1000


class ConversationPane(Widget):
    """The conversation; everything it shows comes in through the methods below."""

    BORDER_TITLE = "2 Conversation"

    class CallOpened(Message):
        """The user wants to see a call in the tool log or its change."""

        def __init__(self, call_id: CallId) -> None:
            super().__init__()
            self.call_id = call_id

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._monotonic = monotonic
        self._is_thinking = False
        self._last_end: EndBlock | None = None
        self.keys = DEFAULT_KEYS
        """The keys in force, for what names some."""
        self.view = ConversationView(monotonic=monotonic)
        self._search = FilterLine(id="conversation-search")
        self._search.placeholder = "search"

    def compose(self) -> ComposeResult:
        """Mount the view, and the search line that shows while it is used."""
        yield self.view
        yield self._search

    def show_hints(self, hints: Sequence[str]) -> None:
        """Say these lines while the conversation is empty."""
        self.view.show_hints(hints)

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Focus the view, which takes the keys."""
        self.view.focus(scroll_visible)
        return self

    def note_key(self) -> None:
        """Say that the person types elsewhere: the stream paints more rarely for a moment."""
        self.view.note_key()

    # --- what is shown -----------------------------------------------------------------

    def show_user(self, text: str, *, is_queued: bool = False, run_id: RunId | None = None) -> None:
        """Show what the user sent, or queued; the run that it began, if it did."""
        self._finish_thinking()
        self.view.after_text(
            lambda: self._add_prompt(text, is_queued=is_queued, run_id=run_id), is_urgent=True
        )

    def begin_answer(self) -> None:
        """Begin an answer of the model; its text follows by ``append_text``."""
        self.view.after_text(self.view.open_answer)

    def append_text(self, text: str) -> None:
        """Take more answer text; it is on the screen at the next tick."""
        if text:
            self._finish_thinking()
            self.view.add_text(text)

    def append_thinking(self, text: str) -> None:
        """Take more thinking; it is folded as soon as something else comes."""
        if text:
            now = self._monotonic()
            self._is_thinking = True
            self.view.after_text(lambda: self._add_thinking(text, now))

    def end_answer(self, is_incomplete: bool) -> None:  # noqa: FBT001 - agreed with the callers
        """End the answer; an incomplete one says so below it."""
        self._finish_thinking()
        self.view.after_text(self.view.close_answer)
        if is_incomplete:
            text = "The answer broke off here; none of its calls were run."
            self.show_notice("warning", text)

    def show_call(  # noqa: PLR0913 - one row says that much; agreed with the callers
        self,
        call_id: CallId,
        tool: str,
        summary: str,
        state: str,
        *,
        duration_ms: int | None = None,
        is_cached: bool = False,
        detail: str = "",
    ) -> None:
        """Show a call as one line; for a call that is shown already, change that line.

        Args:
            call_id: Names the line for ``update_call`` and ``CallOpened``.
            tool: Name of the tool.
            summary: Short arguments.
            state: A key of ``formatting.STATE_SIGNS``.
            duration_ms: Shown at the right end, once known.
            is_cached: Says ``cached`` instead of a duration.
            detail: Short words at the right end, such as ``+12 -3`` or ``exit 1``.
        """
        block = CallBlock(
            call_id=call_id,
            tool=tool,
            summary=summary,
            state=state,
            duration_ms=duration_ms,
            is_cached=is_cached,
            detail=detail,
        )
        self._finish_thinking()
        self.view.after_text(lambda: self._put_call(block))

    update_call = show_call

    def show_notice(self, level: str, text: str) -> None:
        """Show a notice of level ``info``, ``warning`` or ``error``."""
        self._finish_thinking()
        self.view.after_text(lambda: self.view.add_block(NoticeBlock(level=level, text=text)))

    def show_run_end(self, ending: str, detail: str, *, can_retry: bool = False) -> None:
        """Draw a line below a run and say how it ended, and what a key does about it."""
        self._finish_thinking()
        end = EndBlock(ending=ending, detail=detail)
        self.view.after_text(lambda: self._add_end(end, can_retry=can_retry))

    def clear(self) -> None:
        """Forget everything that was shown."""
        self._last_end = None
        self._search.close()
        self.view.clear()

    def on_conversation_view_call_opened(self, message: ConversationView.CallOpened) -> None:
        """Hand the view's wish on under the pane's name."""
        message.stop()
        self.post_message(self.CallOpened(message.call_id))

    @on(ConversationView.SearchAsked)
    def _open_search(self, event: ConversationView.SearchAsked) -> None:
        event.stop()
        self._search.open()

    @on(ConversationView.SearchEnded)
    def _close_search(self, event: ConversationView.SearchEnded) -> None:
        event.stop()
        self._search.close()

    @on(Input.Changed, "#conversation-search")
    def _take_search(self, event: Input.Changed) -> None:
        event.stop()
        self.view.search(event.value)

    @on(FilterLine.Left)
    def _leave_search(self, event: FilterLine.Left) -> None:
        """Hide the line; what is searched for stands above the blocks."""
        event.stop()
        self._search.display = False
        self.view.focus()

    # --- run in the order of what came -------------------------------------------------

    def _add_prompt(self, text: str, *, is_queued: bool, run_id: RunId | None) -> None:
        end, self._last_end = self._last_end, None
        if end is not None:
            # There is nothing to try again any more.
            end.hint = ""
            self.view.redraw(end)
        for block in prompt_blocks(text, is_queued=is_queued, run_id=run_id):
            self.view.add_block(block)

    def _add_end(self, block: EndBlock, *, can_retry: bool) -> None:
        self.view.add_block(block)
        retry = self.view.blocks.retry_text()
        if can_retry or retry:
            self._last_end = block
            what = "goes on" if retry == GO_ON else "sends the prompt again"
            what = "asks for the answer again" if can_retry else what
            known = bindings_of_class(ConversationView)
            again = label_among(known, "conversation.retry", self.keys)
            block.hint = f"{label_of(_JUMP, self.keys)} and then {again} {what}"
            self.view.redraw(block)

    def _put_call(self, block: CallBlock) -> None:
        known = self.view.blocks.call(block.call_id)
        if known is None:
            self.view.add_block(block)
            return
        known.tool, known.summary, known.state = block.tool, block.summary, block.state
        known.duration_ms, known.is_cached = block.duration_ms, block.is_cached
        known.detail = block.detail
        self.view.redraw(known)

    def _add_thinking(self, text: str, now: float) -> None:
        block = self.view.blocks.running_thinking()
        if block is None:
            block = ThinkingBlock(started_at=now)
            self.view.add_block(block)
        block.text += text
        self.view.redraw(block)

    def _finish_thinking(self) -> None:
        """Fold thinking that was streamed, with the time at which something else came."""
        if self._is_thinking:
            self._is_thinking = False
            now = self._monotonic()
            self.view.after_text(lambda: self._fold_thinking(now))

    def _fold_thinking(self, now: float) -> None:
        block = self.view.blocks.running_thinking()
        if block is not None:
            block.duration_ms = max(0, round((now - block.started_at) * _MS_PER_S))
            self.view.redraw(block)

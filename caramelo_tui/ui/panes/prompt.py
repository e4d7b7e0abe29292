"""Write prompts.

Owns the editor, the queue shown above it, folded pastes, the walk through the history, and where
files and commands are offered. It sends nothing: it posts what the person sent or asked for.
Proven by tests/pilot/test_prompt.py and test_completion.py.
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets._static import Static

from caramelo_tui.agent.image_words import finished_word, image_paths
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.ui.file_picker import mention_of
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap, label_of
from caramelo_tui.ui.panes.draft_editor import DraftEditor, PromptWish, is_command_text
from caramelo_tui.ui.panes.prompt_editor import PromptEditor
from caramelo_tui.ui.panes.prompt_help import PromptHelp
from caramelo_tui.ui.pasted_text import PastedTexts, safe_paste
from caramelo_tui.ui.prompt_history import PromptHistory
from caramelo_tui.ui.prompt_images import ImageChips
from caramelo_tui.ui.widgets.cells import cut_cells, one_line
from caramelo_tui.ui.widgets.choice_rows import ChoiceRows

_SHOWN_QUEUE = 3
"""Queued prompts that get a line; the rest is counted."""


def prompt_hint(*, is_running: bool, is_waiting: bool, keys: KeyMap = DEFAULT_KEYS) -> str:
    """Return what the empty editor says: what Enter does now, and who waits for whom."""
    if not is_running:
        line = label_of("new_line", keys)
        return "Ask for a change. Enter sends" + (f", {line} makes a new line." if line else ".")
    stop, steer = label_of("interrupt", keys), label_of("prompt('steer')", keys)
    if is_waiting:
        return (
            f"It waits for you: {label_of('go_to_waiting', keys)}. Enter queues, {stop} stops it."
        )
    steering = f", {steer} steers" if steer else ""
    return f"The agent works. Enter queues{steering}, {stop} stops it."


_OWN_TITLE = "! your command: Enter runs it, unasked"
_NOT_TYPED = "Nothing was run or sent: type the ! of a command yourself, into an empty prompt."


class PromptPane(Vertical):
    """The prompt with its queue."""

    BINDINGS: ClassVar[list[BindingType]] = []

    class Submitted(Message):
        """The person sent a prompt; its pastes are unfolded."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class QueueTakeBackAsked(Message):
        """The person wants the queued prompts back in the editor."""

    class SendQueuedAsked(Message):
        """The person pressed Enter on an empty prompt while prompts wait."""

    class Asked(Message):
        """The person asked for something that is done elsewhere."""

        def __init__(self, wish: PromptWish, text: str = "") -> None:
            super().__init__()
            self.wish = wish
            self.text = text
            """The draft, pastes unfolded; it is the sender's no more when it steers."""

    class RowsChanged(Message):
        """The prompt needs another number of rows."""

    def __init__(self, history: PromptHistory, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._history = history
        self._pastes = PastedTexts()
        self.images = ImageChips()
        """The images behind the chips of drafts and prompts."""
        self._looked_up: set[str] = set()
        self._queue: tuple[str, ...] = ()
        self._steering: tuple[str, ...] = ()
        self._queue_lines = Static(id="queue", markup=False)
        self._queue_lines.display = False
        self._editor = DraftEditor(
            placeholder=prompt_hint(is_running=False, is_waiting=False), id="editor"
        )
        self._editor.chip_at_end = self.images.chip_at_end
        self._rows = ChoiceRows(ground="background", id="completion")
        self._rows.display = False
        self.help = PromptHelp(
            self._editor,
            changed=self._draw_help,
            files_wanted=lambda: self._ask(PromptWish.FILES),
        )
        """Offers files and commands while one is typed."""
        self._last_rows = 1
        self._is_running = False

    def compose(self) -> ComposeResult:
        """Lay out the queue and what is offered over the editor."""
        yield self._queue_lines
        yield self._rows
        yield self._editor

    @property
    def editor(self) -> PromptEditor:
        """The editor, for the focus."""
        return self._editor

    @property
    def draft(self) -> str:
        """What stands in the editor, pastes folded."""
        return self._editor.text

    @property
    def whole_draft(self) -> str:
        """What stands in the editor, pastes unfolded."""
        return self._pastes.expand(self.draft)

    @property
    def is_typed_in(self) -> bool:
        """Whether somebody typed since a text was last put here, or taken away."""
        return not self._editor.is_given

    @property
    def earlier_prompts(self) -> tuple[str, ...]:
        """What was sent or cleared, oldest first."""
        return self._history.entries

    @property
    def wanted_rows(self) -> int:
        """Rows that queue, what is offered and text need, without a frame."""
        return self._queue_rows + self.help.row_count + self._editor.text_rows

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Give the editor the focus."""
        self._editor.focus(scroll_visible)
        return self

    def show_running(
        self, *, is_running: bool, is_waiting: bool, keys: KeyMap = DEFAULT_KEYS
    ) -> None:
        """Say in the empty editor what Enter does now, and who waits for whom."""
        self._is_running = is_running
        self._editor.take_keys(keys)
        self._editor.placeholder = prompt_hint(
            is_running=is_running, is_waiting=is_waiting, keys=keys
        )
        self._draw_queue()

    def show_queue(self, prompts: Sequence[str], steering: Sequence[str] = ()) -> None:
        """Show the prompts that wait for the end of the run, or for its next turn."""
        self._queue = tuple(prompts)
        self._steering = tuple(steering)
        self._draw_queue()
        self._say_rows()

    def set_draft(self, text: str) -> None:
        """Put a text into the editor, cursor at its end."""
        self._editor.show_text(text)

    def take_draft(self) -> str:
        """Empty the editor and return its text, pastes unfolded; ``up`` brings it back."""
        text = self._pastes.expand(self.draft)
        self.clear_draft()
        return text

    def put_before_draft(self, texts: Sequence[str]) -> None:
        """Put texts before the draft, a blank line between them."""
        parts = [*texts, self.draft] if self.draft.strip() else list(texts)
        self.set_draft("\n\n".join(parts))

    def add_to_draft(self, text: str, *, is_paste: bool = False) -> None:
        """Append what was typed elsewhere, such as into a question."""
        added = self._pastes.take(text) if is_paste else text
        self._editor.show_text(self.draft + added)

    def ask(self, wish: PromptWish) -> None:
        """Ask for something as its key does."""
        self._editor.action_ask(wish.value)

    def put_images(self, images: Sequence[ImageAttachment], *, instead_of: str = "") -> None:
        """Put chips in the place of the words that name the images, or at the cursor.

        Args:
            images: What the chips stand for, in order.
            instead_of: The words; nothing is put where they are gone meanwhile. Empty: none.
        """
        chips = " ".join(map(self.images.take, images))
        at = self._editor.text.rfind(instead_of) if instead_of else -1
        if not instead_of:
            self._editor.insert(f"{chips} ")
        elif at >= 0:
            self._editor.put_between(chips, at, at + len(instead_of))

    def mention(self, path: str) -> None:
        """Insert ``@path`` at the cursor, apart from the word before it."""
        before = self._editor.text_before_cursor
        gap = "" if not before or before[-1].isspace() else " "
        self._editor.insert(f"{gap}{mention_of(one_line(path))} ")

    def clear_draft(self) -> bool:
        """Empty the editor and remember its text for ``up``; ``False`` when it was empty."""
        if not self.draft.strip():
            return False
        self._history.add(self._pastes.expand(self.draft))
        self.set_draft("")
        return True

    def on_resize(self) -> None:
        """Wrap and cut for the new width."""
        self._draw_queue()
        self._say_rows()

    @on(PromptEditor.SendAsked)
    def _send(self, event: PromptEditor.SendAsked) -> None:
        event.stop()
        text = self._pastes.expand(event.text)
        if not text.strip():
            if self._queue:
                self.post_message(self.SendQueuedAsked())
            return
        wish = PromptWish.RUN if event.is_own_command else None
        self._send_as(wish, text)

    @on(DraftEditor.Asked)
    def _take_wish(self, event: DraftEditor.Asked) -> None:
        event.stop()
        text = self._pastes.expand(event.text)
        if event.wish in {PromptWish.STEER, PromptWish.RUN}:
            if text.strip():
                self._send_as(event.wish, text)
            return
        self._ask(event.wish, text)

    def _send_as(self, wish: PromptWish | None, text: str) -> None:
        """Send a text, or ask for a wish with it; it is in the history then."""
        if wish is not PromptWish.RUN and is_command_text(text):
            # It came from elsewhere: the person has not written what would be run.
            self.set_draft(text)
            self.notify(_NOT_TYPED, severity="warning", markup=False)
            return
        self._history.add(text)
        self._pastes = PastedTexts()
        if wish is None:
            self.post_message(self.Submitted(text))
        else:
            self._ask(wish, text)

    def _ask(self, wish: PromptWish, text: str = "") -> None:
        self.post_message(self.Asked(wish, text))

    @on(PromptEditor.EarlierAsked)
    def _earlier(self, event: PromptEditor.EarlierAsked) -> None:
        event.stop()
        if self._queue and not self.draft.strip():
            self.post_message(self.QueueTakeBackAsked())
            return
        text = self._history.earlier(self.draft)
        if text is not None:
            self._editor.show_text(text, is_walk=True)

    @on(PromptEditor.LaterAsked)
    def _later(self, event: PromptEditor.LaterAsked) -> None:
        event.stop()
        text = self._history.later()
        if text is not None:
            self._editor.show_text(text, is_walk=True)

    @on(PromptEditor.Pasted)
    def _paste(self, event: PromptEditor.Pasted) -> None:
        event.stop()
        if image_paths(event.text):
            words = safe_paste(event.text).strip()
            self._editor.insert(words)
            self._ask_images(words)
            return
        self._editor.insert(self._pastes.take(event.text))

    def _ask_images(self, words: str) -> None:
        """Ask once in a draft for the images that words name."""
        if words and words not in self._looked_up:
            self._looked_up.add(words)
            self._ask(PromptWish.ATTACH, words)

    @on(PromptEditor.UnfoldAsked)
    def _unfold(self, event: PromptEditor.UnfoldAsked) -> None:
        event.stop()
        text = self._pastes.expand(self.draft)
        if text != self.draft:
            self._editor.show_text(text)

    @on(PromptEditor.Changed)
    def _note_change(self) -> None:
        # The message goes on to the screen: while somebody types, streams paint more rarely.
        if not self._editor.is_walking:
            self._history.leave()
        if not self.draft:
            self._looked_up.clear()
        is_own = self._editor.is_own_command
        if not is_own and not self._editor.is_given:
            self._ask_images(finished_word(self._editor.text_before_cursor))
        self.border_title = Content(_OWN_TITLE if is_own else "")
        self.help.look()
        self._say_rows()

    @on(PromptEditor.SelectionChanged)
    def _note_cursor(self) -> None:
        self.help.look()

    def on_descendant_blur(self) -> None:
        """Offer nothing to who has gone elsewhere."""
        self.help.close()

    @on(ChoiceRows.Clicked)
    def _take_click(self, event: ChoiceRows.Clicked) -> None:
        event.stop()
        self._editor.focus()
        self.help.choose(event.index)

    def _draw_help(self) -> None:
        offered = self.help
        self._rows.display = bool(offered.row_count)
        rows = [choice.row for choice in offered.choices]
        self._rows.show(rows, marked=offered.marked, note=offered.note)
        self.border_subtitle = Content(offered.hint)
        self._say_rows()

    @property
    def _queue_rows(self) -> int:
        count = len(self._steering) + len(self._queue)
        shown = min(count, _SHOWN_QUEUE)
        return shown + (1 if count > shown else 0)

    def _draw_queue(self) -> None:
        word = "queued" if self._is_running else "waits (enter sends)"
        waiting = [
            *(f"next turn  {one_line(text)}" for text in self._steering),
            *(f"{word}  {one_line(text)}" for text in self._queue),
        ]
        self._queue_lines.display = bool(waiting)
        width = max(self.size.width - 2, 10)
        lines = [cut_cells(text, width) for text in waiting[:_SHOWN_QUEUE]]
        if len(waiting) > _SHOWN_QUEUE:
            lines.append(f"and {len(waiting) - _SHOWN_QUEUE} more")
        self._queue_lines.update(Content("\n".join(lines)))

    def _say_rows(self) -> None:
        if self.wanted_rows != self._last_rows:
            self._last_rows = self.wanted_rows
            self.post_message(self.RowsChanged())

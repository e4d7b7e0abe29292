"""Say in one line how things stand and which keys matter now.

Owns the choice of what is said when room is scarce. Shows values it is given; every item can be
clicked, which asks for the action that its key has. Proven by tests/unit/ui/test_status_items.py
and tests/pilot/test_layout.py.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.formatting import tokens_text
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap, label_of
from caramelo_tui.ui.widgets.cells import Line, one_line, strip_of, width_of
from caramelo_tui.ui.widgets.frame_view import FrameView

if TYPE_CHECKING:
    from caramelo_tui.agent.port import AgentPort

_SEPARATOR = "  "
_PLAN_OFFER = (("carry_out_plan", "carry out the plan"), ("edit_plan", "edit it first"))
"""Actions that a finished plan offers, and their words."""


_BRANCH_CELLS = 20
"""Of a longer name of a branch, where room is scarce, only so much is said."""
_NOTE_RANK = 5
"""What stands before it is said in bold."""
_NEARLY_FULL = 70
"""Percent of the window from which on it is shown as a warning."""

STATUS_WORDS = (
    ("review each auto plan", "the approval mode"),
    ("? 2 waiting", "questions and files of a review that wait for you"),
    ("● turn 3", "the agent works, in this turn of the run"),
    ("restricted", "the folder is not trusted: nothing in it acts by itself"),
    ("ctx 23% 46k/200k", "how much of the model's window is filled; ~ is an estimate"),
    ("main*", "the branch of git; * when something is not committed"),
    ("not watching", "changes by other programs are no longer noticed at once"),
    ("$0.12", "what the session cost so far; +? where a price is unknown"),
    ("±17/500", "lines changed in this session, and the limit that refuses"),
    ("cache 2/9", "reads answered from the cache, of those that could be"),
    ("↑266 ↓98", "tokens sent and received in this session"),
)
"""Examples of what the bar says, and what they mean; for the help page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusView:
    """What the bar is made from."""

    mode: ApprovalMode = ApprovalMode.REVIEW
    workspace: str = ""
    """Name of the folder that is worked in, as it is on disk."""
    model: str = ""
    is_demo: bool = False
    is_restricted: bool = False
    endpoint_note: str = ""
    branch: str = ""
    """Where git stands, with a star when something is not committed; unsafe as it is."""
    is_watching: bool = True
    """Whether changes of files by others are noticed."""
    is_starting: bool = True
    """Whether there is no agent yet."""
    is_running: bool = False
    turn: int = 0
    """Turn within the run, from 1; 0 outside a run."""
    activity: str = ""
    """What the run waits for now, such as a retry; empty for the plain turn."""
    keys: KeyMap = DEFAULT_KEYS
    """The keys in force."""
    waiting: int = 0
    """Questions that wait for the user."""
    queued: int = 0
    """Prompts that wait for the end of the run."""
    usage: Usage | None = None
    """Of the session."""
    context_tokens: int = 0
    """Of the last request and its answer, or the estimate of the next one."""
    context_window: int | None = None
    is_context_estimated: bool = False
    """Whether ``context_tokens`` is no count of the provider."""
    cost: float = 0.0
    """US dollars of the session so far, as far as prices are known."""
    has_unknown_cost: bool = False
    """Whether the session had requests of unknown cost."""
    cache_hits: int = 0
    cache_lookups: int = 0
    """Look-ups of cacheable calls so far, hits included."""
    changed_lines: int = 0
    """Lines that the session added and removed so far."""
    ask_above: int | None = None
    """Changed lines above which a write asks; ``None``: no limit."""
    deny_above: int | None = None
    """Changed lines above which a write is refused; ``None``: no limit."""
    has_plan: bool = False
    """Whether a plan waits to be carried out or edited."""
    armed: str = ""
    """What a second press of the key does; shown before everything else."""

    @property
    def offers_plan(self) -> bool:
        """Whether the plan is offered now: not in another mode, nor while a run goes on."""
        return self.has_plan and self.mode is ApprovalMode.PLAN and not self.is_running

    def attached_to(self, agent: "AgentPort") -> "StatusView":
        """Return what the bar says once there is an agent."""
        info = agent.info
        return replace(
            self,
            is_starting=False,
            mode=agent.mode,
            workspace=info.workspace.name,
            model=info.model,
            is_demo=info.is_demo,
            is_restricted=not info.is_trusted,
            endpoint_note=info.endpoint_note,
            context_window=info.context_window,
            is_watching=info.is_watching,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusItem:
    """One thing that the bar may say."""

    text: str
    color: str = "muted"
    attributes: str = ""
    action: str = ""
    """Action of the main screen that a click asks for; empty for none."""
    rank: int = 0
    """Items of a low rank get their room first; 0 always stays."""
    is_right: bool = False
    short: str = ""
    """Said instead where room is scarce; empty: the text."""


class StatusBar(FrameView):
    """The bottom line of the main screen."""

    class Clicked(Message):
        """The person clicked an item."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.can_focus = False
        self._view = StatusView()
        self._is_due = False

    @property
    def view(self) -> StatusView:
        """What is shown."""
        return self._view

    def show(self, view: StatusView) -> None:
        """Show how things stand now; many changes in one turn of the loop are drawn once."""
        if view == self._view:
            return
        self._view = view
        if not self._is_due and self.is_attached:
            self._is_due = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._is_due = False
        self.repaint()

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the one line."""
        left, right = fitting(status_items(self._view), width - 2)
        line: Line = [(" ", self._style("muted"))]
        line += self._runs(left)
        gap = width - width_of(line) - _width(right) - 1
        line.append((" " * max(gap, 1), self._style("muted")))
        line += self._runs(right)
        strip = strip_of(line, width, self._style("muted"))
        return [strip] + [strip_of([], width, self._style("muted"))] * (height - 1)

    def on_click(self, event: events.Click) -> None:
        """Ask for the clicked item's action."""
        left, right = fitting(status_items(self._view), self.size.width - 2)
        for items, start in ((left, 1), (right, self.size.width - 1 - _width(right))):
            at = start
            for item in items:
                end = at + cell_len(item.text)
                if at <= event.x < end and item.action:
                    self.post_message(self.Clicked(item.action))
                    return
                at = end + len(_SEPARATOR)

    def _runs(self, items: list[StatusItem]) -> Line:
        line: Line = []
        for index, item in enumerate(items):
            if index:
                line.append((_SEPARATOR, self._style("muted")))
            line.append((item.text, self._style(item.color, item.attributes)))
        return line

    def _style(self, color: str, attributes: str = "") -> Style:
        return self.palette.style(color, "surface", attributes)


def status_items(view: StatusView) -> list[StatusItem]:
    """Return all that the bar would say with unlimited room, from left to right."""
    if view.armed:
        return [
            StatusItem(
                text=f" {view.armed} ",
                color="warning",
                attributes="bold reverse",
                action="app.interrupt",
            )
        ]
    return [
        *_state_items(view),
        *_model_items(view),
        *_key_items(view),
    ]


def _state_items(view: StatusView) -> list[StatusItem]:
    if view.is_starting:
        # Without an agent no mode is in force yet: the settings may name another one.
        return [StatusItem(text="starting …", color="secondary", rank=1)]
    items = [
        StatusItem(
            text=f" {view.mode.value} ",
            color="primary",
            attributes="bold reverse",
            action="cycle_mode",
        )
    ]
    if view.waiting:
        words = f"? {view.waiting} waiting  {label_of('go_to_waiting', view.keys)}"
        items.append(
            StatusItem(text=words, color="state-waiting", attributes="bold", action="go_to_waiting")
        )
    if view.is_running:
        words = view.activity or (f"turn {view.turn}" if view.turn else "working")
        items.append(
            StatusItem(
                text=f"● {one_line(words)}",
                color="state-running",
                attributes="bold",
                action="jump('conversation')",
                rank=1,
            )
        )
    if view.offers_plan:
        items += [
            StatusItem(
                text=f"{label_of(action, view.keys)} {words}".strip(),
                color="state-waiting",
                attributes="bold",
                action=action,
                rank=1,
            )
            for action, words in _PLAN_OFFER
        ]
    if view.queued:
        words = f"{view.queued} queued"
        items.append(StatusItem(text=words, color="secondary", action="prompt('queue')", rank=2))
    return items


def _model_items(view: StatusView) -> list[StatusItem]:
    items: list[StatusItem] = []
    if view.is_demo:
        items.append(
            StatusItem(text="demo", color="secondary", attributes="bold", action="models", rank=3)
        )
    elif view.model:
        model = one_line(view.model)
        items.append(StatusItem(text=model, color="foreground", action="models", rank=4))
    items += _workspace_items(view)
    items += _context_items(view)
    if view.changed_lines or view.deny_above is not None:
        items.append(_lines_item(view))
    if view.cache_lookups:
        text = f"cache {view.cache_hits}/{view.cache_lookups}"
        items.append(StatusItem(text=text, action="report('cache')", rank=6))
    if view.usage is not None:
        read = view.usage.context_tokens - view.usage.output_tokens
        text = f"↑{tokens_text(read)} ↓{tokens_text(view.usage.output_tokens)}"
        items.append(StatusItem(text=text, action="context('spending')", rank=9))
    return items


def _workspace_items(view: StatusView) -> list[StatusItem]:
    """Say where the work is done, and what is not as usual there."""
    items: list[StatusItem] = []
    if view.workspace:
        items.append(StatusItem(text=one_line(view.workspace), action="jump('files')", rank=8))
    if view.branch:
        # A long name must not take the room of everything else.
        branch = one_line(view.branch)
        short = branch if len(branch) <= _BRANCH_CELLS else f"{branch[:_BRANCH_CELLS]}…"
        items.append(
            StatusItem(text=branch, short=short, action="changes('against_head', False)", rank=7)
        )
    for text, color, action, rank in (
        ("restricted" if view.is_restricted else "", "warning", "report('config')", 1),
        ("" if view.is_watching else "not watching", "warning", "report('cache')", 2),
        (one_line(view.endpoint_note), "warning", "report('config')", 5),
    ):
        if text:
            attributes = "bold" if rank < _NOTE_RANK else ""
            items.append(
                StatusItem(text=text, color=color, attributes=attributes, action=action, rank=rank)
            )
    return items


def _lines_item(view: StatusView) -> StatusItem:
    """Say the changed lines beside the limit that refuses; warn once writes ask or fail."""
    is_high = any(
        limit is not None and view.changed_lines >= limit
        for limit in (view.ask_above, view.deny_above)
    )
    text = f"±{view.changed_lines}"
    if view.deny_above is not None:
        text += f"/{view.deny_above}"
    if is_high:
        return StatusItem(
            text=text, color="warning", attributes="bold", action="raise_limit", rank=3
        )
    rank = 5 if view.deny_above is not None else 7
    return StatusItem(text=text, action="jump('changes')", rank=rank)


def _key_items(view: StatusView) -> list[StatusItem]:
    items: list[StatusItem] = []
    if view.is_running:
        items.append(_key_item(view, "interrupt", "stop", rank=2))
    items.append(_key_item(view, "palette", "actions", rank=6))
    items.append(_key_item(view, "help", "keys", rank=0))
    return items


def _key_item(view: StatusView, action: str, words: str, *, rank: int) -> StatusItem:
    return StatusItem(
        text=f"{label_of(action, view.keys)} {words}".strip(),
        color="foreground",
        action="app.interrupt" if action == "interrupt" else action,
        rank=rank,
        is_right=True,
    )


def _context_items(view: StatusView) -> list[StatusItem]:
    """Say how full the window is, with a warning once a compaction is near, and what it cost."""
    if view.is_starting or (view.is_demo and not view.context_tokens):
        return []
    about = "~" if view.is_context_estimated else ""
    short = f"ctx {about}{tokens_text(view.context_tokens)}"
    text, color = short, "muted"
    if view.context_window:
        percent = round(view.context_tokens * 100 / view.context_window)
        short = f"ctx {about}{percent}%"
        used = f"{tokens_text(view.context_tokens)}/{tokens_text(view.context_window)}"
        text, color = f"{short} {used}", "warning" if percent >= _NEARLY_FULL else "muted"
    items = [StatusItem(text=text, short=short, color=color, rank=1, action="context('compact')")]
    if view.cost:
        more = "+?" if view.has_unknown_cost else ""
        cost = f"${view.cost:.2f}{more}"
        items.append(StatusItem(text=cost, rank=5, action="context('spending')"))
    return items


def fitting(items: list[StatusItem], width: int) -> tuple[list[StatusItem], list[StatusItem]]:
    """Return left and right items that fit into ``width`` cells, the lowest ranks first."""
    short = [replace(item, text=item.short or item.text) for item in items]
    chosen: set[int] = set()
    for index in sorted(range(len(items)), key=lambda index: items[index].rank):
        wider = [short[i] for i in sorted({*chosen, index})]
        if items[index].rank == 0 or _width(wider) <= width:
            chosen.add(index)
    kept = [short[index] for index in sorted(chosen)]
    for place, index in enumerate(sorted(chosen)):
        longer = [*kept[:place], items[index], *kept[place + 1 :]]
        if _width(longer) <= width:
            kept = longer
    return [i for i in kept if not i.is_right], [i for i in kept if i.is_right]


def _width(items: list[StatusItem]) -> int:
    gaps = len(_SEPARATOR) * max(len(items) - 1, 0)
    return sum(cell_len(item.text) for item in items) + gaps

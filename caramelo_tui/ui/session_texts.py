"""Say how the session and the person's own commands stand, in a few lines.

Owns the words for what the status bar may have no room for, and for what the model is given of a
command that it did not run. Pure. Proven by
tests/unit/ui/test_session_texts.py.
"""

from dataclasses import replace

from caramelo_tui.domain.agent_events import ModelChanged, SessionResumed
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.formatting import count_text, tokens_text
from caramelo_tui.ui.panes.status_bar import StatusView

TEXTS_GONE = "What this call gave is not in the session file any more; its row is all there is."
"""Said where the texts of an old call cannot be had again."""


def session_text(view: StatusView, session: SessionId | None = None) -> str:
    """Return mode, model, folder, branch, tokens, changed lines, cache and session, a line each."""
    lines = [
        f"mode {view.mode.value}" + (", restricted" if view.is_restricted else ""),
        f"model {visible(view.model, keeps_newlines=False)}",
        f"folder {visible(view.workspace, keeps_newlines=False)}",
    ]
    if view.branch:
        lines.append(f"branch {visible(view.branch, keeps_newlines=False)}")
    if not view.is_watching:
        lines.append("changes by other programs are no longer noticed at once")
    if view.usage is not None:
        received = view.usage.output_tokens
        sent = view.usage.context_tokens - received
        lines.append(f"tokens {tokens_text(sent)} sent, {tokens_text(received)} received")
    limit = "" if view.deny_above is None else f" of {view.deny_above}"
    lines.append(f"changed lines {view.changed_lines}{limit}")
    if view.queued:
        lines.append(f"{count_text(view.queued, 'prompt')} waiting")
    lines.append(cache_text(view))
    lines.append("this session is not kept" if session is None else f"session {session}")
    return "\n".join(lines)


def cache_text(view: StatusView) -> str:
    """Return how many reads the cache answered."""
    if not view.cache_lookups:
        return "cache not asked yet"
    return f"cache answered {view.cache_hits} of {count_text(view.cache_lookups, 'read')}"


def end_text(result: ToolResult) -> str:
    """Return how a command of the person's own ended."""
    if result.state is CallState.CANCELLED:
        return "ended by you"
    return "not run" if result.exit_code is None else f"exit {result.exit_code}"


def own_output(command: str, result: ToolResult) -> str:
    """Return what the model may be given of such a command."""
    return f"I ran this command myself:\n\n{command}\n\n{result.text}"


def model_text(event: ModelChanged) -> str:
    """Return which model answers from now on, and what it can hold."""
    window = event.context_window
    holds = "an unknown number of" if window is None else f"{window:,}"
    return f"From now on {event.model} of {event.provider} answers; it can hold {holds} tokens."


def status_with_model(view: StatusView, event: ModelChanged) -> StatusView:
    """Return what the bar shows once another model answers."""
    return replace(
        view,
        model=event.model,
        context_window=event.context_window,
        endpoint_note=event.endpoint_note,
    )


def resumed_text(event: SessionResumed) -> str:
    """Return that a stored session goes on, and what of it could not be read."""
    what = "The fork" if event.forked_from is not None else "The session"
    head = f"{what} {event.session_id} goes on after {count_text(event.runs, 'prompt')}."
    return "\n".join((head, *event.problems))

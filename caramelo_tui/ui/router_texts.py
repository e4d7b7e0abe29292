"""Word what events say of a call.

Owns the end of a call's line in the conversation, and which file a call's arguments name. Proven
by tests/unit/ui/test_event_router.py.
"""

import json
import posixpath

from caramelo_tui.ui.call_records import CallRecord
from caramelo_tui.ui.formatting import change_text, count_text
from caramelo_tui.ui.subagent_text import subagent_text


def call_detail(record: CallRecord) -> str:
    """Return what stands at the end of a call's line in the conversation."""
    if record.subagent is not None:
        return subagent_text(record.subagent)
    if record.changed_lines is not None:
        return change_text(*record.changed_lines)
    if record.result is not None and record.result.exit_code:
        return f"exit {record.result.exit_code}"
    if record.background:
        return f"{count_text(len(record.background), 'process', 'processes')} left running"
    return ""


def path_argument(arguments_json: str) -> str:
    """Return the ``path`` argument without dots; empty when there is none."""
    try:
        value: object = json.loads(arguments_json)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    items: dict[object, object] = {**value}
    path = items.get("path")
    return posixpath.normpath(path) if isinstance(path, str) and path else ""

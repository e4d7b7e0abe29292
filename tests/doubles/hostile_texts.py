"""Put hostile text into every text of outside that a value holds.

Owns the text, and where it goes: behind what a field says, so that what a test looks for is still
found. Ids and words of our own stay as they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, cast

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import AgentEvent, EventHead
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import TurnId

FORGED = "FORGED"
"""What must never begin a line of its own where a name is shown."""
SIGNS = (
    " \x1b[2J\x1b]0;t\x07\x1b]52;c;eA==\x07\x9b1m\x1bP1$q\x1b\\\x00\x08\x7f\u202e\u2066\u200b\u200d"
    "\ufeff\U000e0041\ud800\udc80e" + "\u0301" * 40 + "\u1112\u3164漢字👩\u200d👩\u200d👧🇩🇪\u0e33"
    "[red][/][@click=app.bell]x[/][link=http://x.test]y[/][type=x, v={'a[0]'}]"
)
NAME = SIGNS + f"\r\u2028\u2029\x85\x0b\x0c\n{FORGED}"
LONG = "漢e\u0301x" * 15_000
"""More than 100 KB in one line."""

_KEPT = frozenset(
    {
        *("id", "call_id", "run_id", "turn_id", "session_id", "approval_id", "request_id"),
        *("fingerprint", "artifact", "tool", "code", "provider", "agent", "role", "profile"),
        *("forked_from", "media_type", "base_hash", "head", "signature", "status", "pattern"),
        *("arguments_json", "current", "risks", "figures_of"),
    }
)
"""Fields that are ids, or words of our own; texts of a model that are such are tested in
``tests/pilot/test_hostile_model.py``."""
_ONE_LINE = frozenset(
    {
        *("path", "shown_path", "name", "label", "title", "agent_title", "model", "branch"),
        *("first_prompt", "summary", "cwd_shown", "workspace", "files", "covers"),
    }
)
"""Fields that are shown as one line; others may have lines of their own."""
_NAMED_BY_PATH = frozenset({"previews", "grants"})
"""Mappings whose keys are names too."""
_DOUBLES = "tests.doubles."


def hostile(value: object, text: str) -> Any:  # noqa: ANN401, PLR0911 - of the kind that it was given; a row for each kind
    """Return a value of the same kind with ``text`` behind each text in it.

    Doubles of the agent's ports are changed where they are.
    """
    if isinstance(value, Enum) or callable(value):
        return value
    if isinstance(value, str):
        return _behind(value, text)
    if isinstance(value, bytes):
        return value + text.encode("utf-8", "surrogatepass") + b"\xff"
    if isinstance(value, Path):
        return Path(str(value) + text.replace("\0", "").replace("/", "-"))
    if isinstance(value, tuple | list):
        return type(value)(hostile(each, text) for each in cast("list[object]", value))
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {key: hostile(each, text) for key, each in items}
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value, text)
    return value


def _behind(value: str, text: str) -> str:
    if not value:
        return value
    ends_line = value.endswith("\n")
    return value.removesuffix("\n") + text + ("\n" if ends_line else "")


def _record(value: Any, text: str) -> object:  # noqa: ANN401 - any dataclass
    if isinstance(value, Hunk):
        text = text.replace("\n", "\r")
    changed: dict[str, object] = {}
    for field in fields(value):
        if field.name in _KEPT or not field.init:
            continue
        before = getattr(value, field.name)
        own = text if field.name in _ONE_LINE else text.replace(FORGED, "more")
        after = hostile(before, own)
        if field.name in _NAMED_BY_PATH and isinstance(before, Mapping):
            after = {hostile(key, text): each for key, each in after.items()}
        changed[field.name] = after
    if not type(value).__module__.startswith(_DOUBLES):
        return replace(value, **changed)
    for name, after in changed.items():
        setattr(value, name, after)
    return value


class HostileStream(EventStream):
    """Every event that is emitted carries the text."""

    text = NAME

    def emit(
        self,
        make: Callable[[EventHead], AgentEvent],
        *,
        agent: str = "",
        is_in_run: bool = True,
        turn_id: TurnId | None = None,
    ) -> AgentEvent:
        """Emit the event with hostile texts."""

        def made(head: EventHead) -> AgentEvent:
            return cast("AgentEvent", hostile(make(head), self.text))

        return super().emit(made, agent=agent, is_in_run=is_in_run, turn_id=turn_id)

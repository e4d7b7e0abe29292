"""Session files as a program left them."""

from collections.abc import Sequence
from pathlib import Path

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    Ending,
    EventHead,
    RunEnded,
    RunStarted,
    TextStreamed,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CallId, RunId, SessionId, TurnId
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.domain.usage import Usage
from caramelo_tui.sessions.codec import encode_line
from caramelo_tui.sessions.store import SessionHeader

FIRST_SECOND = 1_700_000_000.0


class Told:
    """Events of a session, numbered as they are told."""

    def __init__(self, session_id: str = "s-1") -> None:
        self.session_id = SessionId(session_id)
        self.events: list[AgentEvent] = []
        self._run = 0
        self._turn = 0

    def head(self, *, is_in_turn: bool = True, agent: str = "") -> EventHead:
        """Return the head of the next event."""
        run_id = RunId(f"run-{self._run}") if self._run else None
        turn_id = TurnId(f"turn-{self._turn}") if is_in_turn and self._turn else None
        seq = len(self.events) + 1
        return EventHead(
            seq=seq, at=FIRST_SECOND + seq, run_id=run_id, turn_id=turn_id, agent=agent
        )

    def add(self, event: AgentEvent) -> "Told":
        """Tell an event whose head was made by ``head``."""
        self.events.append(event)
        return self

    def begin(self, prompt: str) -> "Told":
        """Tell of a prompt that was taken."""
        self._run += 1
        return self.add(
            RunStarted(
                head=self.head(is_in_turn=False),
                session_id=self.session_id,
                prompt=prompt,
                provider="scripted",
                model="model-1",
                mode=ApprovalMode.REVIEW,
                profile="caramelo",
                is_trusted=True,
            )
        )

    def turn(self) -> "Told":
        """Tell of a request."""
        self._turn += 1
        return self.add(TurnStarted(head=self.head(), number=self._turn))

    def stream(self, text: str) -> "Told":
        """Tell of a piece of an answer."""
        return self.add(TextStreamed(head=self.head(), text=text))

    def reply(self, text: str, *calls: tuple[str, str, str], is_whole: bool = True) -> "Told":
        """Tell of an answer; calls are id, tool and arguments."""
        blocks = (
            *((TextBlock(text=text),) if text else ()),
            *(ToolCall(id=CallId(c), name=tool, arguments_json=a) for c, tool, a in calls),
        )
        stop = StopReason.TOOL_USE if calls else StopReason.END_TURN
        message = AssistantMessage(
            blocks=blocks, stop_reason=stop if is_whole else None, usage=Usage(output_tokens=1)
        )
        return self.add(AssistantReplied(head=self.head(), message=message))

    def end_turn(self) -> "Told":
        """Tell that a turn ended."""
        return self.add(TurnEnded(head=self.head(), number=self._turn))

    def end(self, ending: Ending = Ending.COMPLETED) -> "Told":
        """Tell that the run ended."""
        return self.add(RunEnded(head=self.head(is_in_turn=False), ending=ending, refused_calls=0))

    def exchange(self, prompt: str, answer: str) -> "Told":
        """Tell of a whole run of one turn."""
        return self.begin(prompt).turn().stream(answer).reply(answer).end_turn().end()


def header_line(session_id: str = "s-1", *, version: int = 1) -> str:
    """Return the first line of a session file."""
    header = SessionHeader(
        session_id=SessionId(session_id),
        workspace="/home/me/project",
        started_at=FIRST_SECOND,
        format_version=version,
    )
    return header.line()


def write_session(
    folder: Path, told: Told, *, more: Sequence[str] = (), tail: str = "", version: int = 1
) -> Path:
    """Write a session file and return it; ``more`` are further lines, ``tail`` has no line end."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{told.session_id}.jsonl"
    lines = [
        header_line(told.session_id, version=version),
        *map(encode_line, told.events),
        *more,
    ]
    path.write_text("".join(f"{line}\n" for line in lines) + tail, "ascii")
    return path

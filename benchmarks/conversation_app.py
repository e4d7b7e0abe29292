"""Open the app on a conversation of a given length: ``python -m benchmarks.conversation_app 5000``.

The agent is the tests' double: it plays the messages, and does what a prompt names: ``go`` streams
at full speed for ever, ``slow`` at 2 KB a second, ``burst`` streams a megabyte as fast as it is
taken, ``ask`` asks about a command. Whoever measures sits at the terminal (``conversation.py``,
``burst.py``).
"""

import asyncio
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    EventHead,
    TextStreamed,
    ToolCallStarted,
)
from caramelo_tui.domain.approvals import CommandRequest
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    StopReason,
    TextBlock,
)
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.ui.start import run_app
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

WORDS = """\
the parser takes one more flag, and the renderer is told of it.

- a table stays what it was
- rows become objects, *one a line*

```python
def render(rows: list[str]) -> str:
    return "\\n".join(row.strip() for row in rows if row)
```

what is left are the tests of `render`, and a line in the guide.

"""
"""An answer without a capital letter: those are typed, and looked for, by the measurement."""

CHUNK, PAUSE_S = 2_000, 0.01
"""Full speed: characters of one event, and the time between two."""
SLOW_CHUNK, SLOW_PAUSE_S = 200, 0.1
"""2 KB a second."""
BURST_CHARS, BURST_CHUNK = 1_000_000, 200
"""What a burst streams, and the characters of one of its events."""
_BEAT_S = 0.001


@dataclass(kw_only=True, slots=True)
class StreamingAgent(FakeAgent):
    """Does what a prompt names."""

    report: Path | None = None
    """Where the worst lag of the event loop during a burst is written, in seconds."""
    tasks: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])

    def play(self, messages: int) -> None:
        """Emit a conversation: a third each prompts, answers, and calls."""
        for number in range(messages // 3):
            self.start_run(f"prompt {number}: change it once more, please")
            self._say(WORDS)
            self._end_answer()
            self.emit(partial(self._call, number))
            self.end_run()

    @staticmethod
    def _call(number: int, head: EventHead) -> ToolCallStarted:
        return ToolCallStarted(
            head=head,
            call_id=CallId(f"c{number}"),
            tool="grep",
            arguments_json="{}",
            summary="render",
        )

    def submit(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Begin with what is asked for."""
        FakeAgent.submit(self, text, images)
        works: dict[str, Callable[[], Coroutine[None, None, None]]] = {
            "go": partial(self._stream, CHUNK, PAUSE_S),
            "slow": partial(self._stream, SLOW_CHUNK, SLOW_PAUSE_S),
            "burst": self._burst,
            "ask": self._ask,
        }
        self.tasks.append(asyncio.create_task(works[text]()))

    async def _stream(self, chunk: int, pause_s: float) -> None:
        text = WORDS * (chunk // len(WORDS) + 2)
        at = 0
        while True:
            self._say(text[at : at + chunk])
            at = (at + chunk) % len(WORDS)
            await asyncio.sleep(pause_s)

    async def _burst(self) -> None:
        text = WORDS * (BURST_CHARS // len(WORDS) + 1)
        lags: list[float] = []
        beats = asyncio.create_task(_beat(lags))
        for at in range(0, BURST_CHARS, BURST_CHUNK):
            self._say(text[at : at + BURST_CHUNK])
            await asyncio.sleep(0)
        self._say("\n\nBURST-END\n")
        self._end_answer()
        # What is still to be drawn belongs to it.
        await asyncio.sleep(1)
        beats.cancel()
        if self.report is not None:
            await asyncio.to_thread(self.report.write_text, str(max(lags)))

    async def _ask(self) -> None:
        # Made here: what drives the app in tests would be loaded, and weigh, in what is measured.
        self.ask(
            CommandRequest(
                id=ApprovalId("a1"),
                call_id=CallId("call-a1"),
                fingerprint="print-a1",
                tool="bash",
                command=CommandLine(command="make all", cwd=".", timeout_ms=30_000),
                cwd_shown="/home/project",
                parts=(),
                reason="bash always asks.",
            )
        )

    def _say(self, text: str) -> None:
        self.emit(lambda head: TextStreamed(head=head, text=text))

    def _end_answer(self) -> None:
        message = AssistantMessage(blocks=(TextBlock(text=WORDS),), stop_reason=StopReason.END_TURN)
        self.emit(lambda head: AssistantReplied(head=head, message=message))

    async def close(self) -> None:
        """End what was begun."""
        for task in self.tasks:
            task.cancel()
        await FakeAgent.close(self)


async def _beat(lags: list[float]) -> None:
    """Note how late each beat of the event loop comes."""
    while True:
        started = time.perf_counter()
        await asyncio.sleep(_BEAT_S)
        lags.append(time.perf_counter() - started - _BEAT_S)


def main() -> int:
    """Open the app."""
    messages = int(sys.argv[1])
    report = Path(sys.argv[2]) if len(sys.argv) > 2 else None

    async def build() -> StreamingAgent:
        agent = StreamingAgent(folders={".": ()}, report=report)
        agent.play(messages)
        return agent

    return run_app(StartPlan(workspace=Path.cwd(), build_agent=build))


if __name__ == "__main__":
    sys.exit(main())

"""Open the app on a conversation of a given length: ``python -m benchmarks.conversation_app 5000``.

The agent is the tests' double: it plays the messages, and streams at full speed once a prompt is
sent. Whoever measures sits at the terminal (``conversation.py``).
"""

import asyncio
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    EventHead,
    TextStreamed,
    ToolCallStarted,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock
from caramelo_tui.ui.start import run_app
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent

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


@dataclass(kw_only=True)
class StreamingAgent(FakeAgent):
    """Streams for ever once it is asked something."""

    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def play(self, messages: int) -> None:
        """Emit a conversation: a third each prompts, answers, and calls."""
        for number in range(messages // 3):
            self.start_run(f"prompt {number}: change it once more, please")
            self.emit(lambda head: TextStreamed(head=head, text=WORDS))
            message = AssistantMessage(
                blocks=(TextBlock(text=WORDS),), stop_reason=StopReason.END_TURN
            )
            self.emit(lambda head, message=message: AssistantReplied(head=head, message=message))
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

    def submit(self, text: str) -> None:
        """Stream from now on."""
        super().submit(text)
        self.tasks.append(asyncio.create_task(self._stream()))

    async def _stream(self) -> None:
        text = WORDS * (CHUNK // len(WORDS) + 2)
        at = 0
        while True:
            part = text[at : at + CHUNK]
            at = (at + CHUNK) % len(WORDS)
            self.emit(lambda head, part=part: TextStreamed(head=head, text=part))
            await asyncio.sleep(PAUSE_S)

    async def close(self) -> None:
        """End the stream."""
        for task in self.tasks:
            task.cancel()
        await super().close()


def main() -> int:
    """Open the app."""
    messages = int(sys.argv[1])

    async def build() -> StreamingAgent:
        agent = StreamingAgent(folders={".": ()})
        agent.play(messages)
        return agent

    return run_app(StartPlan(workspace=Path.cwd(), build_agent=build))


if __name__ == "__main__":
    sys.exit(main())

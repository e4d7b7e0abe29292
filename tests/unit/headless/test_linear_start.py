"""The questions before there is an agent: answered by number, never by accident."""

import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.start_questions import (
    LinearTerminal,
    ask_linear,
    ask_trust,
)
from caramelo_tui.headless.linear.typed_lines import Typed
from tests.doubles.clocks import ManualClock

T = TypeVar("T")


@dataclass(slots=True)
class ListedLines:
    """Lines that come a second after each other; then the end."""

    clock: ManualClock
    waiting: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    hides: int = 0

    async def next(self) -> Typed | None:
        self.clock.move(1.0)
        if not self.waiting:
            return None
        return Typed(lines=self.waiting.pop(0), at=self.clock.monotonic())

    def drop_unfinished(self) -> None:
        """There is nothing unfinished."""

    @contextmanager
    def hidden(self) -> Iterator[None]:
        self.hides += 1
        yield

    @contextmanager
    def lent(self) -> Iterator[None]:
        yield


async def asked(
    ask: Callable[[LinearTerminal], Awaitable[T]], *typed: Sequence[str]
) -> tuple[T, str]:
    """Return the answer and all that was said."""
    source, sink = os.pipe()
    clock = ManualClock()
    lines = ListedLines(clock, [tuple(each) for each in typed])
    terminal = LinearTerminal(lines=lines, out=LinearOutput(sink), clock=clock)
    answer = await ask(terminal)
    os.close(sink)
    with os.fdopen(source, "rb") as stream:
        return answer, stream.read().decode()


@pytest.mark.parametrize(
    ("typed", "choice"),
    [("1", TrustChoice.RESTRICTED), ("2", TrustChoice.TRUST), ("3", None)],
)
async def test_trust_is_answered_by_number(typed: str, choice: TrustChoice | None) -> None:
    folder = Path("/home/pr\u043eject")

    async def ask(terminal: LinearTerminal) -> TrustChoice | None:
        return await ask_trust(terminal, folder, offers_trust=True)

    answer, said = await asked(ask, [""], ["y"], ["2", "2"], [typed])
    assert answer is choice
    assert "Do you trust the folder /home/pr<U+043E>ject?" in said
    assert "An empty line answers nothing." in said
    assert "2 lines came at once" in said


async def test_home_cannot_be_trusted() -> None:
    async def ask(terminal: LinearTerminal) -> TrustChoice | None:
        return await ask_trust(terminal, Path("/home/me"), offers_trust=False)

    answer, said = await asked(ask, ["2"])
    assert answer is None
    assert "2 trust" not in said
    assert (await asked(ask, ["1"]))[0] is TrustChoice.RESTRICTED
    # The end of input is no answer.
    assert (await asked(ask))[0] is None


async def test_the_linear_mode_is_offered() -> None:
    async def linear(terminal: LinearTerminal) -> bool:
        return await ask_linear(terminal, "dumb\x1b")

    answer, said = await asked(linear, ["1"])
    assert answer
    assert "This terminal (dumb<U+001B>) cannot show the full screen." in said
    assert not (await asked(linear))[0]

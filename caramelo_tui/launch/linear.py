"""Open a session that is written line by line.

Owns the order of its start: the offer on a simple terminal, trust, the provider, then the agent.
Proven by tests/e2e/test_linear.py.
"""

import asyncio
import os
import sys

from caramelo_tui.app_start import AppStart, StartFacts
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.ids import SystemClock
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.session import LinearSession
from caramelo_tui.headless.linear.start_questions import (
    LinearTerminal,
    ask_demo,
    ask_linear,
    ask_trust,
)
from caramelo_tui.headless.linear.typed_lines import TypedLines
from caramelo_tui.headless.signals import ended_in_full
from caramelo_tui.ui.plan_texts import carry_out_prompt
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan


def open_linear(facts: StartFacts, *, is_wanted: bool) -> int:
    """Work line by line until the user leaves, and return the exit code.

    Args:
        facts: What is known before the session.
        is_wanted: Whether the user asked for it; otherwise it is offered first.

    Raises:
        ConfigError: If standard input is no terminal: nobody would be there to approve.
    """
    if not sys.stdin.isatty():
        raise ConfigError("standard input", "", "is no terminal; without one use `caramelo run`")
    if facts.picks_session:
        raise ConfigError(
            "--resume", "", "give the session's ID; `caramelo sessions list` shows them"
        )
    return asyncio.run(_sit(AppStart(facts).plan(), is_wanted=is_wanted))


async def _sit(plan: StartPlan, *, is_wanted: bool) -> int:
    clock = SystemClock()
    lines = TypedLines(sys.stdin.fileno(), clock=clock)
    out = LinearOutput(sys.stdout.fileno(), encoding=sys.stdout.encoding)
    lines.start()
    try:
        terminal = LinearTerminal(lines=lines, out=out, clock=clock)
        if not is_wanted and not await ask_linear(terminal, os.environ.get("TERM", "")):
            return 0
        prepared = await _ask_at_start(terminal, plan)
        if prepared is None:
            return 0
        agent = await plan.build_agent()
        async with ended_in_full(agent.close):
            session = LinearSession(
                agent,
                lines,
                out,
                clock=clock,
                carry_out_prompt=carry_out_prompt(),
                prepared=prepared,
            )
            return await session.run(plan.first_prompt)
    finally:
        await lines.stop()


async def _ask_at_start(terminal: LinearTerminal, plan: StartPlan) -> str | None:
    """Return the prompt that is prepared, ``None`` when the user quits."""
    prepared = plan.first_draft
    if plan.needs_trust is not None:
        trust = await ask_trust(terminal, plan.needs_trust, offers_trust=plan.offers_trust)
        if trust is None:
            return None
        plan.on_trust(trust)
    if plan.needs_provider:
        if not await ask_demo(terminal, plan.key_lines):
            return None
        plan.on_provider(ProviderChoice.DEMO)
        prepared = plan.demo_draft
    return prepared

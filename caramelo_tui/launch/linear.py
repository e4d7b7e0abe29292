"""Open a session that is written line by line.

Owns the order of its start: the offer on a simple terminal, trust, the provider, then the agent.
Proven by tests/e2e/test_linear.py.
"""

import asyncio
import os
import sys
from dataclasses import replace

from caramelo_tui.app_start import AppStart, StartFacts
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.ids import SystemClock
from caramelo_tui.headless.linear.login_questions import (
    LinearWay,
    ask_model,
    ask_way,
    go_way,
)
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.session import LinearSession, Sitting
from caramelo_tui.headless.linear.start_questions import (
    LinearTerminal,
    ask_linear,
    ask_trust,
)
from caramelo_tui.headless.linear.typed_lines import TypedLines
from caramelo_tui.headless.signals import ended_in_full, until_signal
from caramelo_tui.ui.plan_texts import carry_out_prompt
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan

_ALWAYS = frozenset({LinearWay.DEMO, LinearWay.QUIT})
"""Ways for which nobody has to be logged in to."""


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
        answers: list[str | None] = []
        # A signal must not leave a terminal that hides what is typed.
        code = await until_signal(_ask_all(terminal, plan, answers))
        if code or not answers or answers[0] is None:
            return code
        return await _sit_sessions(terminal, plan, answers[0])
    finally:
        lines.stop()


async def _sit_sessions(terminal: LinearTerminal, plan: StartPlan, prepared: str) -> int:
    """Sit one session after the other, until the user leaves."""
    agent, first_prompt = await plan.build_agent(), plan.first_prompt
    sitting = Sitting(
        carry_out_prompt=carry_out_prompt,
        prepared=prepared,
        picks_session=plan.picks_session,
        open_session=plan.open_session,
        make_login=plan.make_login,
    )
    while True:
        session = LinearSession(agent, terminal, sitting)
        async with ended_in_full(agent.close):
            code = await session.run(first_prompt)
        if agent.sessions.unkept:
            terminal.out.say(agent.sessions.unkept)
            await terminal.out.flush()
        if session.successor is None:
            return code
        agent, first_prompt = session.successor.agent, ""
        sitting = replace(sitting, prepared=session.successor.prepared, picks_session=False)


async def _ask_all(terminal: LinearTerminal, plan: StartPlan, answers: list[str | None]) -> int:
    answers.append(await _ask_at_start(terminal, plan))
    return 0


async def _ask_at_start(terminal: LinearTerminal, plan: StartPlan) -> str | None:
    """Return the prompt that is prepared, ``None`` when the user quits."""
    prepared = plan.first_draft
    if plan.needs_trust is not None:
        trust = await ask_trust(terminal, plan.needs_trust, offers_trust=plan.offers_trust)
        if trust is None:
            return None
        plan.on_trust(trust)
    if plan.needs_provider:
        return await _ask_provider(terminal, plan, prepared)
    if plan.model_missing_at and plan.make_login is not None:
        chosen = await ask_model(terminal, plan.make_login(), plan.model_missing_at)
        if chosen is None:
            return None
        plan.on_login(chosen)
    return prepared


async def _ask_provider(terminal: LinearTerminal, plan: StartPlan, prepared: str) -> str | None:
    """Ask until there is a model; a login that does not come about is asked for again."""
    login = plan.make_login() if plan.make_login is not None else None
    servers = await login.find_servers() if login is not None else ()
    ways = [way for way in LinearWay if way in _ALWAYS or login is not None]
    if not servers:
        ways = [way for way in ways if way is not LinearWay.SERVER]
    while True:
        way = await ask_way(terminal, plan.key_lines, note=plan.provider_note, ways=ways)
        if way is LinearWay.DEMO:
            plan.on_provider(ProviderChoice.DEMO)
            return plan.demo_draft
        if way is LinearWay.QUIT or login is None:
            return None
        chosen = await go_way(terminal, login, way, servers)
        if chosen is not None:
            plan.on_login(chosen)
            return prepared

"""Ask what must be asked before there is an agent.

Owns the order of the start questions and hands their answers to the plan. Imported only when
there is something to ask. Proven by tests/pilot/test_start.py.
"""

from functools import partial
from typing import assert_never

from textual.app import App

from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.login_flow import LoginFlow
from caramelo_tui.ui.screens.first_start import FirstStartScreen, FirstStartWords
from caramelo_tui.ui.screens.trust import TrustScreen
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan


async def ask_start_questions(app: App[None], plan: StartPlan, clock: Clock) -> str | None:
    """Ask about trust, then about the provider; only inside a worker.

    Returns:
        What stands in the prompt after these answers; ``None`` when the person quits instead:
        nothing more is asked or told then.
    """
    draft = plan.first_draft
    if plan.needs_trust is not None:
        trust = await app.push_screen_wait(
            TrustScreen(plan.needs_trust, offers_trust=plan.offers_trust, clock=clock)
        )
        if trust is None:
            return None
        plan.on_trust(TrustChoice(trust))
    if plan.model_missing_at and plan.make_login is not None:
        flow = LoginFlow(app, plan.make_login(), copy=partial(copy_text, app))
        chosen = await flow.model(plan.model_missing_at)
        if chosen is None:
            return None
        plan.on_login(chosen)
    if not plan.needs_provider:
        return draft
    return await _ask_provider(app, plan, clock, draft)


async def _ask_provider(app: App[None], plan: StartPlan, clock: Clock, draft: str) -> str | None:
    """Ask until there is a model to work with; who backs out of a login is asked again."""
    login = plan.make_login() if plan.make_login is not None else None
    servers = await login.find_servers() if login is not None else ()
    words = FirstStartWords(
        key_lines=plan.key_lines,
        note=plan.provider_note,
        offers_login=login is not None,
        servers=tuple(server.title for server in servers),
    )
    while True:
        answer = await app.push_screen_wait(FirstStartScreen(words, clock=clock))
        if answer is None:
            return None
        choice = ProviderChoice(answer)
        if choice is ProviderChoice.DEMO or login is None:
            plan.on_provider(choice)
            return plan.demo_draft
        flow = LoginFlow(app, login, copy=partial(copy_text, app))
        match choice:
            case ProviderChoice.COPILOT:
                chosen = await flow.copilot()
            case ProviderChoice.KEY:
                chosen = await flow.key(plan.wanted_provider)
            case ProviderChoice.SERVER:
                chosen = await flow.server(servers)
            case _:
                assert_never(choice)
        if chosen is not None:
            plan.on_login(chosen)
            return draft

"""Ask what must be asked before there is an agent.

Owns the order of the start questions and hands their answers to the plan. Imported only when
there is something to ask. Proven by tests/pilot/test_start.py.
"""

from textual.app import App

from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.ui.screens.first_start import FirstStartScreen
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
    if plan.needs_provider:
        provider = await app.push_screen_wait(FirstStartScreen(plan.key_lines, clock=clock))
        if provider is None:
            return None
        choice = ProviderChoice(provider)
        plan.on_provider(choice)
        if choice is ProviderChoice.DEMO:
            draft = plan.demo_draft
    return draft

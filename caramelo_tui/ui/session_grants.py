"""Offer to take back what was allowed or blocked for the session.

Owns the list and the words around it; the rules are the agent's. Proven by
tests/pilot/test_session_grants.py.
"""

from textual.app import App

from caramelo_tui.agent.rules_port import RulesPort
from caramelo_tui.ui.screens.pick import PickRow, PickScreen

_INTRO = (
    "Enter takes a rule back, for what is decided from now on. Rules of the session end with it; "
    "those of your configuration are not listed."
)


def offer_take_back(app: App[None], rules: RulesPort) -> None:
    """Let the person take a rule of the session back; the agent says what came of it."""
    named = {
        f"{'block' if rule.is_block else 'grant'}  {rule.pattern}": rule for rule in rules.made
    }
    if not named:
        app.notify("Nothing was allowed or blocked for this session.", markup=False)
        return

    def take(name: str | None) -> None:
        if name is not None and not rules.take_back(named[name]):
            app.notify("That rule is not in force any more.", severity="warning", markup=False)

    rows = [PickRow(name=name, words=rule.meaning) for name, rule in named.items()]
    app.push_screen(PickScreen(rows, title="Session grants", intro=_INTRO), take)

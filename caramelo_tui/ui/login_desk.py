"""Log in within a session: ``/login``.

Owns the way from the wish to the model that answers from the next turn on, and what is said of
it. Keys go past it. Proven by tests/pilot/test_login_desk.py.
"""

from collections.abc import Callable
from functools import partial

from textual.app import App

from caramelo_tui.agent.login_port import LoginPort
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.login_flow import LoginFlow


def open_login(
    app: App[None], agent: AgentPort | None, make_login: Callable[[], LoginPort] | None
) -> None:
    """Offer the ways to log in; one at a time.

    Args:
        app: Where it is shown.
        agent: Who goes on with what was chosen; ``None``: there is none yet.
        make_login: Gives what logs in; ``None``: nothing can be changed here.
    """
    if agent is None or make_login is None or agent.info.is_demo:
        app.notify("There is nobody to log in to in this session.", markup=False)
        return
    app.run_worker(_log_in(app, agent, make_login()), name="login", group="login", exclusive=True)


async def _log_in(app: App[None], agent: AgentPort, login: LoginPort) -> None:
    servers = await login.find_servers()
    chosen = await LoginFlow(app, login, copy=partial(copy_text, app)).pick_way(servers)
    if chosen is None:
        return
    model = chosen.model or ""
    is_same = chosen.provider == agent.models.answering.provider
    problem = await agent.models.choose(
        chosen.provider, agent.models.answering.model if is_same and not model else model
    )
    if problem:
        app.notify(visible(problem), severity="warning", markup=False)
        return
    now = agent.models.answering
    shown = visible(f"{chosen.provider} · {model or now.model}", keeps_newlines=False)
    app.notify(f"{shown} answers from the next turn on.", markup=False)

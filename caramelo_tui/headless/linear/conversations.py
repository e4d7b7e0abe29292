"""Talk with the user about more than one line: a login, and a text in their editor.

Owns what becomes of a login and of an edited prompt or plan in a session. What is typed meanwhile
belongs to the conversation. Proven by tests/unit/headless/test_linear_session.py and
tests/unit/headless/test_linear_editor.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.login_port import LoginPort
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.login_questions import ask_login
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.prompts import Prompts
from caramelo_tui.headless.linear.start_questions import LinearTerminal


async def log_in_here(
    terminal: LinearTerminal, agent: AgentPort, make_login: Callable[[], LoginPort] | None
) -> None:
    """Log in, or take a key, for the rest of the session.

    Args:
        terminal: Where it is asked.
        agent: Goes on with the model that was chosen.
        make_login: Gives what logs in; ``None``: nothing can be changed here.
    """
    out = terminal.out
    if make_login is None or agent.info.is_demo:
        out.say("There is nobody to log in to in this session.")
        return
    if agent.is_running:
        out.say("A run is under way: wait for its end, or /stop it first.")
        return
    login = make_login()
    chosen = await ask_login(terminal, login, await login.find_servers())
    if chosen is None:
        out.say("Nothing was changed.")
        return
    now = agent.models.answering
    stays = chosen.provider == now.provider and not chosen.model
    model = now.model if stays else chosen.model or ""
    problem = await agent.models.choose(chosen.provider, model)
    name = f"{model or agent.models.answering.model} of {chosen.provider}"
    out.say(one_line(problem or f"{name} answers from the next turn on."))


async def edit_prompt(editor: LinearEditor, prompts: Prompts, out: LinearOutput) -> None:
    """Have a prompt written in the editor, or the plan edited; sent when that is asked for."""
    if plan := prompts.plan:
        edited = await editor.edit(plan, suffix=".md")
        if edited is None or not edited.strip():
            out.say("The plan is as it was. /carry-out carries it out.")
            return
        prompts.edit_plan(edited)
        out.say("The plan is edited. /carry-out carries it out.")
        return
    text = await editor.edit(prompts.prepared, suffix=".md")
    if text is None or not text.strip():
        out.say("No prompt was written.")
        return
    prompts.prepare(text)
    out.say(f"A prompt of {counted(text.count(chr(10)) + 1, 'line')} is prepared. /send sends it.")

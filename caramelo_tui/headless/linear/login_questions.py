"""Ask in lines what is done without a model, and log in to GitHub Copilot.

Owns the words and numbers of these questions; an empty line answers none of them. Keys are not
asked for here: a terminal shows the lines that are typed. Proven by
tests/unit/headless/test_linear_login.py.
"""

from collections.abc import Sequence
from enum import StrEnum

from caramelo_tui.agent.login_port import COPILOT, ChosenModel, LoginPort, OfferedModel
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.start_questions import LinearTerminal, ask_choice


class LinearWay(StrEnum):
    """What is done without a model."""

    DEMO = "start the demo"
    COPILOT = "log in to GitHub Copilot"
    QUIT = "quit and set a key"


async def ask_way(
    terminal: LinearTerminal, key_lines: Sequence[str], *, note: str, offers_login: bool
) -> LinearWay:
    """Ask what is done without a model; the end of input quits.

    Args:
        terminal: Where it is asked.
        key_lines: Shell lines that set a key.
        note: Why it is asked although a provider is set; empty: none is.
        offers_login: Whether somebody can be logged in to.
    """
    text = (
        "No model is set up yet.",
        *((one_line(note),) if note else ()),
        "The demo plays a real task on a sample project, with a scripted model.",
        "No key and no network are needed for it.",
        "To work with a model by a key, quit, set it in your shell and start again:",
        *key_lines,
    )
    ways = [way for way in LinearWay if offers_login or way is not LinearWay.COPILOT]
    number = await ask_choice(terminal, text, [way.value for way in ways])
    return LinearWay.QUIT if number is None else ways[number]


async def log_in(terminal: LinearTerminal, login: LoginPort) -> ChosenModel | None:
    """Log in to GitHub Copilot; ``None``: it did not come about, and why was said.

    ctrl+c gives it up with the program.
    """
    out = terminal.out
    try:
        code = await login.begin_copilot()
        out.say(f"Open {one_line(code.address, is_exact=True)} in a browser, on any device.")
        out.say(f"Type this code there: {one_line(code.user_code)}")
        out.say("Waiting for GitHub. The login holds for this session.")
        await out.flush()
        await login.finish_copilot()
        models = await login.models_of(COPILOT)
    except ProviderError as error:
        out.say(one_line(str(error)))
        await out.flush()
        return None
    out.say("You are logged in.")
    if login.has_default_model(COPILOT):
        return ChosenModel(provider=COPILOT)
    return await _ask_model(terminal, models)


async def _ask_model(
    terminal: LinearTerminal, models: Sequence[OfferedModel]
) -> ChosenModel | None:
    if not models:
        terminal.out.say("Copilot lists no model for this account.")
        await terminal.out.flush()
        return None
    words = [f"{one_line(model.id)} ({one_line(model.words)})" for model in models]
    number = await ask_choice(terminal, ("Which model?",), words)
    return None if number is None else ChosenModel(provider=COPILOT, model=models[number].id)

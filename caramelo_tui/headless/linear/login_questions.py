"""Ask in lines what is done without a model, and log in.

Owns the words and numbers of these questions; an empty line answers none of them. A key that is
typed is not shown and stands in no line that is written. Proven by
tests/unit/headless/test_linear_login.py.
"""

from collections.abc import Sequence
from enum import StrEnum

from caramelo_tui.agent.login_port import (
    COPILOT,
    ChosenModel,
    FoundServer,
    LoginPort,
    OfferedModel,
)
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.start_questions import LinearTerminal, ask_choice

MOST_NUMBERED = 40
"""Models up to which each has a number; of more the name is typed."""
_BACK = "go back"


class LinearWay(StrEnum):
    """What is done without a model."""

    DEMO = "start the demo"
    COPILOT = "log in to GitHub Copilot"
    KEY = "type a key"
    SERVER = "use a server on this machine"
    QUIT = "quit and set a key"


async def ask_way(
    terminal: LinearTerminal, key_lines: Sequence[str], *, note: str, ways: Sequence[LinearWay]
) -> LinearWay:
    """Ask what is done without a model; the end of input quits.

    Args:
        terminal: Where it is asked.
        key_lines: Shell lines that set a key.
        note: Why it is asked although a provider is set; empty: none is.
        ways: What is offered.
    """
    text = (
        "No model is set up yet.",
        *((one_line(note),) if note else ()),
        "The demo plays a real task on a sample project, with a scripted model.",
        "No key and no network are needed for it.",
        "A key that is typed holds for this session; to have it always, set it in your shell:",
        *key_lines,
    )
    number = await ask_choice(terminal, text, [way.value for way in ways])
    return LinearWay.QUIT if number is None else ways[number]


async def ask_login(
    terminal: LinearTerminal, login: LoginPort, servers: Sequence[FoundServer]
) -> ChosenModel | None:
    """Ask for a way to a model within a session; ``None``: given up."""
    ways = [LinearWay.COPILOT, LinearWay.KEY, *([LinearWay.SERVER] if servers else [])]
    text = ("Log in. Keys of the environment always come first.",)
    number = await ask_choice(terminal, text, [*(way.value for way in ways), _BACK])
    if number is None or number == len(ways):
        return None
    return await go_way(terminal, login, ways[number], servers)


async def go_way(
    terminal: LinearTerminal, login: LoginPort, way: LinearWay, servers: Sequence[FoundServer]
) -> ChosenModel | None:
    """Log in the way that was chosen; ``None``: it did not come about, and why was said."""
    match way:
        case LinearWay.KEY:
            return await take_key(terminal, login)
        case LinearWay.SERVER:
            return await _ask_server(terminal, servers)
        case _:
            return await log_in(terminal, login)


async def take_key(terminal: LinearTerminal, login: LoginPort) -> ChosenModel | None:
    """Take a key for a provider; ``None``: given up, or why not was said."""
    # A key behind one that is set would never be used.
    targets = [target for target in login.key_targets if not target.is_set]
    names = [one_line(target.title) for target in targets]
    number = await ask_choice(terminal, ("Whose key?",), [*names, _BACK])
    if number is None or number == len(targets):
        return None
    target = targets[number]
    key = await _type_hidden(
        terminal,
        f"Type or paste the key of {names[number]} and press Enter; it is not shown. It is kept "
        "in memory, handed to no program and written to no file. An empty line goes back.",
    )
    if not key:
        return None
    is_kept = await _ask_kept(terminal, login)
    if problem := await login.take_key(target.provider, key, is_kept=is_kept):
        await _say(terminal, problem)
        return None
    return await _with_model(terminal, login, target.provider)


async def _ask_kept(terminal: LinearTerminal, login: LoginPort) -> bool:
    keyring = await login.find_keyring()
    if not keyring.is_usable:
        return False
    text = (f"The keyring {one_line(keyring.words)} can keep it.",)
    return await ask_choice(terminal, text, ("for this session only", "keep it")) == 1


async def _type_hidden(terminal: LinearTerminal, text: str) -> str:
    """Return a line that the terminal does not show; empty: none, or several at once."""
    with terminal.lines.hidden():
        await _say(terminal, text)
        terminal.lines.drop_unfinished()
        typed = await terminal.lines.next()
    if typed is None:
        return ""
    line, *more = typed.lines
    if more:
        await _say(terminal, "Several lines came at once; a key is one.")
        return ""
    return line.strip()


async def _ask_server(
    terminal: LinearTerminal, servers: Sequence[FoundServer]
) -> ChosenModel | None:
    rows = [(server, model) for server in servers for model in (server.models or ("",))]
    names = [
        f"{one_line(server.title)} at {one_line(server.address)}: {one_line(model) or 'its model'}"
        for server, model in rows
    ]
    number = await ask_choice(terminal, ("Which model?",), [*names, _BACK])
    if number is None or number == len(rows):
        return None
    server, model = rows[number]
    model = model or await _type_model(terminal)
    if not model:
        return None
    return ChosenModel(provider=server.provider, model=model, base_url=server.address)


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
    except ProviderError as error:
        await _say(terminal, str(error))
        return None
    out.say("You are logged in.")
    return await _with_model(terminal, login, COPILOT)


async def _with_model(
    terminal: LinearTerminal, login: LoginPort, provider: str
) -> ChosenModel | None:
    """Ask for a model where none is known that is used when none is chosen."""
    if login.has_default_model(provider):
        return ChosenModel(provider=provider)
    return await ask_model(terminal, login, provider)


async def ask_model(
    terminal: LinearTerminal, login: LoginPort, provider: str
) -> ChosenModel | None:
    """Ask for a model of a provider; ``None``: given up."""
    models: tuple[OfferedModel, ...] = ()
    note = f"{provider} lists no model for you."
    try:
        models = await login.models_of(provider)
    except ProviderError as error:
        note = str(error)
    if not models or len(models) > MOST_NUMBERED:
        await _say(terminal, f"{len(models):,} models are offered." if models else note)
        model = await _type_model(terminal)
        return ChosenModel(provider=provider, model=model) if model else None
    words = [f"{one_line(model.id)} ({one_line(model.words)})" for model in models]
    number = await ask_choice(terminal, ("Which model?",), words)
    return None if number is None else ChosenModel(provider=provider, model=models[number].id)


async def _type_model(terminal: LinearTerminal) -> str:
    await _say(terminal, "Type the name of the model as it is written there; an empty line: none.")
    terminal.lines.drop_unfinished()
    typed = await terminal.lines.next()
    if typed is None:
        return ""
    line, *more = typed.lines
    return "" if more else line.strip()


async def _say(terminal: LinearTerminal, text: str) -> None:
    terminal.out.say(one_line(text))
    await terminal.out.flush()

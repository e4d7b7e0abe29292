"""The ways to a model, asked in lines, and GitHub's login."""

import pytest

from caramelo_tui.agent.login_port import ChosenModel, OfferedModel
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.headless.linear.login_questions import LinearWay, ask_way, log_in
from caramelo_tui.headless.linear.start_questions import LinearTerminal
from tests.doubles.logins import FakeLogin
from tests.unit.headless.test_linear_start import asked

MODELS = (
    OfferedModel(id="gpt-test", words="GPT test · included"),
    OfferedModel(id="claude-\x1b[1m", words="Claude"),
)


@pytest.mark.parametrize(
    ("typed", "offers_login", "way"),
    [
        ("1", True, LinearWay.DEMO),
        ("2", True, LinearWay.COPILOT),
        ("3", True, LinearWay.QUIT),
        ("2", False, LinearWay.QUIT),
    ],
)
async def test_ways_are_chosen_by_number(
    typed: str,
    offers_login: bool,  # noqa: FBT001 - a column of the table
    way: LinearWay,
) -> None:
    async def ask(terminal: LinearTerminal) -> LinearWay:
        lines = ["export KEY=…"]
        return await ask_way(terminal, lines, note="no\x07 key", offers_login=offers_login)

    chosen, said = await asked(ask, [typed])
    assert chosen is way
    assert "export KEY=…" in said
    assert "no<U+0007> key" in said


async def test_the_end_of_input_quits() -> None:
    async def ask(terminal: LinearTerminal) -> LinearWay:
        return await ask_way(terminal, (), note="", offers_login=True)

    assert (await asked(ask))[0] is LinearWay.QUIT


async def test_a_login_says_the_code_and_asks_for_a_model() -> None:
    login = FakeLogin(models=MODELS)
    login.typed.set()

    async def ask(terminal: LinearTerminal) -> ChosenModel | None:
        return await log_in(terminal, login)

    chosen, said = await asked(ask, ["1"])
    assert chosen == ChosenModel(provider="copilot", model="gpt-test")
    assert "Open https://github.com/login/device in a browser" in said
    assert "Type this code there: WDJB-MJHT" in said
    assert "1 gpt-test (GPT test · included)" in said
    assert "\x1b" not in said
    assert (await asked(ask))[0] is None


async def test_no_model_is_asked_for_where_one_is_known() -> None:
    login = FakeLogin(known=frozenset({"copilot"}))
    login.typed.set()

    async def ask(terminal: LinearTerminal) -> ChosenModel | None:
        return await log_in(terminal, login)

    assert (await asked(ask))[0] == ChosenModel(provider="copilot")


async def test_an_account_without_models_is_told() -> None:
    login = FakeLogin()
    login.typed.set()

    async def ask(terminal: LinearTerminal) -> ChosenModel | None:
        return await log_in(terminal, login)

    chosen, said = await asked(ask)
    assert chosen is None
    assert "lists no model" in said


async def test_a_login_that_ends_says_why() -> None:
    login = FakeLogin(refusals=[ProviderError("The code ran out.\x1b")])

    async def ask(terminal: LinearTerminal) -> ChosenModel | None:
        return await log_in(terminal, login)

    chosen, said = await asked(ask)
    assert chosen is None
    assert "The code ran out.<U+001B>" in said

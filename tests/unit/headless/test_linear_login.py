"""The ways to a model, asked in lines, and GitHub's login."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from caramelo_tui.agent.login_port import ChosenModel, FoundServer, OfferedModel
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.headless.linear.login_questions import (
    MOST_NUMBERED,
    LinearWay,
    ask_login,
    ask_way,
    log_in,
)
from caramelo_tui.headless.linear.start_questions import LinearTerminal
from tests.doubles.logins import KEYRING, TARGETS, FakeLogin
from tests.unit.headless.test_linear_start import asked

MODELS = (
    OfferedModel(id="gpt-test", words="GPT test · included"),
    OfferedModel(id="claude-\x1b[1m", words="Claude"),
)


ALL = tuple(LinearWay)


@pytest.mark.parametrize(
    ("typed", "ways", "way"),
    [
        ("1", ALL, LinearWay.DEMO),
        ("2", ALL, LinearWay.COPILOT),
        ("3", ALL, LinearWay.KEY),
        ("4", ALL, LinearWay.SERVER),
        ("5", ALL, LinearWay.QUIT),
        ("2", (LinearWay.DEMO, LinearWay.QUIT), LinearWay.QUIT),
    ],
)
async def test_ways_are_chosen_by_number(
    typed: str, ways: tuple[LinearWay, ...], way: LinearWay
) -> None:
    async def ask(terminal: LinearTerminal) -> LinearWay:
        return await ask_way(terminal, ["export KEY=…"], note="no\x07 key", ways=ways)

    chosen, said = await asked(ask, [typed])
    assert chosen is way
    assert "export KEY=…" in said
    assert "no<U+0007> key" in said


async def test_the_end_of_input_quits() -> None:
    async def ask(terminal: LinearTerminal) -> LinearWay:
        return await ask_way(terminal, (), note="", ways=ALL)

    assert (await asked(ask))[0] is LinearWay.QUIT


def ways_of(login: FakeLogin) -> Callable[[LinearTerminal], Awaitable[ChosenModel | None]]:
    async def ask(terminal: LinearTerminal) -> ChosenModel | None:
        return await ask_login(terminal, login, await login.find_servers())

    return ask


async def test_a_key_is_typed_unseen_and_kept_only_when_that_is_chosen() -> None:
    login = FakeLogin(keyring=KEYRING)
    chosen, said = await asked(ways_of(login), ["2"], ["1"], [" sk-secret "], ["2"])
    assert chosen == ChosenModel(provider="anthropic")
    assert login.taken == [("anthropic", "sk-secret", True)]
    assert "sk-secret" not in said
    assert "The keyring SecretService.Keyring can keep it." in said
    await asked(ways_of(login), ["2"], ["2"], ["sk-other"], ["1"])
    assert login.taken[-1] == ("openai", "sk-other", False)


async def test_without_a_keyring_a_key_holds_for_the_session_and_a_model_is_named() -> None:
    login = FakeLogin()
    chosen, said = await asked(ways_of(login), ["2"], ["3"], ["gsk"], [" llama "])
    assert chosen == ChosenModel(provider="groq", model="llama")
    assert login.taken == [("groq", "gsk", False)]
    assert "keyring" not in said


@pytest.mark.parametrize(
    "typed",
    [
        [["3"]],
        [["2"], ["4"]],
        [["2"], ["1"], [""]],
        [["2"], ["1"], ["sk", "and more"]],
        [["2"], ["1"]],
        [["2"]],
        [],
    ],
)
async def test_a_login_that_is_given_up_takes_no_key(typed: list[list[str]]) -> None:
    login = FakeLogin()
    assert (await asked(ways_of(login), *typed))[0] is None
    assert login.taken == []


async def test_a_key_that_is_not_taken_says_why() -> None:
    login = FakeLogin(problem="It has a blank\x1b in it.")
    chosen, said = await asked(ways_of(login), ["2"], ["1"], ["s k"])
    assert chosen is None
    assert "It has a blank<U+001B> in it." in said


async def test_a_key_behind_one_that_is_set_is_not_offered() -> None:
    login = FakeLogin(key_targets=(replace(TARGETS[0], is_set=True), TARGETS[1]))
    _, said = await asked(ways_of(login), ["2"], ["2"])
    assert "1 OpenAI. 2 go back." in said


async def test_a_server_that_was_found_is_offered_with_its_models() -> None:
    server = FoundServer(
        provider="ollama", title="Ollama", address="http://127.0.0.1:11434", models=("a", "b")
    )
    bare = replace(server, provider="vllm", title="vLLM", models=())
    login = FakeLogin(servers=(server, bare))
    chosen, said = await asked(ways_of(login), ["3"], ["2"])
    assert chosen == ChosenModel(provider="ollama", model="b", base_url=server.address)
    assert "3 vLLM at http://127.0.0.1:11434: its model." in said
    assert (await asked(ways_of(login), ["3"], ["4"]))[0] is None
    assert (await asked(ways_of(login), ["3"], ["3"], [""]))[0] is None


async def test_of_very_many_models_the_name_is_typed() -> None:
    models = tuple(OfferedModel(id=f"m-{n}", words="") for n in range(MOST_NUMBERED + 1))
    login = FakeLogin(models=models)
    login.typed.set()
    chosen, said = await asked(ways_of(login), ["1"], ["m-7"])
    assert chosen == ChosenModel(provider="copilot", model="m-7")
    assert "41 models are offered." in said


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

"""Models and reports in a session in lines."""

import asyncio
from collections.abc import Callable

from caramelo_tui.agent.models_port import ModelRow, RoleRow, ServedModels
from caramelo_tui.domain.prices import Prices
from caramelo_tui.headless.linear.models import MOST_READ
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeModels, FakeReports
from tests.unit.headless.linear_worlds import LinearWorld, linear_world

SMALL = ModelRow(
    provider="openai", model="small", context_window=1000, prices=Prices(input=0.5, output=2.0)
)


async def heard(world: LinearWorld, holds: Callable[[str], bool], said: str = "") -> str:
    """Return what is said until a condition holds."""
    async with asyncio.timeout(5):
        while not holds(said):
            await asyncio.sleep(0)
            said += world.news()
    return said


async def test_the_models_that_can_be_used_are_read_out() -> None:
    rows = (
        ModelRow(provider="anthropic", model="claude-test", is_current=True),
        SMALL,
        ModelRow(provider="openai", model="odd\x1b[2J"),
        ModelRow(provider="groq", model="no-key", missing="GROQ_API_KEY: is not set"),
    )
    with linear_world(FakeAgent(models=FakeModels(rows=rows))) as world:
        said = await world.type("/model")

    assert "claude-test of anthropic answers." in said
    assert "openai/small: context 1,000 tokens, 0.5 dollars in, 2 out per million tokens" in said
    assert "openai/odd<U+001B>[2J: context unknown tokens, prices unknown" in said
    assert "no-key" not in said


async def test_a_long_list_is_cut_and_that_is_said() -> None:
    rows = tuple(ModelRow(provider="p", model=f"m{n}") for n in range(MOST_READ + 3))
    with linear_world(FakeAgent(models=FakeModels(rows=rows))) as world:
        assert "3 more are not read out." in await world.type("/model")


async def test_a_model_is_chosen_by_its_name() -> None:
    agent = FakeAgent(models=FakeModels(rows=(SMALL,)))
    with linear_world(agent) as world:
        await world.type("/model openai/small")
        await world.type("/model mine")
        await world.type("/model a/b")
        await heard(world, lambda _: len(agent.models.chosen) == 3)

    assert agent.models.chosen == [("openai", "small"), ("", "mine"), ("", "a/b")]


async def test_a_refusal_is_said() -> None:
    agent = FakeAgent(models=FakeModels(problem="OPENAI_API_KEY: is not set"))
    with linear_world(agent) as world:
        said = await world.type("/model mine")
        await heard(world, lambda text: "OPENAI_API_KEY: is not set" in text, said)


async def test_during_a_run_it_is_said_when_the_model_answers() -> None:
    agent = FakeAgent()
    with linear_world(agent) as world:
        agent.is_running = True
        said = await world.type("/model mine")
        await heard(world, lambda text: "from the next turn on" in text, said)


async def test_reports_are_read_out() -> None:
    agent = FakeAgent(reports=FakeReports(texts={"policy": "mode review\n.env"}))
    with linear_world(agent) as world:
        said = ""
        for name in ("policy", "config", "profile", "cache"):
            said += await world.type(f"/{name}")
        said = await heard(world, lambda text: text.count("End of the report.") == 4, said)

    assert "mode review" in said
    assert "told of cache" in said


async def test_a_model_that_one_provider_has_is_that_providers() -> None:
    agent = FakeAgent(models=FakeModels(rows=(SMALL,)))
    with linear_world(agent) as world:
        await world.type_beside("/model small")
    assert agent.models.chosen == [("openai", "small")]


async def test_providers_are_read_out_and_one_is_chosen() -> None:
    rows = (
        ModelRow(provider="anthropic", model="claude-test", is_current=True),
        SMALL,
        ModelRow(provider="groq", model="no-key", missing="GROQ_API_KEY\x1b is not set"),
    )
    agent = FakeAgent(models=FakeModels(rows=rows))
    with linear_world(agent) as world:
        said = await world.type("/provider")
        assert "anthropic: answers now\nopenai: can be used\n" in said
        assert "groq: GROQ_API_KEY<U+001B> is not set" in said
        await world.type_beside("/provider openai")
    assert agent.models.chosen == [("openai", "")]


async def test_a_provider_is_asked_for_its_own_list() -> None:
    served = ServedModels(rows=(SMALL, ModelRow(provider="openai", model="Large\x1b")))
    agent = FakeAgent(models=FakeModels(served={"openai": served}))
    with linear_world(agent) as world:
        assert await world.type_beside("/models openai LARGE") == (
            "Asking openai for its models.\n"
            "openai/Large<U+001B>: context unknown tokens, prices unknown\n"
            "End of the models.\n"
        )
        assert "groq has no list." in await world.type_beside("/models groq")
    assert agent.models.asked == ["openai", "groq"]


async def test_a_long_list_of_a_provider_is_cut() -> None:
    rows = tuple(ModelRow(provider="p", model=f"m{n}") for n in range(MOST_READ + 3))
    agent = FakeAgent(models=FakeModels(served={"p": ServedModels(rows=rows)}))
    with linear_world(agent) as world:
        assert "3 more are not read out; words narrow." in await world.type_beside("/models p")


async def test_roles_are_read_out_and_given_a_model() -> None:
    roles = (
        RoleRow(name="fast", provider="openai", model="small"),
        RoleRow(name="odd", note="no key\x1b"),
    )
    agent = FakeAgent(models=FakeModels(rows=(SMALL,), known_roles=roles))
    with linear_world(agent) as world:
        said = await world.type_beside("/role")
        assert "Role fast: small of openai\nRole odd: none. no key<U+001B>\n" in said
        assert "fast use small." in await world.type_beside("/role fast openai/small")
        assert "names a role and its model" in await world.type_beside("/role fast")
        agent.models.problem = "no key"
        assert await world.type_beside("/role fast small") == "no key\n"
    assert agent.models.chosen_for == [("fast", "openai", "small")]

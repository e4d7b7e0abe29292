"""Another model in the middle of a session."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.models_port import ModelRow, RoleRow
from caramelo_tui.composition.model_choice import usable
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.domain.agent_events import (
    Ending,
    ModelChanged,
    NoticeRaised,
    RunEnded,
    RunStarted,
    TurnStarted,
)
from caramelo_tui.domain.messages import AssistantMessage, StopReason, ThinkingBlock
from caramelo_tui.domain.prices import Prices
from caramelo_tui.domain.provider_events import (
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Capabilities
from caramelo_tui.providers.catalog import Catalogue
from caramelo_tui.providers.catalog_file import shipped_catalogue
from caramelo_tui.providers.model_facts import ModelFacts
from tests.doubles.agent_worlds import Hang, ScriptedAnswers, Step, asks, says
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import ScriptedModels, Session, started_session

THINKS: Sequence[Step] = [
    ThinkingDelta(text="hm"),
    ThinkingEnded(signature="proof"),
    TextDelta(text="yes"),
    StreamStopped(stop_reason=StopReason.END_TURN),
]


class Able(ScriptedAnswers):
    """A second vendor."""

    @property
    def name(self) -> str:
        return "second"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(images=True, reasoning=True, caching=True)


class TwoVendors(ScriptedModels):
    """The scripted vendor, and a second one that can be chosen."""

    def __init__(
        self, answers: Sequence[Sequence[Step]], others: Sequence[Sequence[Step]] | None = None
    ) -> None:
        super().__init__(answers)
        self.second = Able(others or [says("second")])

    @property
    def providers(self) -> tuple[str, ...]:
        return ("scripted", "second", "other")

    def missing(self, provider: str) -> str:
        return "OTHER_KEY: is not set" if provider == "other" else ""

    def build(self, provider: str, model: str) -> ModelInUse:
        if provider == "second":
            return ModelInUse(
                provider=self.second, model=model or "gpt-4o", endpoint_note="HERE → there"
            )
        return super().build(provider, model)


async def next_change(session: Session) -> ModelChanged:
    return await session.until(ModelChanged)


async def test_the_next_run_is_answered_by_the_model_that_was_chosen(tmp_path: Path) -> None:
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        await session.run("one")
        assert await session.agent.models.choose("second", "gpt-4o") == ""
        changed = await next_change(session)
        ended = await session.run("two")

        assert ended.text == "second"
        assert (changed.provider, changed.model) == ("second", "gpt-4o")
        assert changed.context_window == 128_000
        assert changed.endpoint_note == "HERE → there"
        request = models.second.requests[0]
        assert request.model == "gpt-4o"
        assert request.max_tokens == 16_384
        assert [type(m).__name__ for m in request.messages] == [
            "UserMessage",
            "AssistantMessage",
            "UserMessage",
        ]
        started = session.of(RunStarted)
        assert [(run.provider, run.model) for run in started] == [
            ("scripted", "model-1"),
            ("second", "gpt-4o"),
        ]
        info = session.agent.info
        assert (info.provider, info.model, info.context_window) == ("second", "gpt-4o", 128_000)
        assert info.endpoint_note == "HERE → there"
        assert models.changed_main == ModelInUse(
            provider=models.second, model="gpt-4o", endpoint_note="HERE → there"
        )


async def test_no_thinking_and_no_proof_of_it_goes_to_another_model(tmp_path: Path) -> None:
    models = TwoVendors([THINKS])
    async with started_session(tmp_path, models) as session:
        await session.run("one")
        await session.agent.models.choose("second", "")
        await session.run("two")

        answers = [
            message
            for message in models.second.requests[0].messages
            if isinstance(message, AssistantMessage)
        ]
        assert [answer.text for answer in answers] == ["yes"]
        blocks = [block for answer in answers for block in answer.blocks]
        assert not any(isinstance(block, ThinkingBlock) for block in blocks)


async def test_the_same_model_again_changes_nothing(tmp_path: Path) -> None:
    models = TwoVendors([THINKS])
    async with started_session(tmp_path, models) as session:
        await session.run("one")
        assert await session.agent.models.choose("", "model-1") == ""
        await session.run("two")

        assert session.of(ModelChanged) == []
        kept = models.provider.requests[1].messages[1]
        assert isinstance(kept, AssistantMessage)
        assert isinstance(kept.blocks[0], ThinkingBlock)


async def test_an_answer_under_way_is_finished_by_its_own_model(tmp_path: Path) -> None:
    hang = Hang()
    asked = [hang, *asks(("c1", "glob", '{"pattern": "*"}'))]
    models = TwoVendors([asked], [says("done")])
    async with started_session(tmp_path, models) as session:
        session.agent.submit("go")
        await hang.reached.wait()
        assert await session.agent.models.choose("second", "gpt-4o") == ""
        assert session.agent.info.model == "model-1"
        hang.goes_on.set()
        changed = await next_change(session)
        ended = await session.until(RunEnded)

        assert changed.model == "gpt-4o"
        assert ended.ending is Ending.COMPLETED
        assert ended.text == "done"
        assert len(session.of(TurnStarted)) == 2


async def test_what_was_chosen_during_the_last_turn_answers_the_next_run(tmp_path: Path) -> None:
    hang = Hang()
    models = TwoVendors([[hang, *says("first")]])
    async with started_session(tmp_path, models) as session:
        session.agent.submit("go")
        await hang.reached.wait()
        await session.agent.models.choose("second", "gpt-4o")
        hang.goes_on.set()
        await session.until(RunEnded)
        await next_change(session)
        ended = await session.run("two")

        assert ended.text == "second"
        assert session.of(RunStarted)[1].model == "gpt-4o"


async def test_a_cut_answer_names_the_limit_of_the_model_that_gave_it(tmp_path: Path) -> None:
    cut = says("so", stop=StopReason.MAX_TOKENS)
    models = TwoVendors([says("first")], [cut])
    async with started_session(tmp_path, models) as session:
        await session.run("one")
        await session.agent.models.choose("second", "gpt-4o")
        ended = await session.run("two")

        assert "16,384 tokens" in ended.error


async def test_the_last_choice_counts(tmp_path: Path) -> None:
    hang = Hang()
    models = TwoVendors([[hang, *says("first")]])
    async with started_session(tmp_path, models) as session:
        session.agent.submit("go")
        await hang.reached.wait()
        await session.agent.models.choose("second", "gpt-4o")
        await session.agent.models.choose("", "model-1")
        hang.goes_on.set()
        await session.until(RunEnded)
        ended = await session.run("two")

        assert ended.text == "first"
        assert session.of(ModelChanged) == []


async def test_a_conversation_that_is_too_long_for_the_model_is_said_so(tmp_path: Path) -> None:
    used = UsageSeen(usage=Usage(input_tokens=150_000, output_tokens=1))
    models = TwoVendors([[used, *says("long")]])
    async with started_session(tmp_path, models) as session:
        await session.run("one")
        await session.agent.models.choose("second", "gpt-4o")
        await next_change(session)
        notice = await session.until(NoticeRaised)

        assert "150,001 tokens" in notice.text
        assert "gpt-4o can hold 128,000" in notice.text
        assert "/compact" in notice.text


@pytest.mark.parametrize(
    ("provider", "model", "problem"),
    [
        ("other", "m", "OTHER_KEY"),
        ("second", "two words", "no name of a model"),
        ("second", "x\x1b[31m", "no name of a model"),
        ("second", "x" * 201, "no name of a model"),
    ],
)
async def test_a_choice_that_cannot_be_is_answered_by_why(
    tmp_path: Path, provider: str, model: str, problem: str
) -> None:
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        assert problem in await session.agent.models.choose(provider, model)
        assert problem in await session.agent.models.choose_for_role("fast", provider, model)
        assert (await session.run("go")).text == "first"
        assert session.of(ModelChanged) == []


async def test_a_role_gets_a_model_to_the_end_of_the_session(tmp_path: Path) -> None:
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        port = session.agent.models
        assert await port.choose_for_role("fast", "second", "") == ""
        assert "no name of a role" in await port.choose_for_role("a b", "second", "")

        roles = await port.roles()
        assert roles[0] == RoleRow(name="fast", provider="second", model="gpt-4o")
        assert roles[1].model == "model-2"
        assert session.of(ModelChanged) == []


async def test_the_rows_tell_what_is_known_and_what_is_missing(tmp_path: Path) -> None:
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        port = session.agent.models
        assert port.figures_of == shipped_catalogue().date.isoformat()
        assert port.rows == (ModelRow(provider="scripted", model="model-1", is_current=True),)

        await port.choose("second", "mine-1")
        assert port.rows[-1] == ModelRow(provider="second", model="mine-1", is_current=True)


async def test_the_users_own_models_are_listed_with_their_figures(tmp_path: Path) -> None:
    config = core_options(tmp_path).locations.config
    config.mkdir(parents=True)
    text = "[models.second.house]\ncontext_window = 5000\ninput = 1\nbad = 1\n"
    (config / "models.toml").write_text(text, "utf-8")
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        row = session.agent.models.rows[-1]
        await session.run("go")

        assert (row.model, row.context_window) == ("house", 5000)
        assert row.prices == Prices(input=1.0)
        said = "\n".join(notice.text for notice in session.of(NoticeRaised))
        assert "models.toml:4: models.second.house.bad: is unknown" in said


async def test_a_model_that_calls_no_tools_is_offered_none_and_that_is_said(
    tmp_path: Path,
) -> None:
    config = core_options(tmp_path).locations.config
    config.mkdir(parents=True)
    (config / "models.toml").write_text("[models.second.talker]\ntools = false\n", "utf-8")
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        await session.run("go")
        assert await session.agent.models.choose("second", "talker") == ""
        await session.run("go on")

        assert models.provider.requests[-1].tools
        assert models.second.requests[-1].tools == ()
        said = "\n".join(notice.text for notice in session.of(NoticeRaised))
        assert said.count("talker is known to call no tools") == 1


async def test_a_provider_can_be_asked_for_its_list(tmp_path: Path) -> None:
    models = TwoVendors([says("first")])
    async with started_session(tmp_path, models) as session:
        served = await session.agent.models.ask("scripted")
        refused = await session.agent.models.ask("other")

        assert [(row.model, row.is_current) for row in served.rows] == [
            ("model-1", True),
            ("model-9", False),
        ]
        assert refused.rows == ()
        assert "OTHER_KEY" in refused.problem


def test_what_a_model_is_known_not_to_do_is_taken_from_its_provider() -> None:
    bare = ModelFacts(tools=False, reasoning=False, caching=False, images=False)
    catalogue = Catalogue({"second": {"blind": bare}})
    chosen = ModelInUse(provider=Able([says("x")]), model="blind")

    assert usable(chosen, catalogue).capabilities == Capabilities(tools=False)
    assert usable(replace(chosen, model="unheard-of"), catalogue).capabilities.images

"""Sub-agents have rows of their own; their questions name them."""

from caramelo_tui.domain.agent_events import (
    Ending,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ToolCallStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.call_details import CallDetailsScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE, command_request
from tests.unit.ui.drawing import review, write

TITLE = "Tidy the imports"
PARENT = CallId("p")


def call(agent: FakeAgent, name: str, tool: str, summary: str, *, title: str = "") -> None:
    agent.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=CallId(name), tool=tool, arguments_json="{}", summary=summary
        ),
        agent=title,
    )


def begin(agent: FakeAgent) -> None:
    agent.start_run()
    call(agent, "p", "spawn_subagent", TITLE)
    call(agent, "m", "grep", "needle")
    agent.emit(
        lambda head: SubagentStarted(
            head=head, call_id=PARENT, title=TITLE, role="coder", model="small-model"
        )
    )
    agent.emit(lambda head: TurnStarted(head=head, number=2), agent=TITLE)
    usage = Usage(input_tokens=12_000)
    agent.emit(
        lambda head: UsageReported(
            head=head, usage=usage, session_usage=usage, context_window=None
        ),
        agent=TITLE,
    )
    agent.emit(lambda head: TextStreamed(head=head, text="WORDS-OF-ITS-OWN"), agent=TITLE)
    call(agent, "s1", "file_read", "src/util.py", title=TITLE)


async def test_its_calls_stand_indented_below_the_call_that_started_it(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        begin(running.agent)
        await running.press("f5")
        await running.until(lambda: "src/util.py" in running.shown())
        rows = [line for line in running.shown().splitlines() if "08:53:20" in line]
        assert "Tidy the import" in rows[0]
        assert "turn 2 · 12k tokens" in rows[0]
        assert "└" in rows[1]
        assert "src/util.py" in rows[1]
        assert "needle" in rows[2]
        assert "└" not in rows[2]


async def test_the_cursor_stays_on_its_call_when_rows_come_above_it(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        begin(running.agent)
        call(running.agent, "n", "glob", "*.py")
        await running.press("f5")
        await running.until(lambda: "*.py" in running.shown())
        await running.press("up")
        current = running.bench.tools.rows.current
        assert current is not None
        assert current.call_id == "m"
        call(running.agent, "s2", "file_read", "src/new.py", title=TITLE)
        await running.until(lambda: "src/new.py" in running.shown())
        assert running.bench.tools.rows.current is current


async def test_its_words_are_not_in_the_conversation_but_its_progress_is(
    open_app: OpenApp,
) -> None:
    async with open_app(size=WIDE) as running:
        begin(running.agent)
        await running.until(lambda: "turn 2 · 12k tokens" in running.shown())
        running.agent.emit(
            lambda head: SubagentEnded(
                head=head,
                call_id=PARENT,
                title=TITLE,
                ending=Ending.MAX_TURNS,
                usage=Usage(input_tokens=46_000),
                turns=4,
            )
        )
        await running.until(lambda: "max turns · 4 turns · 46k tokens" in running.shown())
        assert "WORDS-OF-ITS-OWN" not in running.shown()


async def test_details_name_role_and_model(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        begin(running.agent)
        await running.press("f5")
        await running.until(lambda: "src/util.py" in running.shown())
        await running.press("g", "enter")
        await running.until_screen(CallDetailsScreen)
        await running.until(lambda: f"{TITLE} · role coder · small-model" in running.shown())


async def test_questions_and_reviews_name_it(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        begin(running.agent)
        running.agent.ask(review(write("a\n", "b\n"), agent_title=TITLE))
        running.agent.ask(command_request(agent_title=TITLE, approval_id="ask-9"))
        await running.until_screen(ApprovalScreen)
        await running.settle()
        assert f"{TITLE} asks: Run this command?" in running.shown()
        assert f"asked by the sub-agent {TITLE}" in running.shown()
        running.clock.move(1)
        await running.press("n")
        await running.press("f4")
        await running.until(lambda: f"from {TITLE}" in running.shown())

"""How questions, sub-agents, plans and lists look."""

from dataclasses import replace

from caramelo_tui.agent.port import SkillInfo
from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    CacheCounted,
    DiffCounted,
    Ending,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict, WriteGrant
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind, CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.screens.action_approval import ActionApproval
from caramelo_tui.ui.screens.command_approval import CommandApproval
from caramelo_tui.ui.screens.pick import PickScreen
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.pilot.driving import GUARD_S, OpenedApp, action_request, command_request, entry
from tests.snapshot.scenes import MAIN_SIZES, Scene, look_at, scenes_of
from tests.unit.ui.drawing import review, write

COMMIT = Action(
    kind=ActionKind.COMMIT,
    title="Commit 12 files on branch fix/rounding",
    facts=(
        ActionFact(label="branch", value="fix/rounding"),
        ActionFact(label="author", value="Ada <ada@example.test>"),
        *(ActionFact(label="file", value=f"M  src/module_{n:02}.py") for n in range(12)),
    ),
    body="Round half to even\n\nTotals no longer drift by a cent when many rows are added.",
)
FETCH = Action(
    kind=ActionKind.FETCH,
    title="GET https://\u0430pple.example.test/",
    facts=(
        ActionFact(label="host", value="\u0430pple.example.test"),
        ActionFact(label="sent as", value="xn--pple-43d.example.test"),
    ),
)
TIDY, DOCS = "Tidy the imports", "Check the docs"
GRANTS = (
    WriteGrant(pattern="src/cli.py", covers="only src/cli.py"),
    WriteGrant(pattern="src/**", covers="every file below src"),
    WriteGrant(pattern="**", covers="every file in the workspace"),
)
SKILLS = (
    SkillInfo(
        name="migrate",
        description="Writes a migration and its test, and checks that it can be rolled back.",
        is_active=True,
    ),
    SkillInfo(name="release-notes", description="Collects merged changes.", is_active=False),
)


async def commit(running: OpenedApp) -> None:
    running.agent.start_run()
    running.agent.ask(action_request(COMMIT))
    await running.until_screen(ActionApproval)


async def fetch(running: OpenedApp) -> None:
    running.agent.start_run()
    reason = "The host holds letters that look like others."
    request = action_request(FETCH, tool="web_fetch", reason=reason, agent_title=TIDY)
    running.agent.ask(request)
    await running.until_screen(ActionApproval)


async def block_rule(running: OpenedApp) -> None:
    parts = (
        CommandPart(text="cd sub"),
        CommandPart(text="git push --force origin", risks=("sends commits to a remote",)),
    )
    running.agent.start_run()
    running.agent.ask(command_request("cd sub && git push --force origin", parts=parts))
    await running.settle()
    running.clock.move(GUARD_S)
    await running.press("b")


def call(agent: FakeAgent, name: str, tool: str, summary: str, *, title: str = "") -> None:
    """Start a call."""
    call_id = CallId(name)
    agent.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call_id, tool=tool, arguments_json="{}", summary=summary
        ),
        agent=title,
    )


def decide(agent: FakeAgent, name: str, decision: Decision, *, title: str = "") -> None:
    """Decide a call."""
    agent.emit(
        lambda head: ToolCallDecided(head=head, call_id=CallId(name), decision=decision),
        agent=title,
    )


def finish(agent: FakeAgent, name: str, state: CallState, *, title: str = "") -> None:
    """Finish a call."""
    call_id = CallId(name)
    result = ToolResult(
        call_id=call_id, text="text", is_error=state is not CallState.OK, state=state
    )
    agent.emit(
        lambda head: ToolCallFinished(
            head=head,
            call_id=call_id,
            tool="file_read",
            result=result,
            duration_ms=12,
            is_cached=name == "cached",
            cache_age_s=12,
        ),
        agent=title,
    )


async def tools(running: OpenedApp) -> None:
    agent = running.agent
    agent.start_run("tidy the imports and check the docs")
    call(agent, "cached", "grep", "add_argument")
    finish(agent, "cached", CallState.OK)
    for name, title in (("p", TIDY), ("q", DOCS)):
        call(agent, name, "spawn_subagent", title)
        start_subagent(agent, CallId(name), title)
    call(agent, "p1", "file_read", "src/util.py", title=TIDY)
    finish(agent, "p1", CallState.OK, title=TIDY)
    call(agent, "q1", "file_read", "docs/index.md", title=DOCS)
    call(agent, "p2", "file_edit", ".env.local", title=TIDY)
    refusal = Decision(
        verdict=Verdict.DENY,
        reason=".env.local is protected.",
        rule="protected path .env*",
        origin="config.toml:4",
        code="protected_path",
    )
    decide(agent, "p2", refusal, title=TIDY)
    finish(agent, "p2", CallState.DENIED, title=TIDY)
    usage = Usage(input_tokens=46_000)
    agent.emit(
        lambda head: SubagentEnded(
            head=head,
            call_id=CallId("q"),
            title=DOCS,
            ending=Ending.COMPLETED,
            usage=usage,
            turns=4,
        )
    )
    agent.emit(lambda head: CacheCounted(head=head, hits=12, misses=8, entries=8, kept_bytes=1))
    agent.emit(
        lambda head: DiffCounted(head=head, changed_lines=120, deny_above=500, ask_above=200)
    )
    await running.press("f5")
    await running.settle()
    await running.press("g", "j", "j", "j")


def start_subagent(agent: FakeAgent, call_id: CallId, title: str) -> None:
    usage = Usage(input_tokens=12_000)
    agent.emit(
        lambda head: SubagentStarted(
            head=head, call_id=call_id, title=title, role="coder", model="small"
        )
    )
    agent.emit(lambda head: TurnStarted(head=head, number=3), agent=title)
    agent.emit(
        lambda head: UsageReported(
            head=head, usage=usage, session_usage=usage, context_window=None
        ),
        agent=title,
    )


async def plan(running: OpenedApp) -> None:
    agent = running.agent
    agent.mode = ApprovalMode.PLAN
    agent.start_run("plan a --json flag")
    text = "1. Parse the flag\n2. Render one object a line\n"
    agent.emit(lambda head: TextStreamed(head=head, text=text))
    message = AssistantMessage(blocks=(), stop_reason=StopReason.END_TURN)
    agent.emit(lambda head: AssistantReplied(head=head, message=message))
    agent.end_run(text=text)


async def denied(running: OpenedApp) -> None:
    agent = running.agent
    agent.start_run("rewrite the module")
    call(agent, "w", "file_write", "src/big.py")
    reason = (
        "With the 480 lines of this write the session would have changed 600; "
        "the limit is 500 (config.toml:7)."
    )
    refusal = Decision(
        verdict=Verdict.DENY, reason=reason, rule="max_diff_lines = 500", code="diff_limit"
    )
    decide(agent, "w", refusal)
    finish(agent, "w", CallState.DENIED)
    agent.emit(
        lambda head: DiffCounted(head=head, changed_lines=120, deny_above=500, ask_above=100)
    )


async def grants(running: OpenedApp) -> None:
    running.agent.start_run()
    proposed = review(write("a\nb\n", "a\nc\n", call_id="one"), agent_title=TIDY)
    running.agent.ask(proposed)
    await running.until(lambda: running.bench.changes.has_waiting)
    await running.press("ctrl+o")
    await running.settle()
    await running.press("g")
    await running.until_screen(PickScreen)


async def skills(running: OpenedApp) -> None:
    await running.press(*"/skill", "enter")
    await running.until_screen(PickScreen)


def agent() -> FakeAgent:
    made = FakeAgent(
        folders={".": (entry("src", FileKind.FOLDER), entry("README.md"))},
        rules=FakeRules(grants={"src/cli.py": GRANTS}),
        skills=SKILLS,
    )
    made.info = replace(made.info, context_window=None)
    return made


SCENES = (
    Scene(name="commit", play=commit, screen=ActionApproval, agent=agent),
    Scene(name="fetch", play=fetch, screen=ActionApproval, agent=agent),
    Scene(name="block-rule", play=block_rule, screen=CommandApproval, agent=agent),
    Scene(name="subagents", play=tools, agent=agent, sizes=MAIN_SIZES),
    Scene(name="plan", play=plan, agent=agent, sizes=MAIN_SIZES),
    Scene(name="line-limit", play=denied, agent=agent, sizes=MAIN_SIZES),
    Scene(name="grants", play=grants, screen=PickScreen, agent=agent),
    Scene(name="skills", play=skills, screen=PickScreen, agent=agent),
)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)

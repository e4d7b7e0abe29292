"""Play a case of a vendor's stream: a run against a server that sends the case's bytes.

Owns the run: the real client and the real agent, whose workspace is an empty folder.
"""

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName
from caramelo_tui.domain.agent_events import RetryScheduled, RunEnded
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.case_runner.agent_runs import take_events
from tests.case_runner.by_hand import core_options
from tests.case_runner.loopback import ChunkServer
from tests.case_runner.measures import measured
from tests.case_runner.played import Played
from tests.case_runner.settings_of import load_for
from tests.case_runner.user import CaseApprover
from tests.case_runner.world import Case, Spec, World
from tests.doubles.model_server_streams import anthropic_stream, openai_stream
from tests.doubles.web_worlds import PlayedWeb

_OVER = ScriptedTurn(text="over")
_KEY = "sk-test-openai-2"
"""The key that an answer of the cases repeats."""


def _closing(*, is_openai: bool) -> bytes:
    """Return what a model says whose answers are over: nothing more is called."""
    if is_openai:
        return openai_stream(_OVER, model="model-1", number=99, with_usage=True)
    return anthropic_stream(_OVER, model="model-1", number=99)


async def play_stream(case: Case, setup: Spec, world: World) -> Played:
    """Send a prompt to the case's server and return what came of the run."""
    played = Played()
    approver = CaseApprover(setup.get("approve"))
    settings = load_for(case, setup, world).settings
    is_openai = case["tool"] == "provider:openai"
    async with ChunkServer(setup["responses"], closing=_closing(is_openai=is_openai)) as server:
        connection = Connection(
            provider=ProviderName.OPENAI if is_openai else ProviderName.ANTHROPIC,
            key=_KEY,
            base_url=f"{server.url}/v1" if is_openai else server.url,
        )
        core = core_options(setup, world, settings, approver, PlayedWeb([], {}))
        agent = build_agent(AgentOptions(core=core, connection=connection, keeps_session=False))
        agent.start()
        try:
            async with measured(played):
                agent.submit(setup.get("user_prompt") or "go")
                if "can_be_cancelled" in case["expect"]:
                    await _interrupt_at_retry(agent)
                await take_events(agent, played)
            played.can_retry = agent.retries.is_offered
        finally:
            await agent.close()
        played.sent = server.sent
    played.approvals_asked = approver.asked
    played.model_requests = len(server.sent)
    return played


async def _interrupt_at_retry(agent: AgentPort) -> None:
    """Stop the run while it waits to ask again; do nothing when it ends without a wait."""
    reader = agent.read_events()
    async for event in reader:
        if isinstance(event, RetryScheduled):
            agent.interrupt()
        if isinstance(event, RetryScheduled | RunEnded):
            reader.close()

"""Play a case that is a start of the program: command line, trust, settings, first run.

Owns the start: the real command line goes the real way; where the screen would be drawn, its
plan is carried out instead. Models are reached by the vendors' real clients, on loopback.
"""

import asyncio
import io
import json
import logging
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import psutil

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.cli import main
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.domain.agent_events import ApprovalRequested, NoticeRaised, RunEnded
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.providers.scenario import Scenario, ScriptedCall, ScriptedTurn
from caramelo_tui.sessions.folders import session_path
from caramelo_tui.ui.start_plan import StartPlan
from tests.case_runner.agent_runs import call_text, take_events
from tests.case_runner.loopback import RecordingProxy
from tests.case_runner.measures import measured, umask_of
from tests.case_runner.played import Played, Sent
from tests.case_runner.settings_of import is_trusted, write_user_file
from tests.case_runner.user import answer_to
from tests.case_runner.world import Case, Spec, World
from tests.doubles.model_server import Fault, ModelServer

_FOREIGN = ("requests_to_absent", "sent_text_absent")
"""Expectations about where requests go: then no server of the case answers the real addresses."""
_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")


class _Terminal(io.StringIO):
    """A stream that is a terminal as far as the program can see."""

    def isatty(self) -> bool:
        return True


async def play_start(case: Case, setup: Spec, world: World) -> Played:
    """Start the program, send the prompt, and return what happened."""
    played = Played()
    turns = [_turn(turn) for turn in setup.get("model_turns", [])]
    error = setup.get("provider_error")
    key = next((world.environment[name] for name in _KEYS if name in world.environment), "")
    faults = [Fault(status=int(error), message=f"refused: {key}")] if error else []
    server = ModelServer(Scenario(turns=tuple(turns)), faults=faults)
    async with server, RecordingProxy() as proxy:
        own = _environment(case, world, server.url, proxy.url)
        with _process_environment(own), umask_of(setup.get("umask")), _logging_put_back():
            _prepare(case, setup, world)
            before = _listening()
            async with measured(played):
                plan = _plan(world, played)
                await _carry_out(plan, setup, proxy, played)
            played.listening = [port for port in _listening() if port not in before]
        now = time.monotonic()
        played.sent = [
            *proxy.sent,
            *(_sent(request.headers, request.body, now) for request in server.requests),
        ]
    played.model_requests = len(server.requests)
    return played


def _turn(turn: Spec) -> ScriptedTurn:
    calls = tuple(
        ScriptedCall(name=call["name"], arguments_json=call_text(call), id=call["id"])
        for call in turn.get("tool_calls", [])
    )
    return ScriptedTurn(text=turn.get("text", ""), calls=calls)


def _sent(headers: Mapping[str, str], body: Mapping[str, object], at: float) -> Sent:
    text = f"{dict(headers)}\n{json.dumps(body, ensure_ascii=False)}"
    return Sent(at=at, host=headers.get("host", ""), text=text, body=body)


def _environment(case: Case, world: World, server: str, proxy: str) -> dict[str, str]:
    """Return the variables of the start: the case's, a key, and the way to the models."""
    own = {**world.environment, "CARAMELO_HOME": str(world.home), "NO_PROXY": "127.0.0.1"}
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        own[name] = own[name.lower()] = proxy
    if not any(name in own for name in _KEYS):
        own["OPENAI_API_KEY"] = "sk-test-own-key"
    if not any(key in case["expect"] for key in _FOREIGN):
        own["ANTHROPIC_BASE_URL"], own["OPENAI_BASE_URL"] = server, f"{server}/v1"
    return own


def _prepare(case: Case, setup: Spec, world: World) -> None:
    """Write what earlier starts left: settings, trust, a session."""
    write_user_file(case, setup, world)
    locations = Locations.from_environment(os.environ)
    store = TrustStore(locations.trust_file, home=Path(os.environ["HOME"]))
    if is_trusted(setup):
        store.remember(world.root, TrustChoice.TRUST)
    elif setup.get("copy_of_trusted"):
        store.remember(world.outside, TrustChoice.TRUST)
    if "session_file_text" in setup:
        file = session_path(locations.sessions, world.root.resolve(), SessionId("from-elsewhere"))
        file.parent.mkdir(parents=True)
        file.write_text(setup["session_file_text"])
    if setup.get("debug_log"):
        os.environ["CARAMELO_DEBUG"] = "1"


def _plan(world: World, played: Played) -> StartPlan | None:
    """Go the command line's way up to the screen; ``None`` when it ends before.

    What is patched is the border to the terminal, which a test has none of.
    """
    plans: list[StartPlan] = []

    def run_app(plan: StartPlan) -> int:
        plans.append(plan)
        return 0

    said = io.StringIO()
    with (
        patch("caramelo_tui.launch.app.run_app", run_app),
        patch.object(sys, "argv", ["caramelo", str(world.root)]),
        patch.object(sys, "stdin", _Terminal()),
        patch.object(sys, "stdout", _Terminal()),
        patch.object(sys, "stderr", said),
    ):
        code = main()
    played.told.append(f"{said.getvalue()} (exit {code})")
    return plans[0] if plans else None


async def _carry_out(
    plan: StartPlan | None, setup: Spec, proxy: RecordingProxy, played: Played
) -> None:
    if plan is None:
        return
    played.is_trust_asked = plan.needs_trust is not None
    if played.is_trust_asked:
        plan.on_trust(TrustChoice.RESTRICTED)
    agent = await plan.build_agent()
    played.is_started = True
    try:
        await _run(agent, setup, proxy, played)
    finally:
        await agent.close()
    for event in played.events:
        match event:
            case NoticeRaised():
                played.told.append(event.text)
            case RunEnded():
                played.told.append(event.error)
            case _:
                pass


async def _run(agent: AgentPort, setup: Spec, proxy: RecordingProxy, played: Played) -> None:
    taking = asyncio.create_task(take_events(agent, played))
    answering = asyncio.create_task(_answer(agent, setup, played))
    foreign = asyncio.create_task(proxy.was_asked.wait())
    agent.submit(setup.get("user_prompt") or "hello")
    # A request that no server of the case got would be tried again and again.
    await asyncio.wait([taking, foreign], return_when=asyncio.FIRST_COMPLETED)
    agent.interrupt()
    await taking
    for task in (answering, foreign):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _answer(agent: AgentPort, setup: Spec, played: Played) -> None:
    async for event in agent.read_events():
        if isinstance(event, ApprovalRequested):
            played.approvals_asked += 1
            answer = answer_to(event.request, approves=bool(setup.get("approve")))
            agent.answer(event.request.id, answer)


@contextmanager
def _process_environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Let the process have exactly these variables for the time of the block."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _logging_put_back() -> Iterator[None]:
    """Put loggers back to what they were before the program's own start of them."""
    loggers = [logging.getLogger(name) for name in ("caramelo_tui", "asyncio")]
    before = [(each.handlers[:], each.level, each.propagate) for each in loggers]
    raises = logging.raiseExceptions
    try:
        yield
    finally:
        logging.raiseExceptions = raises
        for each, (handlers, level, propagate) in zip(loggers, before, strict=True):
            for handler in each.handlers:
                if handler not in handlers:
                    handler.close()
            each.handlers, each.propagate = handlers, propagate
            each.setLevel(level)


def _listening() -> list[int]:
    """Return the ports on which this process listens."""
    connections = psutil.Process().net_connections(kind="inet")
    return [each.laddr.port for each in connections if each.status == psutil.CONN_LISTEN]

"""A program is asked for approvals: what it gets, what it may say, and that failing is a no."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, ReviewAnswer
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless.external_approver import ExternalApprover, find_approver
from caramelo_tui.sessions.codec import encode_request
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.subprocesses import CommandRunner
from tests.doubles.agent_worlds import asks, says
from tests.doubles.processes import is_running, read_pid, wait_until
from tests.doubles.session_worlds import ScriptedModels, started_session
from tests.unit.agent.test_approval_broker import review
from tests.unit.agent.test_approvers import command


class Desk:
    """Writes programs and asks them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "project"
        self.root.mkdir()
        self.said: list[str] = []
        self.commands = CommandRunner(
            session_mark="desk",
            environment=ChildEnvironment({**os.environ, "SOME_API_KEY": "sk-secret"}),
            artifacts_folder=folder / "kept",
        )

    def program(self, *lines: str, name: str = "approver") -> Path:
        """Write a program of these lines of Python; ``request`` is what it was asked."""
        path = self.folder / name
        head = [
            f"#!{sys.executable}",
            "import json, os, sys, time",
            "request = json.load(sys.stdin)",
        ]
        path.write_text("\n".join([*head, *lines]) + "\n")
        path.chmod(0o755)
        return path

    def approver(self, program: Path, *, time_limit_s: float = 30.0) -> ExternalApprover:
        return ExternalApprover(
            program,
            commands=self.commands,
            root=self.root,
            say=self.said.append,
            time_limit_s=time_limit_s,
        )

    async def refusal(self, *lines: str, time_limit_s: float = 30.0) -> str:
        approver = self.approver(self.program(*lines), time_limit_s=time_limit_s)
        reply = await approver.reply(command())
        assert isinstance(reply, Refused)
        assert reply.reason.startswith("Nothing was approved: the approver approver gave no usable")
        return reply.reason


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    await made.commands.end_all()


async def test_the_program_gets_the_request_and_its_answer_counts(desk: Desk) -> None:
    program = desk.program(
        "json.dump([request, os.getcwd(), dict(os.environ)], open('seen.json', 'w'))",
        "print(json.dumps({'action': 'edit', 'command': request['command']['command'] + ' -n'}))",
    )
    request = command("make test")

    reply = await desk.approver(program).reply(request)

    assert reply == CommandAnswer(action=CommandAction.EDIT, command="make test -n")
    seen: list[Any] = json.loads((desk.root / "seen.json").read_text())
    assert seen[0] == encode_request(request)
    assert seen[0]["kind"] == "command"
    assert seen[1] == str(desk.root)
    assert "SOME_API_KEY" not in seen[2]
    assert seen[2]["CARAMELO"] == "1"
    assert not (desk.folder / "kept").exists()


async def test_a_review_of_any_size_reaches_a_program_that_reads_none_of_it(desk: Desk) -> None:
    path = desk.folder / "approver"
    path.write_text("#!/bin/sh\necho '{\"hunks\": {}}'\n")
    path.chmod(0o755)
    reply = await desk.approver(path).reply(review(*[f"{n}.txt" for n in range(2_000)]))
    assert reply == ReviewAnswer()


async def test_what_it_says_on_standard_error_is_passed_on_in_lines(desk: Desk) -> None:
    program = desk.program(
        "sys.stderr.write('one\\ntw'); sys.stderr.flush()",
        "sys.stderr.buffer.write(b'o \\xc3'); sys.stderr.flush()",
        "sys.stderr.buffer.write(b'\\xa9\\nthree'); sys.stderr.flush()",
        'print(\'{"action": "run"}\')',
    )
    reply = await desk.approver(program).reply(command())
    assert reply == CommandAnswer(action=CommandAction.RUN)
    assert desk.said == ["approver: one", "approver: two é", "approver: three"]


async def test_a_program_that_fails_approves_nothing_and_is_named(desk: Desk) -> None:
    yes = 'print(\'{"action": "run"}\'); sys.stdout.flush()'
    assert "ended with exit code 3" in await desk.refusal(yes, "sys.exit(3)")
    assert "ended with exit code -9" in await desk.refusal(yes, "os.kill(os.getpid(), 9)")
    assert "printed nothing" in await desk.refusal("pass")
    assert "JSON" in await desk.refusal("print('yes')")
    assert "longer than 1,048,576 bytes" in await desk.refusal(yes, "print(' ' * 1_048_576)")
    late = await desk.refusal(yes, "time.sleep(600)", time_limit_s=0.5)
    assert "did not answer within 0.5 s" in late
    shown = await desk.refusal("print(json.dumps({'action': 'a\\x1b[2J\\u202e'}))")
    assert "\x1b" not in shown
    assert "\u202e" not in shown


async def test_a_program_that_went_away_approves_nothing(desk: Desk) -> None:
    program = desk.program("pass")
    approver = desk.approver(program)
    program.unlink()
    reply = await approver.reply(command())
    assert isinstance(reply, Refused)
    assert "could not be started" in reply.reason


async def test_an_interrupt_ends_the_program(desk: Desk) -> None:
    program = desk.program(
        "open('pid.part', 'w').write(f'{os.getpid()}\\n'); os.rename('pid.part', 'pid')",
        "time.sleep(600)",
    )
    asking = asyncio.ensure_future(desk.approver(program).reply(command()))
    await wait_until(lambda: bool(read_pid(desk.root / "pid")))
    pid = read_pid(desk.root / "pid")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert pid
    assert not is_running(pid)


async def test_several_are_asked_side_by_side(desk: Desk) -> None:
    program = desk.program(
        "open(request['id'], 'w').close()",
        "while not (os.path.exists('a') and os.path.exists('b')): time.sleep(0.01)",
        'print(\'{"action": "run"}\')',
    )
    approver = desk.approver(program)
    one, other = command(call_id="1"), command(call_id="2")
    object.__setattr__(other, "id", "b")
    replies = await asyncio.gather(approver.reply(one), approver.reply(other))
    assert list(replies) == [CommandAnswer(action=CommandAction.RUN)] * 2


async def test_sub_agents_questions_come_to_it_too(desk: Desk) -> None:
    program = desk.program(
        "open('asked', 'a').write(request['agent_title'] + ':' + request['kind'] + '\\n')",
        'if request[\'kind\'] == \'command\': print(\'{"action": "deny", "remark": "no"}\')',
        "else: print(json.dumps({'hunks': {h['id']: True for w in request['writes']",
        "                                  for h in w['proposal']['hunks']}}))",
    )
    title = "Write the part"
    task = json.dumps({"title": title, "description": "do it"})
    models = ScriptedModels(
        [asks(("m", "spawn_subagent", task)), says("done")],
        {
            title: [
                asks(("w", "file_write", '{"path": "a.txt", "content": "x\\n"}')),
                asks(("b", "bash", '{"command": "touch ran"}')),
                says("finished"),
            ]
        },
    )
    folder = desk.folder
    async with started_session(folder, models, approver=desk.approver(program)) as session:
        ended = await session.run()
        denied = session.result("b").text
    assert ended.ending is Ending.COMPLETED
    assert (desk.root / "asked").read_text() == f"{title}:review\n{title}:command\n"
    assert (desk.root / "a.txt").read_text() == "x\n"
    assert not (desk.root / "ran").exists()
    assert "denied" in denied
    assert denied.endswith("no")


# --- where the program is found ---------------------------------------------------------------


def test_a_program_is_found_on_absolute_path_entries_only(desk: Desk, tmp_path: Path) -> None:
    program = desk.program("pass")
    assert find_approver("approver", f"/nowhere:{tmp_path}") == program
    assert find_approver(str(program), "") == program
    for path in (".", "", "project/.."):
        with pytest.raises(ConfigError, match="no program 'approver' on PATH"):
            find_approver("approver", path)


def test_a_path_is_taken_from_the_current_folder(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = desk.program("pass")
    monkeypatch.chdir(desk.root)
    assert find_approver("../approver", "").resolve() == program


@pytest.mark.parametrize("asked", ["", "a b", "/nowhere/x", "/", "/etc/passwd", "./none"])
def test_what_is_no_program_is_refused_by_name(asked: str) -> None:
    with pytest.raises(ConfigError, match="--approver"):
        find_approver(asked, "/usr/bin")

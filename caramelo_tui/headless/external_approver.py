"""Ask a program of the user's for approvals: ``--approver PROGRAM``.

Owns how it is found and run: without a shell, one process for each request, with the request as
JSON on its standard input and the answer as JSON on its standard output, for a bounded time. A
program that fails approves nothing, and the refusal says what was wrong. Proven by
tests/unit/headless/test_external_approver.py and tests/e2e/test_approver.py.
"""

import codecs
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.approvals import ApprovalAnswer, ApprovalRequest, ReviewRequest
from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.headless.approver_answers import UnusableAnswer, read_answer
from caramelo_tui.sessions.codec import encode_request
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.search_path import safe_search_path
from caramelo_tui.tools.subprocesses import CommandResult, CommandRunner

TIME_LIMIT_S = 600.0
"""A person may have to be found first."""
LONGEST_ANSWER_BYTES = 1024 * 1024
"""Room for a verdict and a remark on every hunk of a large review."""
_FLAG = "--approver"
_LONGEST_LINE = 4_096
"""Characters of one line of its standard error."""


def find_approver(asked: str, search_path: str) -> Path:
    """Return the program that ``--approver`` names.

    Args:
        asked: As it was typed. With a slash it is a path, else it is looked for.
        search_path: The user's ``PATH``; folders of it that are no absolute path do not count.

    Raises:
        ConfigError: If there is no such program.
    """
    if os.sep in asked:
        program = Path(asked).expanduser().absolute()
        if not program.is_file() or not os.access(program, os.X_OK):
            raise ConfigError(_FLAG, "", f"{program} is no program that can be run")
        return program
    found = shutil.which(asked, path=safe_search_path(search_path)) if asked else None
    if found is None:
        raise ConfigError(
            _FLAG,
            "",
            f"there is no program {asked!r} on PATH; name one, or its whole path (a single "
            "program: arguments are not taken)",
        )
    return Path(found)


class ExternalApprover:
    """Asks the program; each request for itself, several side by side where agents are."""

    def __init__(
        self,
        program: Path,
        *,
        commands: CommandRunner,
        root: Path,
        say: Callable[[str], None],
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        """Start nothing yet.

        Args:
            program: Absolute path.
            commands: Runs it, and ends it with the run.
            root: The workspace, in which it starts.
            say: Takes the lines of its standard error.
            time_limit_s: After it the program is killed, and nothing is approved.
        """
        self._program = program
        self._commands = commands
        self._root = root
        self._say = say
        self._time_limit_s = time_limit_s

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Return the program's answer, or a refusal that says why there is none.

        On cancellation the program is dead before it goes on upwards.
        """
        lines = _Lines(lambda line: self._say(f"{self._program.name}: {line}"))
        try:
            result = await self._commands.run(
                ChildStart(
                    command=(str(self._program),),
                    place=StartPlace(self._root),
                    standard_input=json.dumps(encode_request(request)).encode("ascii") + b"\n",
                ),
                OutputWish(head_bytes=LONGEST_ANSWER_BYTES, has_artifact=False, live=lines.take),
                call_id=_call_of(request),
                timeout_ms=int(self._time_limit_s * 1000),
            )
        except ToolFailure as error:
            return self._refused(str(error))
        finally:
            lines.end()
        problem = self._problem(result)
        if problem:
            return self._refused(problem)
        try:
            return read_answer(result.stdout.head, request)
        except UnusableAnswer as error:
            return self._refused(str(error))

    def _problem(self, result: CommandResult) -> str:
        if result.is_timed_out:
            return f"it did not answer within {self._time_limit_s:g} s"
        if result.exit_code != 0:
            return f"it ended with exit code {result.exit_code}"
        if result.stdout.total_bytes > LONGEST_ANSWER_BYTES:
            return f"its answer is longer than {LONGEST_ANSWER_BYTES:,} bytes"
        return ""

    def _refused(self, problem: str) -> Refused:
        shown = visible(problem, keeps_newlines=False)
        return Refused(
            reason=f"Nothing was approved: the approver {self._program.name} gave no usable "
            f"answer: {shown}."
        )


class _Lines:
    """Cut the standard error of a program into lines."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def take(self, stream: OutputStream, data: bytes) -> None:
        """Take a piece; whole lines are said."""
        if stream is OutputStream.STDERR:
            *whole, self._rest = (self._rest + self._decoder.decode(data)).split("\n")
            for line in whole:
                self._say(line[:_LONGEST_LINE])
            self._rest = self._rest[:_LONGEST_LINE]

    def end(self) -> None:
        """Say what came without a line end."""
        if self._rest:
            self._say(self._rest)
        self._rest = ""


def _call_of(request: ApprovalRequest) -> CallId:
    """Return the call that is asked about; a review stands for several."""
    return CallId(request.id) if isinstance(request, ReviewRequest) else request.call_id

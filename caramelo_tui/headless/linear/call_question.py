"""Ask about a command or another action, in lines.

Owns the words of the question, its numbered answers, the editing of a command, which is read out
again before it may run, and the rule that blocks such commands. Proven by
tests/unit/headless/test_linear_questions.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from caramelo_tui.agent.block_pattern import block_remark, suggested_pattern
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.approvals import (
    ActionRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
)
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes, visible
from caramelo_tui.domain.tool_calls import ActionKind
from caramelo_tui.headless.linear.dialogs import (
    Reply,
    chosen,
    not_an_answer,
    numbered,
    one_line,
)
from caramelo_tui.headless.linear.hunk_text import counted

_END_OF_TEXT = "."
"""A line that ends a text of several lines."""
_MS_PER_S = 1000
_PROSE_KINDS = frozenset({ActionKind.COMMIT, ActionKind.PULL_REQUEST})
"""Actions whose body is prose in the writer's own script."""


class _Step(StrEnum):
    """What the next line is."""

    CHOICE = "choice"
    REMARK = "remark"
    COMMAND = "command"
    PATTERN = "pattern"


_TEXT_CHOICES = {
    "deny with a message": _Step.REMARK,
    "edit the command": _Step.COMMAND,
    "deny and block such commands": _Step.PATTERN,
}
"""Choices that ask for a text."""


_ACTIONS = {
    "run once": CommandAction.RUN,
    "do it once": CommandAction.RUN,
    "deny": CommandAction.DENY,
    "deny and stop the run": CommandAction.STOP,
}
"""Choices that answer by themselves."""


class CallQuestion:
    """The question about one call, up to its answer."""

    def __init__(self, request: CommandRequest | ActionRequest, agent: AgentPort) -> None:
        """Ask about a call.

        Args:
            request: The frozen question.
            agent: Knows the root of the workspace, the parts of an edited command, and what a
                rule that blocks commands would refuse.
        """
        self._request = request
        self._agent = agent
        self._step = _Step.CHOICE
        self._edited: str | None = None
        self._typed: list[str] = []
        is_command = isinstance(request, CommandRequest)
        self._parts = request.parts if isinstance(request, CommandRequest) else ()
        self._choices = [
            "run once" if is_command else "do it once",
            "deny",
            "deny with a message",
            "deny and stop the run",
            *(["edit the command", "deny and block such commands"] if is_command else []),
        ]

    @property
    def request(self) -> CommandRequest | ActionRequest:
        """The frozen question."""
        return self._request

    @property
    def takes_text(self) -> bool:
        """Whether a message or a command is being typed."""
        return self._step is not _Step.CHOICE

    @property
    def undecided(self) -> int:
        """A call has no hunks."""
        return 0

    def text(self) -> tuple[str, ...]:
        """Return the whole question."""
        request = self._request
        agent = request.agent_title
        return (
            *(self._command(request) if isinstance(request, CommandRequest) else _action(request)),
            *([f"Asked by the sub-agent {one_line(agent)}."] if agent else []),
            *([f"Note: {one_line(request.note)}"] if request.note else []),
            *self._reason(),
            f"Choices: {numbered(self._choices)}",
            "Type a number and press Enter.",
        )

    async def take(self, lines: Sequence[str]) -> Reply:
        """Take a choice, or the text that one asked for."""
        match self._step:
            case _Step.REMARK:
                return self._deny(" ".join(lines).strip())
            case _Step.COMMAND:
                return await self._edit(lines)
            case _Step.PATTERN:
                return self._block(" ".join(lines).strip())
            case _Step.CHOICE:
                return self._choose(lines[0])

    # --- answers -----------------------------------------------------------------------

    def _choose(self, line: str) -> Reply:
        number = chosen(line, self._choices)
        if number is None:
            return Reply(say=(not_an_answer(line, len(self._choices)),))
        if step := _TEXT_CHOICES.get(self._choices[number]):
            self._step = step
            self._typed.clear()
            return Reply(say=self._wish(step))
        if number == 0 and self._edited is not None:
            edited = CommandAnswer(action=CommandAction.EDIT, command=self._edited)
            return Reply(answer=edited)
        return Reply(answer=CommandAnswer(action=_ACTIONS[self._choices[number]]))

    def _wish(self, step: _Step) -> tuple[str, ...]:
        """Return what is to be typed for a choice."""
        if step is _Step.REMARK:
            return ("Type the message. An empty line goes back to the choices.",)
        if step is _Step.COMMAND:
            return ("Type the new command, then a line with a single full stop.",)
        pattern = self._suggestion
        return (
            f"Suggested: {one_line(pattern, is_exact=True)}",
            one_line(self._agent.rules.block_meaning(pattern)),
            "Type what is refused to the end of the session, or a full stop for what is suggested.",
            "An empty line goes back to the choices.",
        )

    @property
    def _suggestion(self) -> str:
        request = self._request
        return suggested_pattern(request) if isinstance(request, CommandRequest) else ""

    def _block(self, typed: str) -> Reply:
        request = self._request
        if not typed or not isinstance(request, CommandRequest):
            self._step = _Step.CHOICE
            return Reply(say=self.text(), asks_anew=True)
        pattern = self._suggestion if typed == _END_OF_TEXT else typed
        if problem := self._agent.rules.block_commands(pattern, command=request.command.command):
            return Reply(say=(one_line(problem), "Type another one, or an empty line."))
        remark = block_remark(pattern)
        return Reply(answer=CommandAnswer(action=CommandAction.DENY, remark=remark))

    def _deny(self, remark: str) -> Reply:
        self._step = _Step.CHOICE
        if not remark:
            return Reply(say=self.text(), asks_anew=True)
        return Reply(answer=CommandAnswer(action=CommandAction.DENY, remark=remark))

    async def _edit(self, lines: Sequence[str]) -> Reply:
        """Take lines of the new command; what stands behind its end is discarded."""
        for line in lines:
            if line == _END_OF_TEXT:
                return await self._show_edited("\n".join(self._typed))
            self._typed.append(line)
        return Reply()

    async def _show_edited(self, command: str) -> Reply:
        self._step = _Step.CHOICE
        request = self._request
        said = ["The command is unchanged."]
        if command.strip() and isinstance(request, CommandRequest):
            is_new = command != request.command.command
            self._edited = command if is_new else None
            self._parts = request.parts
            if is_new:
                self._parts = await self._agent.explain_command(
                    replace(request.command, command=command)
                )
            said = []
        return Reply(say=(*said, *self.text()), asks_anew=True)

    # --- words -------------------------------------------------------------------------

    def _command(self, request: CommandRequest) -> tuple[str, ...]:
        line = request.command
        command = line.command if self._edited is None else self._edited
        folder = one_line(request.cwd_shown, is_exact=True)
        root = str(self._agent.info.workspace)
        is_root = request.cwd_shown.rstrip("/") == root.rstrip("/")
        size = (
            f"{counted(command.count(chr(10)) + 1, 'line')}, {counted(len(command), 'character')}"
        )
        return (
            f"Question: run this command? Tool {one_line(request.tool)}.",
            *_warning(is_hidden=has_hidden(command), is_look_alike=has_look_alikes(command)),
            f"The command{' as you edited it' if self._edited is not None else ''}, {size}:",
            *(f"| {each}" for each in visible(command, marks_look_alikes=True).split("\n")),
            "End of the command.",
            f"Folder: {folder}{'' if is_root else ', which is not the root of the workspace'}.",
            f"Time limit: {line.timeout_ms / _MS_PER_S:g} s.",
            *(["It runs in the sandbox."] if request.is_sandboxed else []),
            *_parts(self._parts),
        )

    def _reason(self) -> tuple[str, ...]:
        if self._edited is not None:
            return ("It is checked like any other command; what the rules deny is not run.",)
        return (f"Asked because: {one_line(self._request.reason)}",)


def _parts(parts: Sequence[CommandPart]) -> list[str]:
    """Return the parts of a command, each with why it is risky.

    A part has its line to itself: no word of a command can be taken for what we say of it.
    """
    lines: list[str] = []
    for number, part in enumerate(parts, 1):
        lines.append(f"Part {number}: {one_line(part.text, is_exact=True)}")
        if part.risks:
            lines.append(f"Risk of part {number}: {one_line('; '.join(part.risks))}.")
    return lines


def _action(request: ActionRequest) -> tuple[str, ...]:
    """Return all that is approved of an action: title, facts and body."""
    action = request.action
    is_prose = action.kind in _PROSE_KINDS
    texts = [action.title, *(fact.value for fact in action.facts), action.body]
    exact = [*texts[:-1], *([] if is_prose else [action.body])]
    lines = [
        f"Question: {one_line(action.title, is_exact=True)}? Tool {one_line(request.tool)}.",
        *_warning(
            is_hidden=any(map(has_hidden, texts)),
            is_look_alike=any(map(has_look_alikes, exact)),
        ),
    ]
    for fact in action.facts:
        first, *rest = visible(fact.value, marks_look_alikes=True).split("\n")
        lines += [f"| {one_line(fact.label)}: {first}", *(f"|   {line}" for line in rest)]
    if action.body:
        body = visible(action.body, marks_look_alikes=not is_prose).split("\n")
        lines += [f"Text, {counted(len(body), 'line')}:", *(f"| {line}" for line in body)]
    return (*lines, "End of what is asked.")


def _warning(*, is_hidden: bool, is_look_alike: bool) -> list[str]:
    kinds = [*(["hidden"] if is_hidden else []), *(["look-alike"] if is_look_alike else [])]
    if not kinds:
        return []
    return [f"Warning: it has {' and '.join(kinds)} characters, written as <U+ and a number>."]

"""Carry out what is typed behind a slash.

Owns the commands of the linear mode and their help. It asks the agent and says what came of it.
Proven by tests/unit/headless/test_linear_session.py.
"""

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.reports_port import Report
from caramelo_tui.agent.user_commands import expand
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.headless.linear.context import LinearContext
from caramelo_tui.headless.linear.dialogs import number_in, one_line
from caramelo_tui.headless.linear.grants import LinearGrants
from caramelo_tui.headless.linear.head_changes import LinearHead
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.models import LinearModels
from caramelo_tui.headless.linear.narration import Narrator
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.sessions import GoTo, LinearSessions
from caramelo_tui.headless.linear.undo import LinearUndo

HELP = (
    "Type a prompt and press Enter. A line that ends in a backslash goes on in the next.",
    "While a run is under way, a prompt waits for its end. ctrl+c stops the run; twice, it quits.",
    "/steer TEXT gives the run a prompt with its next turn. !COMMAND runs a command of your own.",
    "/edit writes a prompt in your editor. /files WORDS reads the paths that hold the words.",
    "A prompt takes along the images that it names, as @shot.png; /paste-image the clipboard's.",
    "/again reads the open question again.",
    "/output reads the result of the last tool call, /output whole all that it was cut from.",
    "/status says mode, model, context, cost and limits.",
    "/mode NAME takes an approval mode: plan, review, each or auto. /plan is /mode plan.",
    "/carry-out carries out a finished plan in mode review; /edit edits it first.",
    "/skill lists the skills, /skill NAME activates one.",
    "/model lists the models, /model PROVIDER/ID has another one answer.",
    "/provider lists the providers, /provider NAME has one answer. /login logs in or takes a key.",
    "/models PROVIDER WORDS asks a provider for its own list. /role reads the roles of sub-agents,",
    "/role NAME PROVIDER/ID has a role use a model.",
    "/compact says what a shorter conversation would keep, /compact now makes it so.",
    "/pin NUMBER keeps a prompt word for word when a conversation is shortened, /unpin not.",
    "/undo says what taking the last turn back would change, /undo now does it; so does /redo.",
    "/undo run does the same for the last run, /undo PATH for all that was done to a file.",
    "/rewind lists the prompts that the files can go back to.",
    "/resume reads out the other sessions of this folder; WORDS may narrow, a NUMBER goes on.",
    "/earlier reads what was said before this session was taken up.",
    "/fork goes on in a copy of this session, /fork NUMBER in one that ends before a prompt.",
    "/export writes this session to a file; md, json or html and a name may follow.",
    "/diff reads the files that differ from the last commit, /diff PATH the changes of one.",
    "/spending says what the requests took.",
    "/config, /policy, /profile and /cache read out settings, rules, tools and cache.",
    "/grants reads what you allowed or blocked for the session, /grants NUMBER takes it back.",
    "/retry asks for an answer that broke off again, or sends a request that waits at once.",
    "/cancel ends the command that runs, the run goes on. /end NUMBER ends a process left running.",
    "/queue reads the prompts that wait.",
    "/stop stops the run. /send sends the next waiting prompt, /drop forgets those that wait.",
    "/raise-limit raises the limit of changed lines, /reset-count counts them anew.",
    "/quit ends Caramelo.",
)
WHOLE = "whole"
"""Behind ``/output``: also what was left out."""
MOST_PATHS = 20
"""Paths that are read out at once."""
_LONE_COMMAND = re.compile(r"/[a-z][a-z-]*")
"""What can only be meant as a command: ``/usr/bin`` and ``/x is wrong`` are not it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSteps:
    """What only the session itself can do."""

    read_again: Callable[[], bool]
    """Says the open question again; ``False`` when none is."""
    carry_out: Callable[[], bool]
    """Sends the finished plan; ``False`` when there is none."""
    send_prepared: Callable[[], bool]
    """Sends the prompt that was prepared; ``False`` when there is none."""
    leave: Callable[[], None]
    """Ends the session, or says what would be lost."""
    send: Callable[[str], None]
    """Sends a prompt, or queues it."""
    steer: Callable[[str], None]
    """Gives the run a further prompt with its next turn; without a run it is sent."""
    beside: Callable[[Coroutine[None, None, None]], None]
    """Lets something go on by itself."""
    run_own: Callable[[str], None]
    """Runs a command of the user's own, and says later how it ended."""
    go_to: GoTo
    """Goes on with another session."""
    log_in: Callable[[], Coroutine[None, None, None]]
    """Asks for a login or a key."""
    edit_prompt: Callable[[], Coroutine[None, None, None]]
    """Has a prompt written in the editor."""
    paste_image: Callable[[], Coroutine[None, None, None]]
    """Takes the clipboard's image for the next prompt."""
    converse: Callable[[Coroutine[None, None, None]], None]
    """Lets what is typed next go to something, up to its end."""


class Commands:
    """What the user asks of the session as a whole."""

    def __init__(
        self,
        agent: AgentPort,
        out: LinearOutput,
        narrator: Narrator,
        steps: SessionSteps,
    ) -> None:
        """Wire the commands.

        Args:
            agent: Is asked.
            out: Takes the answers.
            narrator: Knows the last result.
            steps: What only the session itself can do.
        """
        self._agent = agent
        self._out = out
        self._narrator = narrator
        self._steps = steps
        self._models = LinearModels(agent, out)
        self._context = LinearContext(agent, out)
        self._undo = LinearUndo(agent, out)
        self._sessions = LinearSessions(agent, out, go_to=steps.go_to)
        self._grants = LinearGrants(agent, out)
        self._head = LinearHead(agent, out)
        self._own = {f"/{command.name}": command for command in agent.user_commands}
        self._plain = self._plain_commands()
        self._with_argument = self._commands_with_argument()

    def take(self, line: str) -> bool:
        """Carry out a command; ``False`` for a prompt.

        A lone word behind a slash that is no command is not sent either.
        """
        word, *rest = line.split(maxsplit=1) or [""]
        argument = rest[0].strip() if rest else ""
        if argument and word in self._with_argument:
            self._with_argument[word](argument)
        elif word in self._own and word not in self._plain:
            self._steps.send(expand(self._own[word], argument))
        elif line.startswith("!") and line[1:].strip():
            self._steps.run_own(line[1:].strip())
        elif not _LONE_COMMAND.fullmatch(line.strip()):
            return False
        elif word in self._plain:
            self._plain[word]()
        elif word in self._with_argument:
            self._out.say(f"{word} wants something behind it; /help says what.")
        else:
            self._out.say(f"There is no command {one_line(word)}. /help lists the commands.")
        return True

    def _plain_commands(self) -> dict[str, Callable[[], None]]:
        """Return what a word alone does."""
        agent, steps = self._agent, self._steps
        return {
            "/help": self._help,
            "/keys": self._help,
            "/files": lambda: steps.beside(self._files("")),
            "/diff": lambda: steps.beside(self._head.read()),
            "/again": self._again,
            "/output": self._output,
            "/status": self._status,
            "/mode": self._status,
            "/plan": lambda: self._mode("plan"),
            "/carry-out": self._plan,
            "/skill": self._skills,
            "/model": self._models.list_models,
            "/provider": self._models.list_providers,
            "/role": lambda: steps.beside(self._models.roles()),
            "/login": lambda: steps.converse(steps.log_in()),
            "/edit": lambda: steps.converse(steps.edit_prompt()),
            "/paste-image": lambda: steps.beside(steps.paste_image()),
            "/queue": self._queue,
            "/compact": self._context.preview,
            "/undo": lambda: steps.beside(self._undo.undo()),
            "/redo": lambda: steps.beside(self._undo.redo()),
            "/rewind": lambda: steps.beside(self._undo.rewind()),
            "/resume": lambda: steps.beside(self._sessions.resume()),
            "/earlier": lambda: steps.beside(self._sessions.earlier()),
            "/fork": lambda: steps.beside(self._sessions.fork()),
            "/export": lambda: steps.beside(self._sessions.export()),
            "/spending": self._context.spending,
            **{f"/{report.value}": partial(self._tell, report) for report in Report},
            "/grants": self._grants.read_out,
            "/retry": self._retry,
            "/stop": self._stop,
            "/cancel": self._cancel,
            "/send": self._send,
            "/drop": self._drop,
            "/raise-limit": agent.rules.raise_limits,
            "/reset-count": agent.rules.reset_lines,
            "/quit": steps.leave,
        }

    def _commands_with_argument(self) -> dict[str, Callable[[str], None]]:
        """Return what a word with something behind it does."""
        steps = self._steps
        return {
            "/mode": self._mode,
            "/skill": self._activate,
            "/model": lambda text: steps.beside(self._models.choose(text)),
            "/models": lambda text: steps.beside(self._models.ask(text)),
            "/role": lambda text: steps.beside(self._models.choose_for_role(text)),
            "/provider": lambda text: steps.beside(self._models.choose_provider(text)),
            "/diff": lambda text: steps.beside(self._head.read(text)),
            "/files": lambda text: steps.beside(self._files(text)),
            "/compact": lambda text: steps.beside(self._context.compact(text)),
            "/undo": lambda text: steps.beside(self._undo.undo(text)),
            "/redo": lambda text: steps.beside(self._undo.redo(text)),
            "/rewind": lambda text: steps.beside(self._undo.rewind(text)),
            "/resume": lambda text: steps.beside(self._sessions.resume(text)),
            "/earlier": lambda text: steps.beside(self._sessions.earlier(text)),
            "/fork": lambda text: steps.beside(self._sessions.fork(text)),
            "/export": lambda text: steps.beside(self._sessions.export(text)),
            "/pin": lambda text: self._context.pin(text, is_pinned=True),
            "/unpin": lambda text: self._context.pin(text, is_pinned=False),
            "/grants": self._grants.take_back,
            "/output": self._whole_output,
            "/steer": steps.steer,
            "/end": self._end_process,
        }

    def _help(self) -> None:
        for line in HELP:
            self._out.say(line)
        for name, command in self._own.items():
            if name not in self._plain:
                self._out.say(f"{name}, a command of your own: {one_line(command.description)}")

    def _tell(self, report: Report) -> None:
        self._steps.beside(self._models.tell(report))

    def _again(self) -> None:
        if not self._steps.read_again():
            self._out.say("No question is open.")

    def _output(self) -> None:
        self._out.say(self._narrator.last_output or "No tool has given a result yet.")
        self._out.say("End of the result.")

    def _whole_output(self, text: str) -> None:
        """Read what a command wrote, also what was left out of its result."""
        name = self._narrator.last_artifact
        kept = None if name is None else self._agent.read_artifact(name)
        if text != WHOLE:
            self._out.say("/output reads the last result, /output whole all that it was cut from.")
        elif kept is None:
            self._out.say("Nothing was kept beyond the last result; /output reads it.")
        else:
            self._out.say(kept.decode("utf-8", "replace"))
            self._out.say("End of the whole output.")

    def _status(self) -> None:
        info = self._agent.info
        run = "A run is under way." if self._agent.is_running else "Nothing runs."
        trust = "trusted" if info.is_trusted else "restricted"
        self._out.say(f"Mode {self._agent.mode}. Folder {trust}. {run}")
        self._out.say(f"Model {one_line(info.provider)} {one_line(info.model)}.")
        for sentence in self._narrator.standing.sentences():
            self._out.say(sentence)
        if waiting := self._agent.queued_prompts:
            self._out.say(f"{counted(len(waiting), 'prompt')} waiting.")

    def _mode(self, name: str) -> None:
        try:
            self._agent.set_mode(ApprovalMode.parse(name))
        except ValueError as error:
            self._out.say(one_line(str(error)))
            return
        self._out.say(f"Mode {self._agent.mode}.")

    def _plan(self) -> None:
        if not self._steps.carry_out():
            self._out.say("There is no plan to carry out.")

    def _skills(self) -> None:
        skills = self._agent.skills
        if not skills:
            self._out.say("No skill is loaded.")
        for skill in skills:
            active = ", active" if skill.is_active else ""
            self._out.say(f"{one_line(skill.name)}{active}: {one_line(skill.description)}")

    def _activate(self, name: str) -> None:
        problem = self._agent.activate_skill(name)
        done = f"The skill {one_line(name)} is active to the end of the session."
        self._out.say(one_line(problem) or done)

    def _retry(self) -> None:
        retries = self._agent.retries
        if not (retries.send_now() or retries.send_again()):
            self._out.say("Nothing failed that can be sent again.")

    def _stop(self) -> None:
        if not self._agent.interrupt():
            self._out.say("Nothing runs.")

    def _cancel(self) -> None:
        running = self._narrator.running
        if not sum(self._agent.cancel_call(call_id) for call_id in running):
            self._out.say("No command runs that can be cancelled.")

    def _end_process(self, text: str) -> None:
        """End a process that a command left running."""
        pid = number_in(text)
        if pid is None or not self._agent.end_background(pid):
            self._out.say(f"No process {one_line(text)} was left running.")

    def _send(self) -> None:
        if not self._agent.send_next_queued() and not self._steps.send_prepared():
            self._out.say("No prompt can be sent now.")

    def _queue(self) -> None:
        waiting = self._agent.queued_prompts
        for number, prompt in enumerate(waiting, 1):
            self._out.say(f"Waiting prompt {number}: {one_line(prompt)}")
        if not waiting:
            self._out.say("No prompt waits.")

    async def _files(self, text: str) -> None:
        """Read the paths that hold all the words, in small or capital letters."""
        words = text.lower().split()
        files = await self._agent.list_files()
        found = [path for path in files.paths if all(word in path.lower() for word in words)]
        for path in found[:MOST_PATHS]:
            self._out.say(one_line(path, is_exact=True))
        more = len(found) - MOST_PATHS
        left = f" {more:,} more are not read out." if more > 0 else ""
        whole = "" if files.is_whole else " There are more files than were looked through."
        self._out.say(f"{counted(len(found), 'path')}.{left}{whole}")
        await self._out.flush()

    def _drop(self) -> None:
        taken = self._agent.take_back_queue()
        self._out.say(f"{counted(len(taken), 'prompt')} forgotten.")

"""Carry out what the prompt asks for beside sending.

Owns the slash commands, steering, the person's own commands and editor, the search through
earlier prompts, and the list of files that can be mentioned. It decides nothing about the agent:
it asks it. Proven by tests/pilot/test_slash_commands.py, test_prompt_keys.py,
test_own_commands.py and test_completion.py.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import assert_never

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.user_commands import expand
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.file_picker import FilePicker
from caramelo_tui.ui.image_desk import ImageDesk, SendPrompt
from caramelo_tui.ui.keymap import label_of
from caramelo_tui.ui.panes.draft_editor import COMMAND_SIGN, PromptWish
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.panes.tree_paths import without
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.session_texts import end_text, own_output
from caramelo_tui.ui.session_wishes import SessionWishes
from caramelo_tui.ui.slash_commands import SlashCommands, SlashLine, shadowed
from caramelo_tui.ui.themes import names_of_ours
from caramelo_tui.ui.widgets.cells import cut_cells, one_line

_SHOWN_CELLS = 30
"""Cells of a command in what is said of its end."""
_FRESH_S = 5.0
"""Seconds for which a list of files is good enough for the next mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSite:
    """Where the prompt stands."""

    app: App[None]
    prompt: PromptPane
    clock: Clock
    status: Callable[[], StatusView]
    """What the status bar shows now."""
    run: Callable[[Coroutine[None, None, None], str], object]
    """Runs work beside the keys, one of each name at a time."""


def _picker(paths: Sequence[str], ignored: frozenset[str]) -> FilePicker:
    """Return what offers the paths, those that git ignores last; slow for many."""
    kept = tuple(without(paths, ignored))
    known = frozenset(kept)
    return FilePicker(kept, others=[path for path in paths if path not in known])


class PromptDesk:
    """What the prompt can do with one agent."""

    def __init__(self, site: PromptSite, agent: AgentPort, wishes: SessionWishes) -> None:
        """Offer the app's commands and the user's own."""
        self._site = site
        self._agent = agent
        self._wishes = wishes
        self._images = ImageDesk(site.app, site.prompt, agent)
        themes = names_of_ours(site.app.available_themes.values())
        self._commands = SlashCommands(agent.user_commands, themes=themes)
        self._listed_at: float | None = None
        self._count = 0
        self._own_output = ""
        site.prompt.help.take_commands(self._commands)
        for name in shadowed(agent.user_commands):
            self._warn(f"Your command /{name} is not used: the app has one of that name.")

    def take(self, wish: PromptWish, text: str) -> None:
        """Carry out a wish; ``text`` is the draft."""
        match wish:
            case PromptWish.STEER:
                self._steer(text)
            case PromptWish.EDIT:
                self._site.run(self._edit(text), "editor")
            case PromptWish.SEARCH:
                self._search()
            case PromptWish.QUEUE:
                self._see_to_queue()
            case PromptWish.RUN:
                self._run_beside(self._run_own(text))
            case PromptWish.GIVE:
                self._give()
            case PromptWish.FILES:
                self._site.run(self._list_files(), "files")
            case PromptWish.ATTACH:
                self._run_beside(self._images.attach(text))
            case PromptWish.PASTE_IMAGE:
                self._site.run(self._images.paste(), "clipboard")
            case _:
                assert_never(wish)

    def _run_beside(self, work: Coroutine[None, None, None]) -> None:
        """Do work beside other work of its kind."""
        self._count += 1
        self._site.run(work, f"work {self._count}")

    def send(self, text: str) -> None:
        """Carry out a slash command, or send a prompt.

        A command that does not exist is not sent either: it comes back into the prompt.
        """
        self._send_by(self._agent.submit, text)

    def _send_by(self, send: SendPrompt, text: str) -> None:
        if self._images.is_open(text):
            self._run_beside(self._send_with_chips(send, text))
        else:
            self._send_now(send, text)

    async def _send_with_chips(self, send: SendPrompt, text: str) -> None:
        self._send_now(send, await self._images.with_chips(text))

    def _send_now(self, send: SendPrompt, text: str) -> None:
        line = self._commands.read(text)
        if line is None:
            self._images.send(send, text)
            return
        own = self._commands.own(line.name)
        if own is not None:
            self._images.send(send, expand(own, line.text))
            return
        problem = self._carry_out(line)
        if problem:
            self._site.prompt.put_before_draft([text])
            self._warn(problem)

    def take_back_newest(self) -> None:
        """Put the newest waiting prompt back into the editor; the others go on waiting."""
        waiting = self._agent.queued_prompts
        if waiting:
            self._take_back(waiting[-1])

    # --- commands ----------------------------------------------------------------------

    def _carry_out(self, line: SlashLine) -> str:
        """Carry out one of the app's own commands; return why not, empty: done."""
        command = self._commands.named(line.name)
        if command is None:
            return self._commands.unknown(line.name)
        if line.text:
            return self._carry_out_with(line)
        self._site.app.call_later(self._site.app.run_action, command.action)
        return ""

    def _carry_out_with(self, line: SlashLine) -> str:
        if line.name == "theme":
            action = f"app.show_theme({line.text!r})"
            self._site.app.call_later(self._site.app.run_action, action)
            return ""
        if line.name in {"model", "provider"}:
            self._wishes.models.take_command(line.name, line.text)
            return ""
        if line.name in {"resume", "export"}:
            self._wishes.sessions.take(line.name, line.text)
            return ""
        if line.name == "skill":
            self._wishes.activate_skill(line.text)
            return ""
        try:
            self._wishes.set_mode(ApprovalMode.parse(line.text))
        except ValueError as error:
            return str(error)
        return ""

    # --- steering and waiting prompts --------------------------------------------------

    def _steer(self, text: str) -> None:
        """Give the run a further prompt; without a run it is sent."""
        self._send_by(self._say_to_run, text)

    def _say_to_run(self, text: str, images: tuple[ImageAttachment, ...]) -> None:
        if not self._agent.steer(text, images):
            self._agent.submit(text, images)

    def _see_to_queue(self) -> None:
        waiting = self._agent.queued_prompts
        if not waiting:
            self._say("No prompt waits.")
            return
        screen = FindScreen(waiting, title="Prompts that wait", remove=self._agent.take_back_prompt)
        self._site.app.push_screen(screen, self._take_back)

    def _take_back(self, text: str | None) -> None:
        if text is not None and self._agent.take_back_prompt(text):
            self._site.prompt.put_before_draft([text])

    # --- commands of the person's own --------------------------------------------------

    async def _run_own(self, text: str) -> None:
        command = text.removeprefix(COMMAND_SIGN).strip()
        result = await self._agent.run_own_command(command)
        if result is None:
            self._warn("The command was not run: the session is at its end.")
            return
        self._own_output = own_output(command, result)
        shown = cut_cells(one_line(command), _SHOWN_CELLS)
        key = label_of("prompt('give')", self._site.status().keys)
        self._say(f"{shown}: {end_text(result)}. {key} gives its output to the model.")

    def _give(self) -> None:
        """Put the last output into the draft; a long one is folded."""
        if not self._own_output:
            self._say("No command of yours has ended yet (! runs one).")
            return
        prompt = self._site.prompt
        if prompt.draft.strip():
            prompt.add_to_draft("\n\n")
        prompt.add_to_draft(self._own_output, is_paste=True)

    # --- the draft ---------------------------------------------------------------------

    async def _edit(self, text: str) -> None:
        edited = await edit_in_editor(self._site.app, text, suffix=".md")
        if edited is not None:
            self._site.prompt.set_draft(edited)

    def _search(self) -> None:
        newest_first = tuple(dict.fromkeys(reversed(self._site.prompt.earlier_prompts)))
        if not newest_first:
            self._say("There is no earlier prompt.")
            return
        self._site.app.push_screen(
            FindScreen(newest_first, title="Earlier prompts"), self._take_earlier
        )

    def _take_earlier(self, text: str | None) -> None:
        if text is not None:
            # What stood there is not lost: ``up`` brings it back.
            self._site.prompt.clear_draft()
            self._site.prompt.set_draft(text)

    async def _list_files(self) -> None:
        now = self._site.clock.monotonic()
        if self._listed_at is not None and now - self._listed_at < _FRESH_S:
            return
        self._listed_at = now
        listed = await self._agent.list_files()
        states = await self._agent.git.states()
        ignored = frozenset[str]() if states is None else states.ignored
        self._site.prompt.help.take_files(await asyncio.to_thread(_picker, listed.paths, ignored))

    # --- words -------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._site.app.notify(text, markup=False)

    def _warn(self, text: str) -> None:
        self._site.app.notify(visible(text), severity="warning", markup=False)

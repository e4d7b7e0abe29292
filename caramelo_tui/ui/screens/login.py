"""Show the code of a login, and wait until it was typed.

Owns the screen of GitHub's login: the code, where it is typed, how it ends. The login itself is
behind the port; leaving the screen gives it up. Proven by tests/pilot/test_login.py.
"""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.agent.login_port import KeyringOffer, LoginCode, LoginPort
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.key_entry import keeping_words

DONE = "done"
"""The login is there and in use."""
_ADVICE = "Type it on that page only. Copilot counts the prompts that you write, nothing else."
_SHORT_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""


class CopilotLoginScreen(Dialog[str | None]):
    """A login to GitHub Copilot; closes with ``DONE``, or ``None`` when it is given up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy_code", "Copy the code", show=False),
        Binding("k", "switch_keeping", "Keep it in the keyring", show=False),
        Binding("enter", "again", "Begin again", show=False),
        Binding("escape", "close", "Give it up", show=False),
    ]

    def __init__(self, login: LoginPort, *, copy: Callable[[str], None]) -> None:
        """Show it; the login begins with the screen.

        Args:
            login: What logs in.
            copy: Puts a text into the clipboard and says so.
        """
        super().__init__(title="Log in to GitHub Copilot", kind="login")
        self._login = login
        self._copy = copy
        self._code: LoginCode | None = None
        self._keyring: KeyringOffer | None = None
        self._is_kept = False
        self._has_failed = False
        self._steps = Static(id="login-steps", classes="dialog-text", markup=False)
        self._state = Static(id="login-state", markup=False)

    def compose_parts(self) -> list[Widget]:
        """Show what to do, over what is waited for."""
        return [self._steps, self._state]

    def on_mount(self) -> None:
        """Begin at once."""
        self.run_worker(self._look_for_keyring(), name="keyring")
        self.action_again()

    def action_again(self) -> None:
        """Begin the login, the first time or after it failed."""
        if self._code is None or self._has_failed:
            self._has_failed, self._code = False, None
            self._steps.update(Content("GitHub is asked for a code …"))
            self._state.update(Content(""))
            self.box.show_hint("esc gives it up")
            self.run_worker(self._log_in(), name="login", group="login", exclusive=True)

    def action_copy_code(self) -> None:
        """Copy the code, while there is one."""
        if self._code is not None:
            self._copy(self._code.user_code)

    def action_switch_keeping(self) -> None:
        """Keep the login in the keyring, or do not."""
        if self._keyring is not None and self._keyring.is_usable:
            self._is_kept = not self._is_kept
            self._say_waiting()

    def action_close(self) -> None:
        """Give the login up."""
        self.dismiss(None)

    async def _log_in(self) -> None:
        try:
            code = self._code = await self._login.begin_copilot()
            self._show_code(code)
            await self._login.finish_copilot()
        except ProviderError as error:
            # A code that leads nowhere any more is neither shown nor copied.
            self._has_failed, self._code = True, None
            self._steps.update(Content("The login did not work."))
            self._state.update(Content(f"{visible(str(error))} Enter begins again."))
            self.box.show_hint("enter begins again · esc gives it up")
            return
        problem = await self._login.keep_copilot() if self._is_kept else ""
        if problem:
            self.notify(f"The login was not kept: {visible(problem)}", markup=False)
        self.dismiss(DONE)

    def on_resize(self) -> None:
        """Say it in fewer rows on a small screen."""
        if self._code is not None and not self._has_failed:
            self._show_code(self._code)

    def _show_code(self, code: LoginCode) -> None:
        self.box.show_hint("c copies it · esc gives it up")
        is_short = self.size.height < _SHORT_BELOW
        gap = "\n" if is_short else "\n\n"
        address = visible(code.address, keeps_newlines=False, marks_look_alikes=True)
        self._steps.update(
            Content.assemble(
                f"Open this page in a browser, on any device:{gap}  ",
                (address, "bold"),
                f"{gap}and type this code there:{gap}  ",
                (visible(code.user_code, keeps_newlines=False), "bold reverse"),
                "" if is_short else f"{gap}{_ADVICE}",
            )
        )
        self._say_waiting()

    async def _look_for_keyring(self) -> None:
        self._keyring = await self._login.find_keyring()
        self._say_waiting()

    def _say_waiting(self) -> None:
        if self._code is None or self._has_failed:
            return
        self._state.update(
            Content(
                "waiting for GitHub …\n"
                + keeping_words(self._keyring, key="k", is_kept=self._is_kept)
            )
        )

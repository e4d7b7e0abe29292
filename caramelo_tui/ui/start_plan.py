"""Say what the app needs to know before it has an agent.

Owns the values between the composition and the start screens. Imports neither Textual nor any
room but the agent's port, so that the command line can build a plan cheaply. Proven by
tests/pilot/test_start.py.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from caramelo_tui.domain.key_wishes import KeyWishes
from caramelo_tui.domain.trust import TrustChoice

if TYPE_CHECKING:
    # The events behind the port are many classes; the first paint does without them.
    from caramelo_tui.agent.login_port import ChosenModel, LoginPort
    from caramelo_tui.agent.port import AgentPort
    from caramelo_tui.domain.ids import SessionId


class ProviderChoice(StrEnum):
    """The answer when no model can be reached; quitting leaves the app instead."""

    DEMO = "demo"
    COPILOT = "copilot"
    """Log in to GitHub Copilot."""
    KEY = "key"
    """Type a key."""
    SERVER = "server"
    """Use a server that was found on this machine."""


KeptSizes = Mapping[str, Mapping[str, int]]
"""By size class of the screen (``wide``, ``medium``) and border (``files``, ``changes``,
``tools``): the part of the screen that the pane has, in thousandths."""


class LayoutStore(Protocol):
    """Keeps the sizes of the panes for one workspace."""

    def load(self) -> KeptSizes:
        """Return what was kept, nothing when there is none or it cannot be read. Quick."""
        ...

    def save(self, sizes: KeptSizes) -> None:
        """Keep sizes instead of those before. Blocks.

        Raises:
            OSError: If they cannot be written.
        """
        ...


class DraftStore(Protocol):
    """Keeps what stands in the prompt unsent."""

    def load(self) -> str:
        """Return what an ended program left, once; empty when nothing. Quick."""
        ...

    def save(self, text: str) -> None:
        """Keep a draft instead of the one before; blank: none. Blocks.

        Raises:
            OSError: If it cannot be written.
        """
        ...

    def close(self) -> None:
        """Let the next program have it; idempotent."""
        ...


class FrameStore(Protocol):
    """Keeps the first picture of starts with the same words."""

    @property
    def depends_on(self) -> Sequence[Path]:
        """Files and folders whose change makes the picture another one."""
        ...

    def save(self, text: str) -> None:
        """Keep a picture instead of the one before. Blocks.

        Raises:
            OSError: If it cannot be written.
        """
        ...


def no_report(_error: BaseException | None) -> str:
    """Write no report."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPlan:
    """How the app gets from the first paint to a working agent."""

    workspace: Path
    """Resolved root, shown while there is no agent yet."""
    build_agent: "Callable[[], Awaitable[AgentPort]]"
    """Called once, after the questions. Raises ``CarameloError`` with a text for the user when
    no agent can be built; the app then ends with exit code 1 and shows the text."""
    open_session: "Callable[[SessionId], Awaitable[AgentPort]] | None" = None
    """Builds an agent that goes on with a stored session of the workspace, while another one may
    still be there; raises as ``build_agent``. ``None``: there are no sessions to go on with."""
    picks_session: bool = False
    """Whether the user picks a stored session as soon as the panes are there."""
    needs_trust: Path | None = None
    """Real folder to ask about, or ``None`` when the question is settled."""
    offers_trust: bool = True
    """``False`` for HOME and ``/``: the screen warns and offers restricted work only."""
    on_trust: Callable[[TrustChoice], None] = lambda _choice: None
    """Told the answer before ``build_agent``; stores it."""
    needs_provider: bool = False
    """Whether no provider is set and no key is present."""
    key_lines: tuple[str, ...] = ()
    """Shell lines that set a key, shown literally on the first-start screen."""
    on_provider: Callable[[ProviderChoice], None] = lambda _choice: None
    """Told before ``build_agent`` that the demo was chosen."""
    provider_note: str = ""
    """Why the first-start screen is shown although a provider is set; empty: none is."""
    wanted_provider: str = ""
    """The provider that is set and has no key; empty: none is."""
    model_missing_at: str = ""
    """The provider that is set, has a key and no model; empty: there is a model, or no provider."""
    make_login: "Callable[[], LoginPort] | None" = None
    """Gives what the first-start screen logs in with; ``None``: it offers the demo only."""
    on_login: "Callable[[ChosenModel], None]" = lambda _chosen: None
    """Told before ``build_agent`` whom to work with after a login."""
    theme: str | None = None
    """Theme asked for; ``None``: the default, or mono where ``NO_COLOR`` is set."""
    user_themes: Path | None = None
    """Folder with the user's themes; may be missing."""
    history_path: Path | None = None
    """File of this workspace's earlier prompts, JSON lines; ``None``: kept in memory only."""
    keys: KeyWishes = KeyWishes()  # noqa: RUF009 - a frozen value
    """Keys that the user wants for actions, instead of the defaults."""
    layout: LayoutStore | None = None
    """Keeps the sizes of the panes; ``None``: they hold for this start."""
    draft: DraftStore | None = None
    """Keeps what stands in the prompt unsent; ``None``: nobody does."""
    frame: FrameStore | None = None
    """Keeps the first picture for the next start with the same words; ``None``: nobody does."""
    report_crash: Callable[[BaseException | None], str] = no_report
    """Writes down what ended the app by a fault of its own, and returns the lines that the user
    reads then; empty: the trace is shown."""
    notifies: bool = True
    """Whether bell and notification tell of what waits while nobody looks."""
    first_prompt: str = ""
    """Sent as soon as the agent is there (``caramelo -p``)."""
    first_draft: str = ""
    """Stands in the prompt at the start, to be sent or changed by the user."""
    demo_draft: str = ""
    """Stands there instead when the demo is chosen on the first-start screen."""

    @property
    def asks_first(self) -> bool:
        """Whether a question stands before there is an agent."""
        asks_provider = self.needs_provider or bool(self.model_missing_at)
        return self.needs_trust is not None or asks_provider

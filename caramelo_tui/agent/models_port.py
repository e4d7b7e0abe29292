"""What the user interface may ask about models.

Owns the protocol and its values; what answers it is put together by the composition. Proven by
tests/unit/composition/test_model_choice.py and tests/pilot/test_models.py.
"""

from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.prices import Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringModel:
    """The model that answers the main agent now."""

    provider: str
    """Name, as in the configuration."""
    model: str
    context_window: int | None = None
    """Tokens that it can hold; ``None`` when unknown."""
    endpoint_note: str = ""
    """Said when the address comes from the environment and is not the vendor's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """A model that can be chosen; what is ``None`` is unknown."""

    provider: str
    model: str
    """Outside text, where it comes from a server's own list."""
    context_window: int | None = None
    """Tokens."""
    prices: Prices | None = None
    tools: bool | None = None
    reasoning: bool | None = None
    images: bool | None = None
    is_current: bool = False
    missing: str = ""
    """What is missing to use the provider here, and how to get it; empty: nothing that is known
    without asking it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRow:
    """A role, and the model that it comes to."""

    name: str
    provider: str = ""
    model: str = ""
    note: str = ""
    """Why it is this one, or why it cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModels:
    """What a provider answered when it was asked for its models."""

    rows: tuple[ModelRow, ...] = ()
    problem: str = ""
    """Why there is no list; empty: there is."""


class ModelsPort(Protocol):
    """Which models there are, and which is used for what."""

    @property
    def answering(self) -> AnsweringModel:
        """The model that answers the main agent now."""
        ...

    @property
    def figures_of(self) -> str:
        """Day on which the figures were last compared with their sources, ``YYYY-MM-DD``."""
        ...

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """The models that are known without asking a provider, those of one together."""
        ...

    async def roles(self) -> tuple[RoleRow, ...]:
        """Return the roles that sub-agents can be given, and what each uses."""
        ...

    async def ask(self, provider: str) -> ServedModels:
        """Ask a provider for its own list; takes a few seconds at most."""
        ...

    async def choose(self, provider: str, model: str) -> str:
        """Have another model answer from the next turn on; an answer under way is finished.

        Args:
            provider: Name; empty: the one in use.
            model: Name at the provider; empty: the provider's default.

        Returns:
            Why not, with how to change that; empty: it is chosen.
        """
        ...

    async def choose_for_role(self, role: str, provider: str, model: str) -> str:
        """Have sub-agents of a role use a model, to the end of the session; else like ``choose``.

        A role of any other name comes to be.
        """
        ...


class SessionModels(ModelsPort, Protocol):
    """The same, for the controller."""

    def end_run(self) -> None:
        """Let a model that was chosen during a run answer from here on."""
        ...


class FixedModel:
    """For a session whose model stays."""

    def __init__(self, answering: AnsweringModel) -> None:
        """Take the one model that there is."""
        self.answering = answering
        self.figures_of = ""
        self.rows: tuple[ModelRow, ...] = (
            ModelRow(provider=answering.provider, model=answering.model, is_current=True),
        )

    async def roles(self) -> tuple[RoleRow, ...]:
        """Return no roles."""
        return ()

    async def ask(self, provider: str) -> ServedModels:  # noqa: ARG002 - the protocol's parameter
        """Return that nobody can be asked."""
        return ServedModels(problem=_STAYS)

    async def choose(self, provider: str, model: str) -> str:  # noqa: ARG002 - the protocol's parameters
        """Return that the model stays."""
        return _STAYS

    async def choose_for_role(self, role: str, provider: str, model: str) -> str:  # noqa: ARG002 - the protocol's parameters
        """Return that there are no roles."""
        return _STAYS

    def end_run(self) -> None:
        """Do nothing."""


_STAYS = "The model of this session cannot be changed."

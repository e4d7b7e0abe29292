"""List every key of the configuration.

Owns the table: which file key, variable and flag sets which setting, how its value is read,
what holds when nobody sets it, and whether a workspace may tighten it. Proven by
tests/unit/config/test_keys.py and, against docs/configuration.md,
tests/unit/config/test_documents.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from caramelo_tui.config import readers, tightening
from caramelo_tui.config.readers import Reader
from caramelo_tui.config.settings import DEFAULT_TURNS_OF
from caramelo_tui.config.tightening import Tighten
from caramelo_tui.config.toml_file import dotted
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import ProtectedAction
from caramelo_tui.domain.profiles import (
    CARAMELO,
    CORE,
    CORE_MAX_DIFF_LINES,
    CORE_REQUIRE_APPROVAL_ABOVE,
)
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.domain.turn_limits import MAX_TURNS, MIN_TURNS
from caramelo_tui.providers.transport_choice import Transport

MAX_LINES = 1_000_000
"""Highest limit of changed lines: more is no limit."""
MAX_TIMEOUT_S = 7 * 24 * 3600
"""A week: more is a mistake in the unit."""
ANY_NAME = "*"
"""Stands in a key for a name that the user chooses."""


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _program_only(value: object) -> str:
    # A key may stand among the arguments.
    program, *arguments = cast("tuple[str, ...]", value)
    return f"{program} (and {len(arguments)} arguments)" if arguments else program


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting: where it may be set, how it is read, and who may change it."""

    path: tuple[str, ...]
    """Names of the file key from the outermost table inwards; empty: not set by a file."""
    field: str
    """Field of ``Settings`` that it sets or is a part of."""
    read: Reader
    variable: str | None = None
    """Environment variable that sets it."""
    flag: str | None = None
    """Command-line flag that sets it."""
    default: object = None
    """Value when nobody sets it; ``None``: decided elsewhere or nothing."""
    core_default: object = None
    """Value in profile ``core``, where it differs."""
    when_unset: str = "(none)"
    """Words for a value that is ``None`` or an empty list."""
    tighten: Tighten | None = None
    """How a trusted workspace may change it; ``None``: not at all."""
    show: Callable[[object], str] = _plain
    """Turns a value, or one element of a list, into words for ``config show``."""

    @property
    def name(self) -> str:
        """The dotted key; of a setting that no file sets, its variable."""
        return ".".join(self.path) or str(self.variable)

    @property
    def is_list(self) -> bool:
        """Whether each element has an origin of its own."""
        return self.read in _LIST_READERS

    def default_in(self, profile: str) -> object:
        """Return the value of a profile when nobody sets one."""
        return (
            self.default if profile == CARAMELO or self.core_default is None else self.core_default
        )

    def matches(self, path: tuple[str, ...]) -> bool:
        """Whether a path of a file names this key."""
        return len(path) == len(self.path) and all(
            own in {ANY_NAME, asked} for own, asked in zip(self.path, path, strict=True)
        )

    def holds_table(self, path: tuple[str, ...]) -> bool:
        """Whether a path names a table in which this key stands."""
        return len(path) < len(self.path) and all(
            own in {ANY_NAME, asked} for own, asked in zip(self.path, path, strict=False)
        )


_LIST_READERS = (readers.texts, readers.tool_names, readers.variable_names, readers.hosts)

KEYS: tuple[Key, ...] = (
    Key(
        path=("provider", "name"),
        field="provider",
        read=readers.provider,
        variable="CARAMELO_PROVIDER",
        flag="--provider",
        when_unset="(the one whose key is present)",
    ),
    Key(
        path=("provider", "model"),
        field="model",
        read=readers.text,
        variable="CARAMELO_MODEL",
        flag="--model",
        when_unset="(the provider's default)",
    ),
    Key(
        path=("provider", "base_url"),
        field="base_url",
        read=readers.base_url,
        variable="CARAMELO_BASE_URL",
        flag="--base-url",
        when_unset="(the vendor's)",
    ),
    Key(
        path=("provider", "key_env"),
        field="key_env",
        read=readers.variable,
        when_unset="(the vendor's own)",
    ),
    Key(
        path=("provider", "key_command"),
        field="key_command",
        read=readers.command,
        default=(),
        show=_program_only,
    ),
    Key(
        path=("provider", "transport"),
        field="transport",
        read=readers.transport,
        default=Transport.AUTO,
    ),
    Key(
        path=("providers", ANY_NAME, "base_url"),
        field="endpoints",
        read=readers.base_url,
        when_unset="(the preset's)",
    ),
    Key(
        path=("providers", ANY_NAME, "key_env"),
        field="endpoints",
        read=readers.variable,
        when_unset="(the preset's own)",
    ),
    Key(
        path=("providers", ANY_NAME, "key_command"),
        field="endpoints",
        read=readers.command,
        default=(),
        show=_program_only,
    ),
    Key(
        path=("providers", ANY_NAME, "model"),
        field="endpoints",
        read=readers.text,
        when_unset="(the preset's default)",
    ),
    Key(
        path=("providers", ANY_NAME, "like"),
        field="endpoints",
        read=readers.preset,
        when_unset="(plain Chat Completions)",
    ),
    Key(
        path=("roles", ANY_NAME, "provider"),
        field="roles",
        read=readers.provider,
        when_unset="(the parent's)",
    ),
    Key(
        path=("roles", ANY_NAME, "model"),
        field="roles",
        read=readers.text,
        when_unset="(the parent's, or the provider's default)",
    ),
    Key(
        path=("tools", "profile"),
        field="profile",
        read=readers.profile,
        variable="CARAMELO_PROFILE",
        flag="--profile",
        default=CARAMELO,
    ),
    Key(path=("tools", "enable"), field="enabled_tools", read=readers.tool_names, default=()),
    Key(
        path=("tools", "disable"),
        field="disabled_tools",
        read=readers.tool_names,
        default=(),
        tighten=tightening.add,
    ),
    Key(
        path=("tools", "run_command", "model_output_kb"),
        field="run_command_output_kb",
        read=readers.whole_number(64, 10_240),
        default=64,
    ),
    Key(
        path=("tools", "run_command", "max_timeout_s"),
        field="run_command_max_timeout_s",
        read=readers.whole_number(1, MAX_TIMEOUT_S),
        default=600,
    ),
    Key(
        path=("approval", "mode"),
        field="mode",
        read=readers.mode,
        variable="CARAMELO_MODE",
        flag="--mode",
        default=ApprovalMode.REVIEW,
        tighten=tightening.stricter_mode,
    ),
    Key(
        path=("policy", "protected_paths"),
        field="policy",
        read=readers.texts,
        default=(),
        when_unset="(only the built-in ones)",
        tighten=tightening.add,
    ),
    Key(
        path=("policy", "blocked_commands"),
        field="policy",
        read=readers.texts,
        default=(),
        when_unset="(only the built-in ones)",
        tighten=tightening.add,
    ),
    Key(
        path=("policy", "max_diff_lines"),
        field="policy",
        read=readers.whole_number(0, MAX_LINES),
        core_default=CORE_MAX_DIFF_LINES,
        when_unset="(no limit)",
        tighten=tightening.lower,
    ),
    Key(
        path=("policy", "require_approval_above"),
        field="policy",
        read=readers.whole_number(0, MAX_LINES),
        core_default=CORE_REQUIRE_APPROVAL_ABOVE,
        when_unset="(no limit)",
        tighten=tightening.lower,
    ),
    Key(
        path=("policy", "protected_path_action"),
        field="policy",
        read=readers.protected_action,
        default=ProtectedAction.ASK,
        tighten=tightening.stricter_action,
    ),
    Key(path=("skills", "trust"), field="trusted_skills", read=readers.texts, default=()),
    Key(
        path=("limits", "turns"),
        field="turns",
        read=readers.whole_number(MIN_TURNS, MAX_TURNS),
        default=DEFAULT_TURNS_OF[CARAMELO],
        core_default=DEFAULT_TURNS_OF[CORE],
        tighten=tightening.lower,
    ),
    Key(
        path=("limits", "stall_s"),
        field="stall_s",
        read=readers.stall,
        default=300.0,
        tighten=tightening.lower,
        show=lambda value: f"{value:g}",
    ),
    Key(
        path=("limits", "context_compact_at"),
        field="compact_at",
        read=readers.window_part,
        default=0.75,
        tighten=tightening.lower,
        show=lambda value: f"{value:g}",
    ),
    Key(
        path=("checkpoints", "keep_days"),
        field="checkpoint_days",
        read=readers.whole_number(1, 3_650),
        default=30,
    ),
    Key(
        path=("checkpoints", "keep_mb"),
        field="checkpoint_mb",
        read=readers.whole_number(1, 1_048_576),
        default=512,
    ),
    Key(
        path=("commands", "env_allow"),
        field="env_allow",
        read=readers.variable_names,
        default=(),
    ),
    Key(
        path=("commands", "sandbox"),
        field="sandbox",
        read=readers.sandbox,
        default=CommandSandbox.NONE,
    ),
    Key(
        path=("commands", "sandbox_network"),
        field="sandbox_has_network",
        read=readers.boolean,
        default=False,
    ),
    Key(path=("web", "allow_hosts"), field="web", read=readers.hosts, default=()),
    Key(path=("web", "ask_new_hosts"), field="web", read=readers.boolean, default=False),
    Key(
        path=("ui", "theme"),
        field="theme",
        read=readers.text,
        flag="--theme",
        when_unset="(the default, or the one without colours where NO_COLOR is set)",
    ),
    Key(path=("ui", "notify"), field="notifies", read=readers.boolean, default=True),
    Key(path=("ui", "linear"), field="is_linear", read=readers.boolean, default=False),
    Key(
        path=(),
        field="is_debug",
        read=readers.switch,
        variable="CARAMELO_DEBUG",
        flag="--debug",
        default=False,
    ),
)
"""Every setting that this version knows, in the order in which it is shown."""


def key_of(path: tuple[str, ...]) -> Key | None:
    """Return the key that a path of a file names, ``None`` when there is none."""
    return next((key for key in KEYS if key.path and key.matches(path)), None)


def is_table(path: tuple[str, ...]) -> bool:
    """Whether a path names a table that may stand empty in a file."""
    return any(key.holds_table(path) for key in KEYS)


def unknown_key(path: tuple[str, ...], *, lists_known: bool = False) -> str:
    """Return what is said of a path that names no key: the nearest one, where one is near.

    Args:
        path: Names from the outermost table inwards.
        lists_known: Whether all keys are listed where none is near.
    """
    # Only a mistake needs it.
    import difflib  # noqa: PLC0415 - see above

    known = sorted(dotted(_filled(key.path, path)) for key in KEYS if key.path)
    everything = f"; known keys: {', '.join(known)}" if lists_known else ""
    near = difflib.get_close_matches(dotted(path), known, n=1)
    return f"unknown key; did you mean {near[0]}?" if near else f"unknown key{everything}"


def _filled(key: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    # The name that the user chose stands in the hint, where there is one.
    is_near = len(path) > 1 and path[0] == key[0]
    return tuple(
        (path[index] if is_near else "NAME") if part == ANY_NAME else part
        for index, part in enumerate(key)
    )

"""Merge the layers of settings: defaults, user file, environment, flags.

Owns the table of keys: which file key, variable and flag sets which field, and what is
allowed. A wrong value names its source, key and what is allowed; an unknown key names the
nearest known one. Files of a workspace are never read here. Proven by
tests/unit/config/test_loader.py.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from caramelo_tui.config.settings import TOOL_NAMES, ProviderName, Settings
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.turn_limits import MAX_TURNS, MIN_TURNS

MAX_STALL_S = 3600.0
"""An hour without a byte is no stream any more."""
MODE_TEXTS = (
    *("review", "each", "auto"),
    *("auto-reads-batched-writes", "per-call", "auto-all"),
)
"""Short and long names of the offered approval modes."""
RESERVED_KEYS = (
    *("policy.", "providers.", "roles.", "web.", "tools.run_command."),
    *("provider.key_command", "tools.enable", "limits.context_compact_at"),
    *("commands.sandbox", "ui.notify", "ui.linear"),
)
"""Keys and tables of later versions. They are refused rather than ignored: a rule that is not
obeyed must not look as if it were."""

_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Reader = Callable[[object], object]
"""Turns a raw value into the field's; raises ``ValueError`` with what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting: where it may be set and how it is read."""

    file_key: str
    """Dotted key in ``config.toml``; empty: not set by a file."""
    field: str
    """Field of ``Settings``."""
    read: Reader
    variable: str | None = None
    """Environment variable that sets it."""
    flag: str | None = None
    """Command-line flag that sets it."""


def load_settings(
    *,
    user_file: Path,
    is_file_required: bool,
    environment: Mapping[str, str],
    flags: Mapping[str, str | None],
) -> Settings:
    """Return the settings; later layers win: file, environment, flags.

    Args:
        user_file: The user's ``config.toml``, or the file given by ``--config``.
        is_file_required: Whether a missing file is an error.
        environment: The process's variables.
        flags: Flag (such as ``--model``) to its text; ``None`` or absent: not given.

    Raises:
        ConfigError: Naming source, key and what is allowed.
    """
    fields: dict[str, object] = dict(_from_file(user_file, is_file_required=is_file_required))
    for key in KEYS:
        if key.variable and environment.get(key.variable):
            fields[key.field] = _read(key, environment[key.variable], source=key.variable)
        text = flags.get(key.flag) if key.flag else None
        if text is not None:
            fields[key.field] = _read(key, text, source=str(key.flag))
    return replace(Settings(), **fields)  # type: ignore[arg-type]  # the table's readers give each field its type


def _from_file(path: Path, *, is_file_required: bool) -> dict[str, object]:
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        if is_file_required:
            raise ConfigError(path, "", "does not exist") from error
        return {}
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read ({error.strerror})") from error
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(path, "", f"is not valid TOML: {error}") from error
    known = {key.file_key: key for key in KEYS if key.file_key}
    fields: dict[str, object] = {}
    for dotted, value in _flatten(raw):
        if dotted not in known:
            raise ConfigError(path, dotted, _unknown_key(dotted, tuple(known)))
        fields[known[dotted].field] = _read(known[dotted], value, source=f"{path}: {dotted}")
    return fields


def _flatten(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            rows.extend(_flatten(cast("dict[str, object]", value), f"{prefix}{name}."))
        else:
            rows.append((f"{prefix}{name}", value))
    return rows


def _unknown_key(dotted: str, known: tuple[str, ...]) -> str:
    if f"{dotted}.".startswith(RESERVED_KEYS):
        return f"is not offered by this version; known keys: {', '.join(sorted(known))}"
    near = difflib.get_close_matches(dotted, known, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else f"; known keys: {', '.join(sorted(known))}"
    return f"unknown key{hint}"


def _read(key: Key, value: object, *, source: str) -> object:
    try:
        return key.read(value)
    except ValueError as error:
        raise ConfigError(
            source, "" if key.file_key in source else key.file_key, str(error)
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        msg = f"must be a text that is not empty, not {value!r}"
        raise ValueError(msg)
    return value


def _tool_names(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if name not in TOOL_NAMES:
            msg = f"there is no tool {name!r}; known: {', '.join(TOOL_NAMES)}"
            raise ValueError(msg)
    return names


def _switch(value: object) -> bool:
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    text = str(value).lower()
    if text not in known:
        msg = f"must be 1 or 0, not {value!r}"
        raise ValueError(msg)
    return known[text]


def _texts(value: object) -> tuple[str, ...]:
    items = cast("list[object]", value) if isinstance(value, list) else None
    if items is None or not all(isinstance(item, str) for item in items):
        msg = f"must be a list of texts, not {value!r}"
        raise ValueError(msg)
    return tuple(str(item) for item in items)


def _provider(value: object) -> ProviderName:
    allowed = [name.value for name in ProviderName]
    if value not in allowed:
        msg = f"unknown provider {value!r}; allowed: {', '.join(allowed)}"
        raise ValueError(msg)
    return ProviderName(str(value))


def _profile(value: object) -> str:
    if value != "caramelo":
        msg = f"unknown profile {value!r}; this version offers: caramelo"
        raise ValueError(msg)
    return "caramelo"


def _mode(value: object) -> ApprovalMode:
    if value not in MODE_TEXTS:
        what = "mode plan is not offered by this version"
        what = what if value == "plan" else f"unknown mode {value!r}"
        msg = f"{what}; allowed: {', '.join(MODE_TEXTS)}"
        raise ValueError(msg)
    return ApprovalMode.parse(str(value))


def read_base_url(value: object) -> str:
    """Return the address of an endpoint.

    Raises:
        ValueError: If it cannot be used. The message never repeats the value: people paste keys
            into the wrong variable.
    """
    text = _text(value)
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError("must be an http:// or https:// address") from None
    if "@" in parts.netloc:
        raise ValueError("must not hold a user name or password; set the key's variable instead")
    if "?" in text or "#" in text:
        raise ValueError("must not hold a query (?) or a fragment (#)")
    if not is_usable or not text.isprintable() or " " in text:
        raise ValueError("must be an http:// or https:// address that names a host")
    return text


def _variable(value: object) -> str:
    if not isinstance(value, str) or not _VARIABLE_NAME.fullmatch(value):
        raise ValueError("must be the name of an environment variable, never the key itself")
    return value


def _turns(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not MIN_TURNS <= value <= MAX_TURNS:
        msg = f"must be a whole number from {MIN_TURNS} to {MAX_TURNS}, not {value!r}"
        raise ValueError(msg)
    return value


def _stall(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 1 <= cast("float", value) <= MAX_STALL_S:
        msg = f"must be seconds from 1 to {MAX_STALL_S:.0f}, not {value!r}"
        raise ValueError(msg)
    return float(cast("float", value))


KEYS: tuple[Key, ...] = (
    Key(
        file_key="provider.name",
        field="provider",
        read=_provider,
        variable="CARAMELO_PROVIDER",
        flag="--provider",
    ),
    Key(
        file_key="provider.model",
        field="model",
        read=_text,
        variable="CARAMELO_MODEL",
        flag="--model",
    ),
    Key(
        file_key="provider.base_url",
        field="base_url",
        read=read_base_url,
        variable="CARAMELO_BASE_URL",
        flag="--base-url",
    ),
    Key(file_key="provider.key_env", field="key_env", read=_variable),
    Key(
        file_key="tools.profile",
        field="profile",
        read=_profile,
        variable="CARAMELO_PROFILE",
        flag="--profile",
    ),
    Key(
        file_key="approval.mode",
        field="mode",
        read=_mode,
        variable="CARAMELO_MODE",
        flag="--mode",
    ),
    Key(file_key="tools.disable", field="disabled_tools", read=_tool_names),
    Key(file_key="limits.turns", field="turns", read=_turns),
    Key(file_key="limits.stall_s", field="stall_s", read=_stall),
    Key(file_key="commands.env_allow", field="env_allow", read=_texts),
    Key(file_key="ui.theme", field="theme", read=_text, flag="--theme"),
    Key(file_key="", field="is_debug", read=_switch, variable="CARAMELO_DEBUG"),
)
"""Every setting that this version knows."""

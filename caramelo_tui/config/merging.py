"""Merge the layers of one start, each value with where it came from.

Owns the order of the layers (defaults, the user's file, the workspace's, variables, flags) and
the values between reading and ``Settings``. Reads no file. Proven by
tests/unit/config/test_merging.py and tests/property/test_workspace_settings.py.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from caramelo_tui.config.keys import KEYS, Key, is_table, key_of, unknown_key
from caramelo_tui.config.readers import LONGEST_NAME, BadElement, is_name, unknown_provider
from caramelo_tui.config.settings import EndpointTable, ProviderName, Settings
from caramelo_tui.config.toml_file import FileValue
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction, Rule
from caramelo_tui.domain.profiles import CARAMELO
from caramelo_tui.domain.roles import RoleSettings
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.providers.presets import PRESETS

MOST_HINTS = 100
"""Unknown keys of a workspace's file for which the nearest known one is looked for."""
_TEXT_FIELDS = ("provider", "model")
_TABLE_FIELDS = ("base_url", "key_env", "key_command", "model", "like")
_OF_ONE_PROVIDER = ("model", "base_url", "key_env", "key_command")
"""What ``[provider]`` says of the provider that it names, and of no other."""
_NAMED_TABLES = {"roles": "a role", "providers": "an endpoint"}
_NOT_PLAIN = {"policy", "web", "roles", "endpoints", "provider"}
"""Fields of ``Settings`` that are made of several keys, or of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sourced:
    """A value and where it came from."""

    key: Key
    value: object
    origin: str
    """File and line of the key, a variable, or a flag."""
    element_origins: tuple[str, ...] = ()
    """Of a list, the same for each element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTaken:
    """Something in a workspace's file that has no effect."""

    origin: str
    """File and line, or the file."""
    name: str
    """The dotted key; empty when the whole file is meant."""
    why: str

    @property
    def note(self) -> str:
        """One sentence for the start."""
        what = f"{self.origin}: {self.name}" if self.name else self.origin
        return f"Not taken from the workspace: {what}: {self.why}"


class Layers:
    """The values so far; each layer is laid over those before."""

    def __init__(self) -> None:
        self._values: dict[str, Sourced] = {}
        self._not_taken: list[NotTaken] = []
        self._named: dict[str, dict[str, None]] = {table: {} for table in _NAMED_TABLES}

    @property
    def values(self) -> Mapping[str, Sourced]:
        """What was set, by dotted key; of two values the later layer's."""
        return self._values

    @property
    def not_taken(self) -> tuple[NotTaken, ...]:
        """What a workspace asked for in vain, in the order of its file."""
        return tuple(self._not_taken)

    def lay_user_file(self, rows: Iterable[FileValue]) -> None:
        """Take the values of the user's own file.

        Raises:
            ConfigError: If a key is unknown or a value cannot be used.
        """
        for row in rows:
            key = key_of(row.path)
            if key is not None:
                self._values[row.name] = _read(key, row)
                self._note_name(row)
            elif row.value == {} and is_table(row.path):
                self._note_name(row)
            else:
                raise ConfigError(row.origin, row.name, unknown_key(row.path, lists_known=True))

    def lay_workspace_file(self, rows: Iterable[FileValue], *, profile: str) -> None:
        """Take what tightens of a trusted workspace's file; the rest becomes ``not_taken``.

        Args:
            rows: The file's values.
            profile: The profile in use: what is stricter depends on its own limits.
        """
        for row in rows:
            if row.value == {} and is_table(row.path):
                continue
            try:
                self._tighten(row, profile)
            except ConfigError as error:
                self.refuse(origin=error.source, name=row.name, why=error.problem)

    def lay_outer(self, environment: Mapping[str, str], flags: Mapping[str, str | None]) -> None:
        """Take the values of variables and, over them, of flags.

        Args:
            environment: The process's variables; an empty one counts as not set.
            flags: Flag (such as ``--model``) to its text; ``None`` or absent: not given.

        Raises:
            ConfigError: If a value cannot be used.
        """
        for key in KEYS:
            if key.variable and environment.get(key.variable):
                self._set_outer(key, environment[key.variable], key.variable)
            given = flags.get(key.flag) if key.flag else None
            if given is not None:
                self._set_outer(key, given, str(key.flag))

    def refuse(self, *, origin: str, name: str, why: str) -> None:
        """Note what of a workspace's file has no effect."""
        self._not_taken.append(NotTaken(origin=origin, name=name, why=why))

    def settings(self) -> Settings:
        """Return the settings that the layers amount to.

        Raises:
            ConfigError: If a provider is named that is neither a preset nor in a table.
        """
        plain = {
            sourced.key.field: sourced.value
            for sourced in self._values.values()
            if sourced.key.field not in _NOT_PLAIN
        }
        mode = self._values.get("approval.mode")
        provider, endpoint_name = self._provider()
        base = Settings(
            policy=self._policy(),
            web=self._web(),
            roles=self._role_settings(),
            endpoints=self._endpoints(),
            provider=provider,
            endpoint_name=endpoint_name,
        )
        return replace(
            base if mode is None else replace(base, mode_origin=mode.origin),
            **plain,  # type: ignore[arg-type]  # the table's readers give each field its type
        )

    def profile(self) -> str:
        """Return the tool profile that the layers so far choose."""
        chosen = self._values.get("tools.profile")
        return CARAMELO if chosen is None else cast("str", chosen.value)

    def _set_outer(self, key: Key, text: str, source: str) -> None:
        try:
            value = key.read(text)
        except ValueError as error:
            raise ConfigError(source, ".".join(key.path), str(error)) from error
        if key.field == "provider":
            self._forget_others(value)
        self._values[key.name] = Sourced(key=key, value=value, origin=source)

    def _tighten(self, row: FileValue, profile: str) -> None:
        key = key_of(row.path)
        if key is None:
            # A hostile file of thousands of keys must not hold up the start.
            is_explained = len(self._not_taken) < MOST_HINTS
            problem = unknown_key(row.path) if is_explained else "unknown key"
            raise ConfigError(row.origin, row.name, problem)
        if key.tighten is None:
            raise ConfigError(
                row.origin, row.name, "a workspace may not set it, only your own configuration"
            )
        asked = _read(key, row)
        present = self._values.get(row.name)
        value = key.default_in(profile) if present is None else present.value
        try:
            result = key.tighten(value, asked.value)
        except ValueError as error:
            raise ConfigError(row.origin, row.name, str(error)) from error
        if result == value:
            return
        kept = () if present is None else present.element_origins
        self._values[row.name] = replace(
            asked,
            value=result,
            origin=asked.origin if present is None or not key.is_list else present.origin,
            element_origins=(*kept, *_new_origins(result, asked, len(kept))),
        )

    def _forget_others(self, provider: object) -> None:
        """Leave out what the file says of another provider: its endpoint must not get a key."""
        named = self._values.get("provider.name")
        if named is not None and named.value != provider:
            for field in _OF_ONE_PROVIDER:
                self._values.pop(f"provider.{field}", None)

    def _note_name(self, row: FileValue) -> None:
        table = row.path[0]
        if table not in _NAMED_TABLES or len(row.path) == 1:
            return
        name = row.path[1]
        if not is_name(name):
            raise ConfigError(
                row.origin,
                row.name,
                f"the name of {_NAMED_TABLES[table]} must be letters, digits, - and _, "
                f"at most {LONGEST_NAME}",
            )
        self._named[table][name] = None

    def _provider(self) -> tuple[ProviderName | None, str]:
        """Return the provider, and the user's own endpoint where it is one.

        Raises:
            ConfigError: If a name is neither a preset's nor a table's.
        """
        for name in ("provider.name", *(f"roles.{role}.provider" for role in self._named["roles"])):
            found = self._values.get(name)
            own = self._named["providers"]
            if found is not None and found.value not in {*PRESETS, *own}:
                raise ConfigError(found.origin, name, unknown_provider(found.value, own))
        chosen = self._values.get("provider.name")
        if chosen is None:
            return None, ""
        text = str(chosen.value)
        return (ProviderName(text), "") if text in PRESETS else (ProviderName.CUSTOM, text)

    def _endpoints(self) -> dict[str, EndpointTable]:
        return {
            name: replace(
                EndpointTable(),
                **{  # type: ignore[arg-type]  # the table's readers give each field its type
                    field: sourced.value
                    for field in _TABLE_FIELDS
                    if (sourced := self._values.get(f"providers.{name}.{field}")) is not None
                },
            )
            for name in self._named["providers"]
        }

    def _role_settings(self) -> dict[str, RoleSettings]:
        return {
            name: RoleSettings(
                **{
                    field: str(sourced.value)
                    for field in _TEXT_FIELDS
                    if (sourced := self._values.get(f"roles.{name}.{field}")) is not None
                }
            )
            for name in self._named["roles"]
        }

    def _policy(self) -> PolicySettings:
        action = self._values.get("policy.protected_path_action")
        policy = PolicySettings(
            protected_paths=self._rules("policy.protected_paths"),
            blocked_commands=self._rules("policy.blocked_commands"),
            max_diff_lines=self._limit("policy.max_diff_lines"),
            require_approval_above=self._limit("policy.require_approval_above"),
        )
        if action is None:
            return policy
        return replace(
            policy,
            protected_action=cast("ProtectedAction", action.value),
            protected_action_origin=action.origin,
        )

    def _rules(self, name: str) -> tuple[Rule, ...]:
        found = self._values.get(name)
        if found is None:
            return ()
        texts = cast("tuple[str, ...]", found.value)
        return tuple(
            Rule(text=text, origin=origin)
            for text, origin in zip(texts, found.element_origins, strict=True)
        )

    def _limit(self, name: str) -> LineLimit | None:
        found = self._values.get(name)
        if found is None:
            return None
        return LineLimit(lines=cast("int", found.value), origin=found.origin)

    def _web(self) -> WebSettings:
        hosts = self._values.get("web.allow_hosts")
        asks = self._values.get("web.ask_new_hosts")
        return WebSettings(
            allow_hosts=() if hosts is None else cast("tuple[str, ...]", hosts.value),
            ask_new_hosts=asks is not None and bool(asks.value),
        )


def _read(key: Key, row: FileValue) -> Sourced:
    try:
        value = key.read(row.value)
    except BadElement as error:
        raise ConfigError(row.element_origin(error.index), row.name, str(error)) from error
    except ValueError as error:
        raise ConfigError(row.origin, row.name, str(error)) from error
    elements = tuple(row.element_origin(index) for index in range(len(row.element_lines)))
    return Sourced(
        key=key,
        value=value,
        origin=row.origin,
        element_origins=elements if key.is_list else (),
    )


def _new_origins(result: object, asked: Sourced, kept: int) -> tuple[str, ...]:
    if not asked.key.is_list:
        return ()
    # Of an element that stands twice, the first place counts.
    items = cast("tuple[str, ...]", asked.value)
    added = cast("tuple[str, ...]", result)[kept:]
    return tuple(asked.element_origins[items.index(item)] for item in added)

"""Turn raw values of the configuration into typed ones.

Owns what is allowed for each kind of value. A reader raises ``ValueError`` whose text says what
is allowed; it repeats no value that may be a secret in the wrong place. Proven by
tests/unit/config/test_readers.py and tests/unit/config/test_loader.py.
"""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeVar, cast
from urllib.parse import urlsplit

from caramelo_tui.config.settings import TOOL_NAMES, ProviderName
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.policy_settings import ProtectedAction
from caramelo_tui.domain.profiles import PROFILES
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.providers.presets import PRESETS, Wire
from caramelo_tui.providers.transport_choice import Transport

Reader = Callable[[object], object]
"""Turns a raw value into the setting's; raises ``ValueError`` with what is allowed."""

MODE_TEXTS = (
    *("plan", "review", "each", "auto"),
    *("auto-reads-batched-writes", "per-call", "auto-all"),
)
"""Short and long names of the approval modes."""
LOWEST_WINDOW_PART = 0.2
"""Below it a conversation would be compacted at every other turn."""
HIGHEST_WINDOW_PART = 0.95
"""Above it there is no room for an answer."""
MAX_STALL_S = 3600.0
"""An hour without a byte is no stream any more."""

_E = TypeVar("_E", bound=StrEnum)
_SHARED_WIRES = (Wire.MESSAGES, Wire.CHAT, Wire.RESPONSES)
"""What an endpoint of the user's own may speak."""
LONGEST_NAME = 32
"""Characters of a role's or an endpoint's name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PORT = re.compile(r"[0-9]{1,5}")
_HIGHEST_PORT = 65_535
_LONGEST_SHOWN = 60
"""Characters of a wrong value that an error repeats."""
_NO_HOST = re.compile(r"[/@*?#\\\s]")
MOST_ELEMENTS = 500
"""Of one list. Each write is compared with each pattern, each command with each entry."""
ELEMENT_CHARACTERS = 256
"""Of one element: a pattern of a hundred thousand brackets takes minutes to be made ready."""


class BadElement(ValueError):
    """One element of a list cannot be used.

    Attributes:
        index: Which one, from 0.
    """

    def __init__(self, index: int, problem: str) -> None:
        super().__init__(problem)
        self.index = index


def text(value: object) -> str:
    """Return a text that is not blank.

    Raises:
        ValueError: If it is anything else.
    """
    if not isinstance(value, str) or not value.strip():
        msg = f"must be a text that is not empty, not {_short(value)}"
        raise ValueError(msg)
    return value


def texts(value: object) -> tuple[str, ...]:
    """Return a list of texts, none of them blank.

    Raises:
        ValueError: If it is no list.
        BadElement: If an element is not such a text.
    """
    return _list_of(value, "must be a list of texts", lambda _: "")


def tool_names(value: object) -> tuple[str, ...]:
    """Return a list of tools' names.

    Raises:
        ValueError: If it is no list.
        BadElement: If an element names no tool of a profile.
    """

    def problem_of(name: str) -> str:
        is_known = name in TOOL_NAMES
        return (
            "" if is_known else f"there is no tool {_short(name)}; known: {', '.join(TOOL_NAMES)}"
        )

    return _list_of(value, "must be a list of texts", problem_of)


def variable_names(value: object) -> tuple[str, ...]:
    """Return a list of environment variables' names.

    Raises:
        ValueError: If it is no list.
        BadElement: If an element cannot be such a name.
    """

    def problem_of(name: str) -> str:
        return "" if _VARIABLE_NAME.fullmatch(name) else "must be names of environment variables"

    return _list_of(value, "must be a list of texts", problem_of)


def hosts(value: object) -> tuple[str, ...]:
    """Return a list of hosts, each a name or an address, with or without ``:port``.

    Raises:
        ValueError: If it is no list.
        BadElement: If an element is something else, such as an address with a path.
    """

    def problem_of(host: str) -> str:
        allowed = "must be hosts such as localhost, 10.0.0.5:8080 or [::1]:8080"
        return "" if _is_host(host) and _is_web_host(host) else f"{allowed}, not {_short(host)}"

    return _list_of(value, "must be a list of hosts", problem_of)


def command(value: object) -> tuple[str, ...]:
    """Return a program and its arguments.

    Raises:
        ValueError: If it is no list of texts or names no program. The value is not repeated: a
            key may have been pasted into it.
    """
    items = cast("list[object]", value) if isinstance(value, list) else []
    words = tuple(item for item in items if isinstance(item, str) and "\0" not in item)
    if not items or len(words) != len(items) or not words[0].strip():
        raise ValueError(
            'must be a list of texts, the program first, such as ["pass", "show", "name"]'
        )
    return words


def switch(value: object) -> bool:
    """Return what a variable or flag switches: ``1``, ``true``, ``yes`` or their opposites.

    Raises:
        ValueError: If it is anything else.
    """
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    word = str(value).lower()
    if word not in known:
        msg = f"must be 1 or 0, not {_short(value)}"
        raise ValueError(msg)
    return known[word]


def boolean(value: object) -> bool:
    """Return a TOML truth value.

    Raises:
        ValueError: If it is anything else.
    """
    if not isinstance(value, bool):
        msg = f"must be true or false, not {_short(value)}"
        raise ValueError(msg)  # noqa: TRY004 - one kind of error for all that is not allowed
    return value


def whole_number(lowest: int, highest: int) -> Reader:
    """Return a reader of whole numbers from ``lowest`` to ``highest``, both allowed."""

    def read(value: object) -> int:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number or not lowest <= cast("int", value) <= highest:
            msg = f"must be a whole number from {lowest} to {highest}, not {_short(value)}"
            raise ValueError(msg)
        return cast("int", value)

    return read


def stall(value: object) -> float:
    """Return seconds of silence.

    Raises:
        ValueError: If they are no number from 1 to ``MAX_STALL_S``.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 1 <= cast("float", value) <= MAX_STALL_S:
        msg = f"must be seconds from 1 to {MAX_STALL_S:.0f}, not {_short(value)}"
        raise ValueError(msg)
    return float(cast("float", value))


def window_part(value: object) -> float:
    """Return a part of the model's context window.

    Raises:
        ValueError: If it is no number from ``LOWEST_WINDOW_PART`` to ``HIGHEST_WINDOW_PART``.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    lowest, highest = LOWEST_WINDOW_PART, HIGHEST_WINDOW_PART
    if not is_number or not lowest <= cast("float", value) <= highest:
        msg = f"must be a part of the window from {lowest:g} to {highest:g}, not {_short(value)}"
        raise ValueError(msg)
    return float(cast("float", value))


def provider(value: object) -> str:
    """Return a provider's name: a preset's, or one that a table ``[providers.NAME]`` may have.

    Whether there is such a table is known once all layers are read.

    Raises:
        ValueError: If nothing can be called so.
    """
    if value not in PRESETS and not is_name(str(value)):
        raise ValueError(unknown_provider(value, ()))
    return str(value)


def preset(value: object) -> ProviderName:
    """Return a preset whose form other endpoints may speak.

    Raises:
        ValueError: If there is none of that name.
    """
    allowed = [name for name, each in PRESETS.items() if each.wire in _SHARED_WIRES]
    if value not in allowed:
        msg = f"unknown preset {_short(value)}; allowed: {', '.join(allowed)}"
        raise ValueError(msg)
    return ProviderName(str(value))


def unknown_provider(value: object, own: Iterable[str]) -> str:
    """Return what is said of a name that no provider has; ``own`` are the user's endpoints."""
    return f"unknown provider {_short(value)}; allowed: {', '.join((*PRESETS, *own))}"


def is_name(text: str) -> bool:
    """Whether a role or an endpoint can be called so."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None


def profile(value: object) -> str:
    """Return the name of a tool vocabulary.

    Raises:
        ValueError: If there is none of that name.
    """
    if value not in PROFILES:
        msg = f"unknown profile {_short(value)}; allowed: {', '.join(PROFILES)}"
        raise ValueError(msg)
    return str(value)


def mode(value: object) -> ApprovalMode:
    """Return an approval mode of a short or long name.

    Raises:
        ValueError: If there is none of that name.
    """
    if value not in MODE_TEXTS:
        msg = f"unknown mode {_short(value)}; allowed: {', '.join(MODE_TEXTS)}"
        raise ValueError(msg)
    return ApprovalMode.parse(str(value))


def protected_action(value: object) -> ProtectedAction:
    """Return what becomes of a write to a protected path.

    Raises:
        ValueError: If it is neither ``ask`` nor ``deny``.
    """
    return _one_of(ProtectedAction, value)


def sandbox(value: object) -> CommandSandbox:
    """Return where commands run.

    Raises:
        ValueError: If it is neither ``none`` nor ``bwrap``.
    """
    return _one_of(CommandSandbox, value)


def transport(value: object) -> Transport:
    """Return what carries requests.

    Raises:
        ValueError: If it is none of ``auto``, ``thin`` and ``sdk``.
    """
    return _one_of(Transport, value)


def _one_of(kind: type[_E], value: object) -> _E:
    allowed = [each.value for each in kind]
    if value not in allowed:
        msg = f"must be {' or '.join(allowed)}, not {_short(value)}"
        raise ValueError(msg)
    return kind(str(value))


def base_url(value: object) -> str:
    """Return the address of an endpoint.

    Raises:
        ValueError: If it cannot be used. The message never repeats the value: people paste keys
            into the wrong variable.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be an http:// or https:// address")
    try:
        parts = urlsplit(value)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError("must be an http:// or https:// address") from None
    if "@" in parts.netloc:
        raise ValueError("must not hold a user name or password; set the key's variable instead")
    if "?" in value or "#" in value:
        raise ValueError("must not hold a query (?) or a fragment (#)")
    if not is_usable or not value.isprintable() or " " in value:
        raise ValueError("must be an http:// or https:// address that names a host")
    return value


def variable(value: object) -> str:
    """Return the name of an environment variable.

    Raises:
        ValueError: If it cannot be one. The message never repeats the value.
    """
    if not isinstance(value, str) or not _VARIABLE_NAME.fullmatch(value):
        raise ValueError("must be the name of an environment variable, never the key itself")
    return value


def _list_of(value: object, must_be: str, problem_of: Callable[[str], str]) -> tuple[str, ...]:
    if not isinstance(value, list):
        msg = f"{must_be}, not {_short(value)}"
        raise ValueError(msg)  # noqa: TRY004 - one kind of error for all that is not allowed
    items = cast("list[object]", value)
    if len(items) > MOST_ELEMENTS:
        msg = f"must have at most {MOST_ELEMENTS} elements, not {len(items)}"
        raise ValueError(msg)
    found: list[str] = []
    for index, item in enumerate(items):
        if not isinstance(item, str) or not item.strip():
            raise BadElement(index, f"{must_be} that are not empty, not {_short(item)}")
        if len(item) > ELEMENT_CHARACTERS:
            raise BadElement(index, f"must have at most {ELEMENT_CHARACTERS} characters each")
        problem = problem_of(item)
        if problem:
            raise BadElement(index, problem)
        found.append(item)
    return tuple(found)


def _is_host(host: str) -> bool:
    if _NO_HOST.search(host):
        return False
    if host.startswith("["):
        address, bracket, rest = host[1:].partition("]")
        is_port = not rest or (rest.startswith(":") and _is_port(rest[1:]))
        return bool(bracket) and ":" in address and is_port
    if host.count(":") > 1:
        # An address of version 6 without brackets has no port.
        return True
    name, colon, port = host.partition(":")
    return bool(name) and (not colon or _is_port(port))


def _is_web_host(host: str) -> bool:
    # What web_fetch would refuse is refused here, where the line is known. Whoever names no host
    # starts without the rules of the web.
    from caramelo_tui.tools.web.host_rules import HostRules  # noqa: PLC0415 - see above

    try:
        HostRules((host,))
    except ConfigError:
        return False
    return True


def _is_port(digits: str) -> bool:
    return bool(_PORT.fullmatch(digits)) and 0 < int(digits) <= _HIGHEST_PORT


def _short(value: object) -> str:
    # A number may have thousands of digits, a list thousands of elements.
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"

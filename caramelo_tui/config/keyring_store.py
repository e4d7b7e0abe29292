"""Keep keys in the system's keyring, where the user wants it and the machine has one.

Owns the child process that speaks with it: started for one request, with a time limit, with no
key in its arguments or its environment. A keyring that hangs or fails is one that is not there.
Proven by tests/unit/config/test_keyring_store.py.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from caramelo_tui.config.locations import home_or_root

EXTRA = "caramelo-tui[keyring]"
"""What is installed to have it."""
PROBE_LIMIT_S = 5.0
"""Seconds for finding out whether there is one."""
ASK_LIMIT_S = 60.0
"""Seconds for a request; the user may have to unlock the keyring meanwhile."""
_CHILD = "caramelo_tui.config.keyring_child"
_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringState:
    """Whether keys can be kept."""

    is_usable: bool
    backend: str = ""
    """Name of what keeps them."""
    problem: str = ""
    """Why it is not usable, and what helps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What the child said; ``problem`` when it is of no use."""

    backend: str = ""
    keys: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    problem: str = ""


class KeyringStore:
    """The system's keyring, asked in a child process."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        command: Sequence[str] = (),
        probe_limit_s: float = PROBE_LIMIT_S,
        ask_limit_s: float = ASK_LIMIT_S,
    ) -> None:
        """Set it up; nothing is started yet.

        Args:
            environment: The user's variables.
            command: What is started instead of our own child.
            probe_limit_s: Seconds for the probe.
            ask_limit_s: Seconds for each other request.
        """
        self._environment = environment
        self._command = (*command,) or (sys.executable, "-I", "-m", _CHILD)
        self._is_installed = bool(command) or importlib.util.find_spec("keyring") is not None
        self._probe_limit_s = probe_limit_s
        self._ask_limit_s = ask_limit_s
        self._state: KeyringState | None = None
        self._hidden: frozenset[str] = frozenset()

    @property
    def is_installed(self) -> bool:
        """Whether the extra is there; nothing is started to find out."""
        return self._is_installed

    def hide(self, names: Collection[str]) -> None:
        """Pass these variables on no more: settings name them as keys, whatever they are called."""
        self._hidden = frozenset(names)

    def probe(self) -> KeyringState:
        """Return whether keys can be kept; found out once. Blocks for some seconds at most."""
        if self._state is None:
            self._state = self._probed()
        return self._state

    def read(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the keys that are kept, by provider; empty where there is no keyring. Blocks."""
        if not self.probe().is_usable:
            return {}
        return self._ask({"do": "read", "names": [*names]}, self._ask_limit_s).keys

    def write(self, name: str, key: str) -> str:
        """Keep a key; blocks.

        Returns:
            What went wrong, in words for the user; empty: it is kept.
        """
        state = self.probe()
        if not state.is_usable:
            return state.problem
        return self._ask({"do": "write", "names": [name], "key": key}, self._ask_limit_s).problem

    def delete(self, name: str) -> str:
        """Keep a provider's key no longer; blocks. Returns what went wrong, empty: it is gone."""
        state = self.probe()
        if not state.is_usable:
            return state.problem
        return self._ask({"do": "delete", "names": [name]}, self._ask_limit_s).problem

    def _probed(self) -> KeyringState:
        if not self._is_installed:
            return KeyringState(is_usable=False, problem=_not_installed())
        told = self._ask({"do": "probe"}, self._probe_limit_s)
        return KeyringState(is_usable=not told.problem, backend=told.backend, problem=told.problem)

    def _ask(self, request: Mapping[str, object], limit_s: float) -> _Told:
        # Loaded by those who have a keyring: the first paint of others does without it.
        from caramelo_tui.tools.child_environment import ChildEnvironment  # noqa: PLC0415 - see above

        try:
            done = subprocess.run(  # noqa: S603 - our own module, without a shell
                self._command,
                input=json.dumps(request).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home_or_root(self._environment),
                env=ChildEnvironment(self._environment, provider_names=self._hidden).variables(),
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _Told(problem=f"the keyring did not answer within {limit_s:g} s")
        except OSError as error:
            return _Told(problem=f"the keyring cannot be asked ({error.strerror})")
        return _told(done.stdout[:_LIMIT_BYTES])


def _told(printed: bytes) -> _Told:
    try:
        value: object = json.loads(printed)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return _Told(problem="the keyring failed")
    said = cast("dict[str, object]", value)
    backend = str(said.get("backend", ""))
    if said.get("usable") is not True:
        return _Told(backend=backend, problem=f"this machine has no keyring ({backend})")
    keys = said.get("keys")
    found = cast("dict[str, object]", keys) if isinstance(keys, dict) else {}
    return _Told(
        backend=backend,
        keys={name: key for name, key in found.items() if isinstance(key, str)},
    )


def _not_installed() -> str:
    return f"the extra is not installed: pip install '{EXTRA}'"

"""Ask a command of the user's for the provider's key.

Owns the one run of ``provider.key_command``: an argument list without a shell, for a bounded
time, with bounded output that goes nowhere but into the connection. What it says on standard
error goes to the user's terminal as it is, never through a log of ours. Proven by
tests/unit/config/test_key_command.py.
"""

import os
import select
import subprocess
import time
from collections.abc import Mapping

from caramelo_tui.config.locations import home_or_root
from caramelo_tui.config.settings import Settings, variables_named_by
from caramelo_tui.domain.errors import ConfigError

KEY_NAME = "provider.key_command"
LIMIT_S = 60.0
"""Seconds for the command; the user may have to unlock a store of passwords meanwhile."""
LIMIT_BYTES = 16 * 1024
"""Longest output: no key is longer, and a wrong command may print without end."""


def run_key_command(
    settings: Settings, environment: Mapping[str, str], *, limit_s: float = LIMIT_S
) -> str:
    """Return what the command prints, without the blanks around it.

    It starts in the home folder, so that no program of a workspace is found by a relative name,
    with an empty standard input and with the variables that every child gets: none that look
    like a secret but those in ``commands.env_allow``.

    Args:
        settings: The user's settings; their ``key_command`` is not empty.
        environment: The user's variables.
        limit_s: Seconds after which it is ended.

    Raises:
        ConfigError: If it cannot be started, fails, takes too long or prints no key; the text
            never holds what it printed.
    """
    # Loaded by those who have such a command: the first paint of others does without it.
    from caramelo_tui.tools.child_environment import ChildEnvironment  # noqa: PLC0415 - see above

    hidden = variables_named_by(settings)
    children = ChildEnvironment(environment, provider_names=hidden, env_allow=settings.env_allow)
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own argument list, without a shell
            settings.key_command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=home_or_root(environment),
            env=children.variables(),
        )
    except (OSError, ValueError) as error:
        problem = f"{settings.key_command[0]} cannot be started ({error})"
        raise ConfigError(KEY_NAME, "", problem) from None
    with process:
        try:
            return _key(process, settings.key_command[0], time.monotonic() + limit_s)
        except subprocess.TimeoutExpired:
            problem = f"{settings.key_command[0]} did not end within {limit_s:g} s"
            raise ConfigError(KEY_NAME, "", problem) from None
        finally:
            # It has ended by then, or is not waited for any longer.
            process.kill()


def _key(process: subprocess.Popen[bytes], program: str, until: float) -> str:
    printed = _printed(process, until)
    code = process.wait(timeout=_left(process, until))
    if code != 0:
        raise ConfigError(KEY_NAME, "", f"{program} ended with exit code {code}")
    key = printed.decode("utf-8", "replace").strip()
    if not key:
        raise ConfigError(KEY_NAME, "", f"{program} printed nothing; it must print the key alone")
    return key


def _printed(process: subprocess.Popen[bytes], until: float) -> bytes:
    pipe = process.stdout
    data = b""
    while pipe is not None and len(data) <= LIMIT_BYTES:
        if not select.select([pipe], [], [], _left(process, until))[0]:
            continue
        chunk = os.read(pipe.fileno(), LIMIT_BYTES)
        if not chunk:
            return data
        data += chunk
    raise ConfigError(KEY_NAME, "", "prints far more than a key; it must print the key alone")


def _left(process: subprocess.Popen[bytes], until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise subprocess.TimeoutExpired(process.args, left)
    return left

"""Show the app in a browser.

Owns where the server listens and what is said about it. Proven by tests/unit/test_launch_serve.py
and tests/e2e/test_serve.py.
"""

import asyncio
import importlib.util
import os
import socket
import sys

from caramelo_tui.command_line import ServeOptions
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless.signals import until_signal
from caramelo_tui.launch.start import begin, keep_apart, users_settings, workspace_root
from caramelo_tui.serving.gate import Gate, in_address, is_every_address, is_loopback, new_token
from caramelo_tui.serving.terminal_process import app_command


def serve_app(options: ServeOptions) -> int:
    """Answer browsers until a signal comes, and return the exit code.

    Raises:
        ConfigError: If the extra is missing, something that the user set cannot be used, or the
            address is not free.
    """
    if importlib.util.find_spec("textual_serve") is None:
        raise ConfigError("caramelo serve", "", "needs an extra: pip install 'caramelo-tui[serve]'")
    # Found out here rather than in the first browser.
    start = begin(options.app.common)
    users_settings(start)
    keep_apart(workspace_root(options.app.path), start)
    listener = _bound(options.host, options.port)
    port: int = listener.getsockname()[1]
    gate = Gate(token=new_token(), host=in_address(options.host), port=port)
    with listener:
        return asyncio.run(until_signal(_serve(gate, listener, options)))


async def _serve(gate: Gate, listener: socket.socket, options: ServeOptions) -> int:
    # Brings the web framework with it: loaded by nobody else.
    from caramelo_tui.serving.server import BrowserServer  # noqa: PLC0415 - an optional extra

    server = BrowserServer(gate, app_command(options.app_arguments), environment=dict(os.environ))
    async with server.listening(listener):
        sys.stdout.write(
            f"Caramelo is at {server.address}\n"
            "Whoever has this address can do all that you can. ctrl+c ends every session.\n"
        )
        if not is_loopback(options.host):
            sys.stdout.write(
                "Warning: other machines can reach it, and nothing on the way is encrypted.\n"
            )
        sys.stdout.flush()
        await asyncio.Event().wait()
    return 0


def _bound(host: str, port: int) -> socket.socket:
    if is_every_address(host):
        raise ConfigError("--host", "", "name one address of this machine, not all of them")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        where = f"{host}:{port}" if port else host
        raise ConfigError("--host, --port", "", f"{where} cannot be used ({error})") from error
    return listener

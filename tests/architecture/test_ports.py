"""The program opens no port but the one that `caramelo serve` was asked for."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "caramelo_tui"
LISTENING = frozenset(
    {"bind", "listen", "start_server", "start_unix_server", "create_server", "TCPSite", "SockSite"}
)
"""Names that open a port, of sockets, of asyncio and of the web server's library."""


def test_only_serve_listens() -> None:
    places = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in LISTENING
    }
    assert places == {"launch/serve.py", "serving/server.py"}

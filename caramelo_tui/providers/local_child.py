"""Run llama.cpp's server on one model file, in a process of its own.

Owns the one use of the library. Started by ``local_process`` as a script, away from this package:
it imports the standard library and ``xllamacpp`` alone. The first line of standard input says what
to do, the one line of standard output how it went, and the end of standard input, which comes with
the parent's end whatever happens to it, ends the server. Proven by
tests/unit/providers/test_local_process.py and, with a real model, by tests/model/.
"""

import importlib
import json
import os
import sys
from typing import Any

_END_OF_INPUT = b""


def serve(order: dict[str, Any]) -> tuple[object, str]:
    """Load the model and serve it on a free port of loopback.

    Args:
        order: ``model`` (path), ``key``, ``context_tokens`` and ``template`` (text, or empty).

    Returns:
        The server, which runs as long as it is held, and its address.
    """
    # An extra without types of its own.
    library = importlib.import_module("xllamacpp")
    settings: Any = library.CommonParams()
    settings.model.path = order["model"]
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.api_keys = [order["key"]]
    settings.n_ctx = order["context_tokens"]
    settings.n_parallel = 1
    settings.use_jinja = True
    settings.ui = False
    settings.endpoint_slots = False
    # Nothing is fetched from anywhere, whatever the file or the environment names.
    settings.offline = True
    if order["template"]:
        settings.chat_template = order["template"]
    server: Any = library.Server(settings)
    return server, str(server.listening_address)


def main() -> int:
    """Carry out the order; return 0 when it was ended, 1 when the server could not start."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # The library writes its log to both; it is the parent's to keep the end of it.
    os.dup2(2, 1)
    order = json.loads(sys.stdin.buffer.readline())
    try:
        held = serve(order)
    except (RuntimeError, ImportError, OSError, ValueError, TypeError, AttributeError) as error:
        answers.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        answers.flush()
        return 1
    answers.write(json.dumps({"url": held[1]}) + "\n")
    answers.flush()
    while os.read(0, 4096) != _END_OF_INPUT:
        pass
    return 0


if __name__ == "__main__":
    # The server's own threads would be waited for otherwise.
    os._exit(main())

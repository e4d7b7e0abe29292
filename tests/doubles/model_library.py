"""Stand-ins for the library that runs model files.

Owns the text of a module that is put in the library's place in a child process: it serves
nothing, and says what it was asked for in its address.
"""

import sys
from pathlib import Path

from caramelo_tui.providers import local_child

_LIBRARY = """
import json, os, sys, time

class _Model:
    path = ""

class CommonParams:
    def __init__(self):
        self.model = _Model()

class Server:
    def __init__(self, settings):
        path = settings.model.path
        sys.stdout.write("noise on standard output\\n")
        if path.endswith("broken.gguf"):
            sys.stderr.write("0.00 E load: tensors\\x1b[31m are missing\\n")
            raise RuntimeError("no such model")
        if path.endswith("slow.gguf"):
            time.sleep(60)
        if path.endswith("dead.gguf"):
            sys.stderr.write("out of memory\\n")
            sys.stderr.flush()
            os._exit(9)
        seen = {name: value for name, value in vars(settings).items() if name != "model"}
        seen.update(path=path, environment=sorted(os.environ), arguments=sys.argv, pid=os.getpid())
        self.listening_address = json.dumps(seen)
"""


def child_command(folder: Path) -> tuple[str, ...]:
    """Return how the package's child is run with the stand-in in the library's place."""
    (folder / "xllamacpp.py").write_text(_LIBRARY, encoding="utf-8")
    start = (
        "import runpy, sys\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        f"runpy.run_path({str(local_child.__file__)!r}, run_name='__main__')\n"
    )
    return sys.executable, "-P", "-c", start

"""What the audit hooks hear; a hook cannot be taken off again, so a child has it."""

import subprocess
import sys
from pathlib import Path

_CHILD = """
import os, sys
from pathlib import Path
from caramelo_tui.workspace.disk_steps import sync, write_all
heard = []
def hook(event, arguments):
    if event.startswith("caramelo."):
        heard.append((event, arguments[1:]))
        if arguments[1:] == (b"no",):
            raise OSError(28, "full")
sys.addaudithook(hook)
path = Path(sys.argv[1])
descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
write_all(descriptor, b"yes" * 1_000_000)
sync(descriptor)
try:
    write_all(descriptor, b"no")
except OSError as error:
    assert error.errno == 28
assert path.read_bytes() == b"yes" * 1_000_000
print([event for event, _ in heard])
"""


def test_each_write_and_sync_is_told_before_it_is_done(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tmp_path / "a")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["['caramelo.write',", "'caramelo.sync',", "'caramelo.write']"]

"""A file that is there was written, whatever fails behind it; the fault is put in by a child."""

import subprocess
import sys
from pathlib import Path

_CHILD = """
import errno, sys
from pathlib import Path
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
def hook(event, arguments):
    if event == "os.remove":
        raise OSError(errno.EIO, "failing")
root = Path(sys.argv[1])
files = FileStore(Sandbox(root))
sys.addaudithook(hook)
files.write_atomic("a.txt", b"new", expected_hash=None)
"""


def test_a_new_file_whose_temporary_name_cannot_be_removed_is_written(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.txt").read_bytes() == b"new"

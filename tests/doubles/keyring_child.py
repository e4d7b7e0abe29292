"""A keyring child with a backend of the test's: ``python keyring_child.py MANNER STORE``.

Manners: ``good`` keeps keys in the file STORE, ``weak`` is no real keyring, ``hangs`` never
answers, ``noisy`` prints before it answers, ``broken`` raises with the key in its words,
``garbage`` prints no JSON.
"""

import json
import os
import sys
import time
from pathlib import Path

from caramelo_tui.config.keyring_child import answer


class FileKeyring:
    """Keeps keys in a file of the test's."""

    def __init__(self, path: Path, *, priority: float = 5.0, fails: bool = False) -> None:
        self.priority = priority
        self._path = path
        self._fails = fails

    def get_password(self, service: str, username: str) -> str | None:
        return self._kept().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        if self._fails:
            raise RuntimeError("cannot keep " + password)
        self._path.write_text(json.dumps({**self._kept(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        kept = self._kept()
        del kept[f"{service}/{username}"]
        self._path.write_text(json.dumps(kept))

    def _kept(self) -> dict[str, str]:
        return dict(json.loads(self._path.read_text())) if self._path.exists() else {}


def main() -> int:
    """Answer one request in the manner that is asked for."""
    manner, store = sys.argv[1], Path(sys.argv[2])
    asked = json.load(sys.stdin)
    store.with_suffix(".env").write_text(json.dumps(dict(os.environ)))
    if manner == "hangs":
        time.sleep(600)
    if manner == "garbage":
        sys.stdout.write("Password: ")
        return 0
    keyring = FileKeyring(
        store, priority=0.5 if manner == "weak" else 5.0, fails=manner == "broken"
    )
    sys.stdout.write(json.dumps(answer(keyring, asked)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Plant keys in each end-to-end test, and find every place in which one turned up.

Owns the keys, and where they are looked for: all files of the test (the user's folders, the
project, what the model was sent), every screen that was looked at and every stream that was noted.
``conftest`` looks after each test. A key may stand in no file but those of ``ALLOWED``. Proven by
tests/unit/test_planted_keys.py.
"""

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path

KEY = "planted-model-5f0c9a"
"""The model's key. Like no vendor's, so that nothing hides it by its looks."""
OF_OTHERS: Mapping[str, str] = {
    "DEPLOY_TOKEN": "planted-deploy-61c2e0",
    "MAIL_PASSWORD": "planted-mail-77aa03",
}
"""Variables of the user's that are nobody's business."""
ALLOWED: Mapping[str, str] = {}
"""Files that may hold a key, by their path below the test's folder, each with the reason."""

_NAMES = {KEY: "the model's key", **{value: name for name, value in OF_OTHERS.items()}}
_MARGIN = 2
"""Characters at either end of base64 that depend on the neighbours of what was encoded."""
_noted: set[str] = set()


def note_printed(text: str | bytes, where: str) -> None:
    """Look at what was on a screen or came from a stream; what was found is kept for the end."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    _noted.update(f"{name} {where}" for name in _found(data))


def forget_printed() -> None:
    """Begin a test."""
    _noted.clear()


def leaks(folder: Path) -> list[str]:
    """Return where keys turned up: in the files below a folder, and in what was noted."""
    return [*_in_files(folder), *sorted(_noted)]


def _in_files(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        place = str(path.relative_to(folder))
        if path.is_symlink() or not path.is_file() or place in ALLOWED:
            continue
        yield from (f"{name} in {place}" for name in _found(path.read_bytes()))
        yield from (f"{name} in the name of {place}" for name in _found(place.encode()))


def _found(data: bytes) -> list[str]:
    return [name for key, name in _NAMES.items() if any(form in data for form in _forms(key))]


def _forms(key: str) -> tuple[bytes, ...]:
    """Return a key as it is, and in base64 wherever it may have begun."""
    encoded = (base64.b64encode(b"." * before + key.encode()) for before in range(3))
    inner = tuple(
        form.rstrip(b"=")[4 if before else 0 : -_MARGIN] for before, form in enumerate(encoded)
    )
    return (key.encode(), *inner)

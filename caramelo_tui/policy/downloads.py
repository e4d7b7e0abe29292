"""Read the options of ``curl`` and ``wget``: what they save, and what they send.

Owns those two programs' options. Pure. Proven by tests/unit/policy/test_downloads.py.
"""

from collections.abc import Iterator, Sequence

from caramelo_tui.policy.options import given_options, operands
from caramelo_tui.policy.shell_parts import SimpleCommand
from caramelo_tui.policy.shell_words import Field

_CURL_VALUED = "AbcCdDeEFHKmoPQrtTuUwxXyYz"
_WGET_VALUED = "oaeiBtOTwQPUlARDIX"
_CURL_SAVES = frozenset({
    "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii",
    "--stderr", "--etag-save", "--hsts", "--alt-svc", "--output-dir",
})  # fmt: skip
_CURL_SAVES_BY_NAME = frozenset({"-O", "-J", "--remote-name", "--remote-name-all"})
_WGET_SAVES = frozenset({
    "-O", "--output-document", "-o", "--output-file", "-a", "--append-output", "--save-cookies",
})  # fmt: skip
_SENDS = frozenset({
    "-d", "--data", "-F", "--form", "-T", "--upload-file", "--json", "--data-raw", "--data-ascii",
    "--data-binary", "--data-urlencode", "--form-string", "--url-query",
})  # fmt: skip
_WGET_OUTPUT = frozenset({"-O", "--output-document"})
_WGET_SENDS = frozenset({"--post-data", "--post-file", "--body-data", "--body-file"})
_METHODS = frozenset({"-X", "--request", "--method"})
_READING_METHODS = frozenset({"GET", "HEAD"})
_NOT_FILES = frozenset({"-", "/dev/null", "/dev/stdout", "/dev/stderr"})


def saved_files(part: SimpleCommand) -> list[Field]:
    """Return the files that a download is saved to by its options or its address."""
    if part.name == "curl":
        named = _values(part.args, _CURL_SAVES, _CURL_VALUED)
        if any(name in _CURL_SAVES_BY_NAME for name, _ in _options(part)):
            named.extend(_last_part(word) for word in operands(part.args))
        return [field for field in named if field.text not in _NOT_FILES]
    if part.name == "wget":
        named = _values(part.args, _WGET_SAVES, _WGET_VALUED)
        return [field for field in named if field.text not in _NOT_FILES]
    return []


def prints_download(part: SimpleCommand) -> bool:
    """Whether ``wget`` is told where to put what it gets, such as ``-qO-``."""
    return any(_is_one_of(name, _WGET_OUTPUT) for name, _ in _options(part))


def sends_data(part: SimpleCommand) -> bool:
    """Whether a request does more than ask for something."""
    sending = {"curl": _SENDS, "wget": _WGET_SENDS}.get(part.name)
    if sending is None:
        return False
    for name, value in _options(part):
        if _is_one_of(name, sending):
            return True
        if _is_one_of(name, _METHODS) and value is not None:
            return value.text.upper() not in _READING_METHODS
    return False


def _options(part: SimpleCommand) -> Iterator[tuple[str, Field | None]]:
    valued = _CURL_VALUED if part.name == "curl" else _WGET_VALUED
    return given_options(part.args, valued=valued)


def _values(args: Sequence[Field], names: frozenset[str], valued: str) -> list[Field]:
    return [
        value
        for name, value in given_options(args, valued=valued)
        if value is not None and _is_one_of(name, names)
    ]


def _is_one_of(name: str, names: frozenset[str]) -> bool:
    if name in names:
        return True
    is_shortened = name.startswith("--") and len(name) > len("--x")
    return is_shortened and any(full.startswith(name) for full in names)


def _last_part(address: Field) -> Field:
    name = address.text.partition("?")[0].rstrip("/").rsplit("/", maxsplit=1)[-1]
    return Field(name, address.is_certain)

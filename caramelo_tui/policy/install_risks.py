"""Note what installs, publishes, or reaches other machines and the system.

Owns package managers, remotes and containers. Pure. Proven by
tests/unit/policy/test_install_risks.py.
"""

from collections.abc import Iterator, Sequence

from caramelo_tui.policy.downloads import sends_data
from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.known_programs import (
    ANY_WORD,
    CONTAINER_PROGRAMS,
    INSTALLERS,
    PUBLISHERS,
    READING_VERBS,
    SYSTEM_PROGRAMS,
    VERB_GROUPS,
)
from caramelo_tui.policy.options import has_option, operands, option_value
from caramelo_tui.policy.shell_parts import SimpleCommand
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import is_interpreter

_MODULES = frozenset({"pip", "pipx", "poetry", "uv", "pdm", "ensurepip", "conda", "twine"})
"""Package managers that ``python -m`` runs."""
_RAW_CONNECTIONS = frozenset({"nc", "ncat", "netcat", "socat", "telnet"})
_REMOTE_SHELLS = frozenset({"ssh", "mosh", "sftp", "ftp", "tftp", "rsh", "sshpass"})
_COPIERS = frozenset({"scp", "rsync"})


def install_risks(part: SimpleCommand) -> Iterator[Finding]:
    """Return what a package manager would install or publish."""
    name, args = _manager(part)
    verbs = INSTALLERS.get(name)
    is_local = name == "npx" and any(arg.text in {"--no", "--no-install"} for arg in args)
    if verbs is not None and _has_verb(args, verbs) and not is_local:
        yield Finding(code="package_install", note="installs packages")
        yield Finding(code="network", note="talks to the network", level=Level.NOTE)
    published = PUBLISHERS.get(name)
    if published is not None and _has_verb(args, published):
        yield Finding(code="remote_write", note="publishes to others")


def outside_risks(part: SimpleCommand) -> Iterator[Finding]:
    """Return what a command changes on other machines, in containers, or of the system."""
    name = part.name
    if name in {"gh", "glab"} and not _only_reads(part.args):
        yield Finding(code="remote_write", note="may change something on a remote")
    if name in CONTAINER_PROGRAMS and not _only_reads(part.args):
        note = "controls containers or machines beyond the workspace"
        yield Finding(code="remote_write", note=note)
    if name in _REMOTE_SHELLS:
        yield Finding(code="network", note="works on another machine")
    if name in _RAW_CONNECTIONS:
        yield Finding(code="network", note="opens a raw connection to another machine")
    if name in _COPIERS and any(_is_remote(arg.text) for arg in operands(part.args)):
        yield Finding(code="network", note="copies files from or to another machine")
    if sends_data(part):
        yield Finding(code="network", note="sends data to the network")
    if name in SYSTEM_PROGRAMS:
        yield Finding(code="system", note="changes the machine beyond the workspace")


def _manager(part: SimpleCommand) -> tuple[str, Sequence[Field]]:
    """Return the package manager and its arguments, also behind ``python -m`` and ``uv``."""
    name, args = part.name, part.args
    if is_interpreter(name):
        module = option_value(args, "-m")
        if module is not None and module.text in _MODULES:
            start = next(i for i, arg in enumerate(args) if arg.text.endswith(module.text))
            name, args = module.text, args[start + 1 :]
        elif operands(args)[:1] and operands(args)[0].text.endswith("setup.py"):
            return "setup.py", args
    if name.startswith("pip") and name.rstrip("0123456789.") == "pip":
        name = "pip"
    if name == "uv" and args and args[0].text == "pip":
        return "pip", args[1:]
    return name, args


def _has_verb(args: Sequence[Field], verbs: frozenset[str]) -> bool:
    """Whether the manager's verb is one of these.

    A word behind an option may be the option's value, so that the next one is looked at, too.
    """
    texts = [arg.text for arg in args]
    if not operands(args):
        return "" in verbs or any(_is_verb(text, "", verbs) for text in texts)
    is_behind_option = False
    for i, text in enumerate(texts):
        if _is_verb(text, "".join(texts[i + 1 : i + 2]), verbs):
            return True
        if not text.startswith(("-", "+")) and not is_behind_option:
            return False
        is_behind_option = text.startswith("-")
    return False


def _is_verb(text: str, following: str, verbs: frozenset[str]) -> bool:
    if text.startswith("-"):
        # ``-Syu`` is ``-S`` with more letters behind it.
        return text in verbs or (not text.startswith("--") and text[:2] in verbs)
    return text in verbs or f"{text} {following}" in verbs or ANY_WORD in verbs


def _only_reads(args: Sequence[Field]) -> bool:
    words = [word.text for word in operands(args)]
    if not words:
        return True
    if args[0].text != words[0]:
        # A word behind an option may be its value: what the verb is nobody knows for sure.
        return False
    if words[0] == "api":
        method = option_value(args, "-X", "--method")
        sends = has_option(args, short="fF", long="field") or has_option(args, long="input")
        sends = sends or has_option(args, long="raw-field")
        return not sends and (method is None or method.text.upper() == "GET")
    if words[0] in VERB_GROUPS:
        return words[1:2] == [] or words[1] in READING_VERBS
    return words[0] in READING_VERBS


def _is_remote(text: str) -> bool:
    return ":" in text.partition("/")[0]

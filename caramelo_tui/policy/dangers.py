"""Find commands that are refused whatever is configured.

Owns the dangerous family: removing the root of the disk, a home or the workspace's parent;
fork bombs; writing to disks; making file systems; changing the rights of ``/``; running what a
download prints. Pure. Proven by tests/unit/policy/test_dangers.py and
tests/property/test_policy.py.
"""

from collections.abc import Iterator, Sequence

from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.options import has_option, operands
from caramelo_tui.policy.places import (
    absolute,
    is_block_device,
    is_device,
    is_disk_root,
    is_standard_input,
    is_vital,
)
from caramelo_tui.policy.shell_parts import ParsedCommand, SimpleCommand, Surroundings
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import SHELLS, is_interpreter
from caramelo_tui.policy.wrappers import shell_script_operand, shell_script_text

REMOVERS = frozenset({"rm", "srm"})
"""Programs that remove what they are given."""
_RIGHTS = frozenset({"chmod", "chown", "chgrp"})
_DISK_WRITERS = frozenset({
    "mkswap", "wipefs", "blkdiscard", "shred", "tee", "cp", "mv", "install", "fdisk", "sfdisk",
    "gdisk", "sgdisk", "parted", "badblocks", "hdparm", "truncate", "sponge",
})  # fmt: skip
_COPIERS = frozenset({"dd", "dcfldd", "dc3dd"})
_FIND_NEUTRAL = frozenset({
    "-delete", "-depth", "-d", "-mindepth", "-maxdepth", "-xdev", "-mount", "-type", "-print",
    "-print0", "-follow", "-noleaf", "-true", "-o", "-a", "-or", "-and", "-exec", "-execdir",
    "-ok", "-okdir", "-ignore_readdir_race", "-daystart", "-warn", "-nowarn", "-h", "-l", "-p",
})  # fmt: skip
"""Words of ``find`` that do not make it find less."""


def dangers_of_command(parsed: ParsedCommand) -> list[Finding]:
    """Return what is dangerous about a command line as a whole."""
    return [
        _danger(f"starts itself over and over ({name}), which brings the machine down")
        for name in parsed.fork_bombs
    ]


def dangers_of_part(part: SimpleCommand, surroundings: Surroundings) -> list[Finding]:
    """Return what is dangerous about one simple command."""
    return [
        *_removals(part, surroundings),
        *_disk_writes(part),
        *_rights(part),
        *_downloads_run(part),
    ]


def finds_all(args: Sequence[Field]) -> list[Field]:
    """Return the folders of a ``find`` that takes everything in them; empty if it selects."""
    words = [arg for arg in args if arg.text not in {"-H", "-L", "-P"}]
    is_expression = [word.text in {"(", "!"} or word.text.startswith("-") for word in words]
    split = is_expression.index(True) if True in is_expression else len(words)
    starts = words[:split] or [Field(".")]
    return starts if _selects_nothing(words[split:]) else []


def _selects_nothing(expression: Sequence[Field]) -> bool:
    i = 0
    while i < len(expression):
        text = expression[i].text
        if text in {"-exec", "-execdir", "-ok", "-okdir"}:
            while i < len(expression) and expression[i].text not in {";", "+"}:
                i += 1
        elif text in {"-name", "-iname", "-path", "-ipath", "-wholename"}:
            pattern = expression[i + 1].text if i + 1 < len(expression) else ""
            if pattern.strip("*"):
                return False
            i += 1
        elif text.startswith("-") and text.casefold() not in _FIND_NEUTRAL:
            return False
        i += 1
    return True


def _danger(note: str) -> Finding:
    return Finding(code="dangerous_command", note=note, level=Level.DENY)


def _removals(part: SimpleCommand, surroundings: Surroundings) -> Iterator[Finding]:
    targets: Sequence[Field] = ()
    if part.name in REMOVERS and has_option(part.args, short="rR", long="recursive"):
        targets = operands(part.args)
    elif part.name == "find" and _find_removes(part.args):
        targets = finds_all(part.args)
    for target in targets:
        if is_vital(target, part.cwd, surroundings):
            yield _danger(f"removes {target.text} and everything in it")


def _find_removes(args: Sequence[Field]) -> bool:
    texts = [arg.text for arg in args]
    if "-delete" in texts:
        return True
    return any(text.startswith(("-exec", "-ok")) for text in texts) and any(
        text.rsplit("/", maxsplit=1)[-1].casefold() in REMOVERS | {"unlink", "shred"}
        for text in texts
    )


def _disk_writes(part: SimpleCommand) -> Iterator[Finding]:
    if part.name.startswith(("mkfs", "newfs")) or part.name in {"mke2fs", "mkdosfs"}:
        yield _danger("makes a new file system, which wipes what was there")
    for redirect in part.redirects:
        path = absolute(redirect.target, part.cwd) if redirect.target is not None else None
        if path is not None and ">" in redirect.operator and is_block_device(path):
            yield _danger(f"writes over the disk {path}")
    for target in _written_devices(part):
        yield _danger(f"writes over the device {target}")


def _written_devices(part: SimpleCommand) -> Iterator[str]:
    if part.name in _COPIERS:
        for arg in part.args:
            if arg.text.startswith("of="):
                path = absolute(Field(arg.text[3:]), part.cwd)
                if path is not None and is_device(path):
                    yield path
    elif part.name in _DISK_WRITERS:
        sources = operands(part.args)
        written = sources[-1:] if part.name in {"cp", "install"} else sources
        for target in written:
            path = absolute(target, part.cwd)
            if path is not None and is_block_device(path):
                yield path


def _rights(part: SimpleCommand) -> Iterator[Finding]:
    if part.name not in _RIGHTS or not has_option(part.args, short="R", long="recursive"):
        return
    for target in operands(part.args):
        if is_disk_root(target, part.cwd):
            yield _danger("changes the rights of every file on the machine")
            return


def _downloads_run(part: SimpleCommand) -> Iterator[Finding]:
    if _runs_download(part):
        yield _danger("runs what it downloads, unseen")


def _runs_download(part: SimpleCommand) -> bool:
    name, args = part.name, part.args
    if name in {"", "eval"} and any(arg.is_downloaded for arg in part.words):
        return True
    if name in {"source", "."}:
        return any(_is_fed(arg, part) for arg in args[:1])
    if name in SHELLS:
        return _shell_runs_download(part)
    if is_interpreter(name):
        return _interpreter_runs_download(part)
    if name == "xargs" and part.stdin.is_downloaded:
        names = [arg.text.rsplit("/", maxsplit=1)[-1].casefold() for arg in args]
        return "-c" in names and any(word in SHELLS or is_interpreter(word) for word in names)
    return False


def _is_fed(arg: Field, part: SimpleCommand) -> bool:
    """Whether a file argument is a download, or standard input that comes from one."""
    return arg.is_downloaded or (is_standard_input(arg.text) and part.stdin.is_downloaded)


def _shell_runs_download(part: SimpleCommand) -> bool:
    text = shell_script_text(part.args)
    if text is not None:
        # Only the text counts: what comes after it, or on standard input, is data.
        return text.is_downloaded
    script = shell_script_operand(part.args)
    return part.stdin.is_downloaded if script is None else _is_fed(script, part)


def _interpreter_runs_download(part: SimpleCommand) -> bool:
    for i, arg in enumerate(part.args):
        text = arg.text
        if text in {"-c", "-e", "-E", "-r", "--eval", "-pe", "-ne", "-lne", "-lane"}:
            return any(value.is_downloaded for value in part.args[i + 1 : i + 2])
        if text == "-m":
            return False
        if not text.startswith("-") or text == "-":
            return _is_fed(arg, part)
    return part.stdin.is_downloaded

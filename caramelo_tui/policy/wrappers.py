"""Find the command inside a command: ``env``, ``sudo``, ``sh -c``, ``xargs``, ``find -exec``.

Owns what is known of programs that run other programs. Pure. Proven by
tests/unit/policy/test_wrappers.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "yash", "fish", "rbash"})
"""Programs that run shell text."""
INTERPRETERS = frozenset({
    "python", "pypy", "perl", "ruby", "node", "nodejs", "deno",
    "bun", "php", "lua", "rscript", "osascript", "tclsh", "guile", "julia", "groovy", "pwsh",
})  # fmt: skip
"""Programs that run program text of another language."""


def is_interpreter(name: str) -> bool:
    """Whether a program runs program text of another language, whatever its version."""
    return name.rstrip("0123456789.") in INTERPRETERS or name in INTERPRETERS


MAX_GUESSES = 8
"""Rests of the arguments that are tried behind an option that is not known."""
_RISKY_NAMES = SHELLS | {"rm", "dd", "mkfs", "chmod", "chown", "chgrp", "find", "xargs", "eval"}
"""Looked for behind an option that is not known, which may or may not take the next word."""


@dataclass(frozen=True, slots=True)
class InnerWords:
    """A command given as words."""

    words: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class InnerScript:
    """A command given as shell text."""

    text: Field
    positional: tuple[Field, ...] = ()
    """``$0``, ``$1`` and so on."""


Inner = InnerWords | InnerScript


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapper:
    """How a program that runs its arguments reads them."""

    value_options: frozenset[str] = field(default_factory=frozenset[str])
    """Options that take the next word."""
    flags: str = ""
    """Letters of options without a value."""
    long_flags: frozenset[str] = field(default_factory=frozenset[str])
    operands: int = 0
    """Words before the command, such as the time of ``timeout``."""
    takes_assignments: bool = False
    script_options: frozenset[str] = field(default_factory=frozenset[str])
    """Options whose value is shell text."""


def _wrapper(
    values: str = "",
    *,
    flags: str = "",
    long_flags: str = "",
    operands: int = 0,
    takes_assignments: bool = False,
    scripts: str = "",
) -> _Wrapper:
    return _Wrapper(
        value_options=frozenset(values.split()),
        flags=flags,
        long_flags=frozenset(long_flags.split()),
        operands=operands,
        takes_assignments=takes_assignments,
        script_options=frozenset(scripts.split()),
    )


_WRAPPERS = {
    "env": _wrapper(
        "-u --unset -C --chdir",
        flags="i0v",
        long_flags="--ignore-environment --null --debug",
        takes_assignments=True,
        scripts="-S --split-string",
    ),
    "sudo": _wrapper(
        "-u -g -h -p -C -T -D -R -U -r -t --user --group --host --prompt --chdir --chroot",
        flags="nESkKHbisAPBV",
        long_flags="--non-interactive --preserve-env --stdin --login --shell --background",
        takes_assignments=True,
    ),
    "doas": _wrapper("-u -C", flags="ns"),
    "nohup": _wrapper(),
    "setsid": _wrapper(flags="cfw", long_flags="--fork --wait --ctty"),
    "nice": _wrapper("-n --adjustment", flags="0123456789"),
    "ionice": _wrapper("-c -n -p", flags="t"),
    "chrt": _wrapper("-T -P -D", flags="bfiro", operands=1),
    "taskset": _wrapper(flags="ac", operands=1),
    "stdbuf": _wrapper("-i -o -e"),
    "timeout": _wrapper(
        "-s -k --signal --kill-after",
        flags="v",
        long_flags="--foreground --preserve-status --verbose",
        operands=1,
    ),
    "time": _wrapper("-f -o --format --output", flags="pavV"),
    "command": _wrapper(flags="p"),
    "builtin": _wrapper(),
    "exec": _wrapper("-a", flags="cl"),
    "coproc": _wrapper(),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "xargs": _wrapper(
        "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file --max-lines",
        flags="0rtpxio",
        long_flags="--null --no-run-if-empty --verbose --interactive --exit --replace",
    ),
    "flock": _wrapper("-w -E --timeout", flags="sxneouF", operands=1, scripts="-c --command"),
    "chroot": _wrapper("--userspec --groups", operands=1),
    "unshare": _wrapper("-R -w --root --wd", flags="mnpufirUC"),
    "nsenter": _wrapper("-t --target", flags="mnpuUaFrw"),
    "strace": _wrapper("-o -e -p -s -u -E -a", flags="fFqtvxyTci"),
    "ltrace": _wrapper("-o -e -p -s -u -n", flags="fSti"),
    "setarch": _wrapper(flags="R", operands=1),
    "fakeroot": _wrapper("-l -s -i"),
    "unbuffer": _wrapper(flags="p"),
    "caffeinate": _wrapper("-t -w", flags="disu"),
    "su": _wrapper("-g -G -s --shell", flags="lmp", operands=1, scripts="-c --command"),
    "runuser": _wrapper("-u -g -G -s", flags="lmp", scripts="-c --command"),
    "script": _wrapper("-E -T -o", flags="aefq", operands=1, scripts="-c --command"),
}
_JOINER = _wrapper("-n --interval -j -a --jobs", flags="bcdegtpxw0kuv")
_RUNNERS = {
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"),
    ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("mise", "exec"),
}  # fmt: skip
"""Two words in front of a command."""
_SHELL_VALUE_OPTIONS = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_FIND_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def commands_inside(
    name: str, args: Sequence[Field], *, stdin_text: str | None
) -> tuple[Inner, ...]:
    """Return what a command would run besides itself; mostly nothing.

    Args:
        name: The program's name, without its folder.
        args: Its arguments after quote removal.
        stdin_text: What it reads, if that is known; ``xargs`` makes arguments of it.
    """
    if name == "xargs":
        return _inside_xargs(args, stdin_text)
    inside = _SPECIAL.get("sh" if name in SHELLS else name)
    if inside is not None:
        return inside(args)
    if args and (name, args[0].text) in _RUNNERS:
        rest = args[1:]
        return _words(rest[1:] if rest and rest[0].text == "--" else rest)
    wrapper = _WRAPPERS.get(name)
    return _inside_wrapper(wrapper, args) if wrapper is not None else ()


def shell_script_operand(args: Sequence[Field]) -> Field | None:
    """Return the file that a shell runs; ``None`` when it reads its standard input or ``-c``."""
    operands = _shell_operands(args)
    if operands.script_option:
        return None
    return operands.rest[0] if operands.rest and not operands.reads_stdin else None


def shell_script_text(args: Sequence[Field]) -> Field | None:
    """Return the text that a shell is given with ``-c``; ``None`` without."""
    operands = _shell_operands(args)
    return operands.rest[0] if operands.script_option and operands.rest else None


def _joined(args: Sequence[Field]) -> Field:
    return Field(
        text=" ".join(arg.text for arg in args),
        is_certain=all(arg.is_certain for arg in args),
        is_downloaded=any(arg.is_downloaded for arg in args),
    )


def _inside_eval(args: Sequence[Field]) -> tuple[Inner, ...]:
    return (InnerScript(_joined(args)),) if args else ()


def _inside_trap(args: Sequence[Field]) -> tuple[Inner, ...]:
    return (InnerScript(args[0]),) if args else ()


def _inside_alias(args: Sequence[Field]) -> tuple[Inner, ...]:
    return tuple(
        InnerScript(Field(arg.text.partition("=")[2], is_certain=arg.is_certain))
        for arg in args
        if "=" in arg.text
    )


def _inside_command(args: Sequence[Field]) -> tuple[Inner, ...]:
    if args and args[0].text in {"-v", "-V"}:
        return ()
    return _inside_wrapper(_WRAPPERS["command"], args)


def _inside_joiner(args: Sequence[Field]) -> tuple[Inner, ...]:
    # ``watch`` and ``parallel`` give their words to a shell as one text.
    found = _inside_wrapper(_JOINER, args)
    scripts = (InnerScript(_joined(i.words)) for i in found if isinstance(i, InnerWords))
    return (*found, *scripts)


def _words(words: Sequence[Field]) -> tuple[Inner, ...]:
    return (InnerWords(tuple(words)),) if words else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShellOperands:
    rest: tuple[Field, ...]
    script_option: bool
    reads_stdin: bool


def _shell_operands(args: Sequence[Field]) -> _ShellOperands:
    has_script = reads_stdin = False
    i = 0
    while i < len(args):
        text = args[i].text
        if text in {"--", "-"}:
            i += 1
            break
        if text in _SHELL_VALUE_OPTIONS:
            i += 2
            continue
        if text[:1] not in {"-", "+"} or text[:1] == UNKNOWN:
            break
        if not text.startswith("--") and text.startswith("-"):
            has_script = has_script or "c" in text
            reads_stdin = reads_stdin or "s" in text
            # ``-euo pipefail``: the last letter takes the next word.
            i += text[-1] in "oO"
        i += 1
    return _ShellOperands(rest=tuple(args[i:]), script_option=has_script, reads_stdin=reads_stdin)


def _inside_shell(args: Sequence[Field]) -> tuple[Inner, ...]:
    operands = _shell_operands(args)
    if not operands.script_option or not operands.rest:
        return ()
    return (InnerScript(operands.rest[0], operands.rest[1:]),)


def _inside_find(args: Sequence[Field]) -> tuple[Inner, ...]:
    found: list[Inner] = []
    i = 0
    while i < len(args):
        if args[i].text in _FIND_EXEC:
            end = i + 1
            while end < len(args) and args[end].text not in {";", "+"}:
                end += 1
            found.extend(_words(args[i + 1 : end]))
            i = end
        i += 1
    return tuple(found)


def _inside_xargs(args: Sequence[Field], stdin_text: str | None) -> tuple[Inner, ...]:
    found = _inside_wrapper(_WRAPPERS["xargs"], args)
    if stdin_text is None:
        return found
    items = tuple(Field(text) for text in stdin_text.replace("\0", " ").split())
    placeholder = _replacement(args)
    filled: list[Inner] = []
    for words in (inner.words for inner in found if isinstance(inner, InnerWords)):
        if placeholder is None:
            filled.append(InnerWords((*words, *items)))
        else:
            filled.extend(
                InnerWords(
                    tuple(
                        Field(word.text.replace(placeholder, item.text), word.is_certain)
                        for word in words
                    )
                )
                for item in items
            )
    return tuple(filled)


def _replacement(args: Sequence[Field]) -> str | None:
    for i, arg in enumerate(args):
        if arg.text == "-I" and i + 1 < len(args):
            return args[i + 1].text
        if arg.text.startswith("-I"):
            return arg.text[2:]
        if arg.text in {"-i", "--replace"}:
            return "{}"
        if not arg.text.startswith("-"):
            return None
    return None


def _inside_wrapper(wrapper: _Wrapper, args: Sequence[Field]) -> tuple[Inner, ...]:
    found = _scripts(wrapper, args)
    is_sure = True
    i = 0
    while i < len(args):
        text = args[i].text
        if text == "--":
            i += 1
            break
        if text.startswith("-") and text != "-":
            is_sure = is_sure and _is_known(wrapper, text.partition("=")[0])
            i += 2 if text in wrapper.value_options | wrapper.script_options else 1
        elif wrapper.takes_assignments and "=" in text and not text.startswith("/"):
            i += 1
        else:
            break
    rest = args[i + wrapper.operands :]
    if not found:
        found.extend(_words(rest))
    if not is_sure:
        found.extend(_guesses(args, but=rest))
    return tuple(found)


def _scripts(wrapper: _Wrapper, args: Sequence[Field]) -> list[Inner]:
    """Return the values of options that take shell text, wherever they stand."""
    found: list[Inner] = []
    if not wrapper.script_options:
        return found
    for i, arg in enumerate(args):
        option, has_value, value = arg.text.partition("=")
        is_short = option.startswith("-") and not option.startswith("--")
        if has_value and option in wrapper.script_options:
            found.append(InnerScript(Field(value, is_certain=arg.is_certain)))
        elif i + 1 < len(args) and (
            option in wrapper.script_options
            or (is_short and f"-{option[-1]}" in wrapper.script_options)
        ):
            found.append(InnerScript(args[i + 1], tuple(args[i + 2 :])))
    return found


def _is_known(wrapper: _Wrapper, option: str) -> bool:
    if option in wrapper.value_options | wrapper.long_flags | wrapper.script_options:
        return True
    if option.startswith("--"):
        return False
    return option[:2] in wrapper.value_options or all(c in wrapper.flags for c in option[1:])


def _guesses(args: Sequence[Field], *, but: Sequence[Field]) -> list[Inner]:
    """Return every rest of the arguments that starts with a name worth looking at."""
    starts = (
        i
        for i, arg in enumerate(args)
        if len(args) - i != len(but)
        and arg.text.rsplit("/", maxsplit=1)[-1].split(".")[0] in _RISKY_NAMES
    )
    return [InnerWords(tuple(args[i:])) for i in islice(starts, MAX_GUESSES)]


_SPECIAL: Mapping[str, Callable[[Sequence[Field]], tuple[Inner, ...]]] = {
    "sh": _inside_shell,
    "eval": _inside_eval,
    "find": _inside_find,
    "trap": _inside_trap,
    "alias": _inside_alias,
    "command": _inside_command,
    "watch": _inside_joiner,
    "parallel": _inside_joiner,
}

"""Find the command inside a command: ``env``, ``sudo``, ``sh -c``, ``xargs``, ``find -exec``.

Owns what is known of programs that run other programs. Pure. Proven by
tests/unit/policy/test_wrappers.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from caramelo_tui.policy.git_commands import inside_git
from caramelo_tui.policy.inner_commands import Inner, InnerScript, InnerWords, joined
from caramelo_tui.policy.options import operands, option_value
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import JOINER, RUNNER, RUNNERS, SHELLS, WRAPPERS, Wrapper

MAX_GUESSES = 8
"""Rests of the arguments that are tried behind an option that is not known."""
_RISKY_NAMES = SHELLS | {"rm", "dd", "mkfs", "chmod", "chown", "chgrp", "find", "xargs", "eval"}
"""Looked for behind an option that is not known, which may or may not take the next word."""


_UNKNOWN_WORD = Field(UNKNOWN, is_certain=False)
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
    if args and (name, args[0].text) in RUNNERS:
        return _inside_wrapper(RUNNER, args[1:])
    wrapper = WRAPPERS.get(name)
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


def _inside_eval(args: Sequence[Field]) -> tuple[Inner, ...]:
    return (InnerScript(joined(args)),) if args else ()


def _inside_trap(args: Sequence[Field]) -> tuple[Inner, ...]:
    return (InnerScript(args[0]),) if args else ()


def _inside_alias(args: Sequence[Field]) -> tuple[Inner, ...]:
    return tuple(
        InnerScript(Field(arg.text.partition("=")[2], is_certain=arg.is_certain))
        for arg in args
        if "=" in arg.text
    )


def _inside_mapper(args: Sequence[Field]) -> tuple[Inner, ...]:
    # What is behind ``-C`` is evaluated for each so many lines.
    script = option_value(args, "-C")
    return (InnerScript(script),) if script is not None else ()


def _inside_command(args: Sequence[Field]) -> tuple[Inner, ...]:
    if args and args[0].text in {"-v", "-V"}:
        return ()
    return _inside_wrapper(WRAPPERS["command"], args)


def _inside_timer(args: Sequence[Field]) -> tuple[Inner, ...]:
    # Each word may be shell text, behind options of which not all are known.
    return tuple(InnerScript(arg) for arg in operands(args))


def _inside_joiner(args: Sequence[Field]) -> tuple[Inner, ...]:
    # ``watch`` and ``parallel`` give their words to a shell as one text.
    found = _inside_wrapper(JOINER, args)
    scripts = (InnerScript(joined(i.words)) for i in found if isinstance(i, InnerWords))
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
    found = _inside_wrapper(WRAPPERS["xargs"], args)
    items = _items(stdin_text)
    placeholder = _replacement(args)
    filled: list[Inner] = []
    for words in (inner.words for inner in found if isinstance(inner, InnerWords)):
        if placeholder is None:
            filled.append(InnerWords((*words, *items)))
        else:
            filled.extend(
                InnerWords(
                    tuple(
                        Field(
                            word.text.replace(placeholder, item.text),
                            word.is_certain and (item.is_certain or placeholder not in word.text),
                        )
                        for word in words
                    )
                )
                for item in items
            )
    return tuple(filled)


def _items(stdin_text: str | None) -> tuple[Field, ...]:
    if stdin_text is None:
        return (_UNKNOWN_WORD,)
    return tuple(Field(text) for text in stdin_text.replace("\0", " ").split())


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


def _inside_wrapper(wrapper: Wrapper, args: Sequence[Field]) -> tuple[Inner, ...]:
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
    has_script = bool(found)
    if not has_script:
        found.extend(_words(rest))
        is_sure = is_sure and not (rest and rest[0].text.startswith("-"))
    if not is_sure:
        found.extend(_guesses(args, but=rest))
        # What runs cannot be told, so that a command is among it that nobody knows.
        found.extend(() if has_script else _words([_UNKNOWN_WORD]))
    return tuple(found)


def _scripts(wrapper: Wrapper, args: Sequence[Field]) -> list[Inner]:
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


def _is_known(wrapper: Wrapper, option: str) -> bool:
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
    "git": inside_git,
    "trap": _inside_trap,
    "alias": _inside_alias,
    "mapfile": _inside_mapper,
    "readarray": _inside_mapper,
    "command": _inside_command,
    "hyperfine": _inside_timer,
    "watch": _inside_joiner,
    "parallel": _inside_joiner,
}

"""Note program text that a command gives to an interpreter, a shell, an editor or a filter.

Owns what is known of programs that run text: given inline, read from standard input, or named by
something that only the shell knows. Pure. Proven by tests/unit/policy/test_program_text.py.
"""

from collections.abc import Iterator, Mapping, Sequence

from caramelo_tui.policy.filter_scripts import awk_acts, sed_acts, sql_acts
from caramelo_tui.policy.findings import Finding
from caramelo_tui.policy.options import given_options, operands
from caramelo_tui.policy.places import is_descriptor_file, is_standard_input
from caramelo_tui.policy.shell_parts import SimpleCommand
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import INTERPRETERS, SHELLS, is_interpreter
from caramelo_tui.policy.wrappers import shell_script_operand, shell_script_text

_READS_SHELL_TEXT = Finding(code="shell_text", note="runs what it reads as a shell script")
_UNKNOWN_SCRIPT = Finding(code="shell_text", note="runs a script that only the shell knows")
_INLINE = Finding(code="inline_code", note="runs program text given inline")
_INLINE_LETTERS: Mapping[str, str] = {
    "python": "c", "pypy": "c", "perl": "eE", "ruby": "e", "node": "ep", "nodejs": "ep",
    "bun": "ep", "php": "rBREF", "lua": "e", "rscript": "e", "osascript": "e", "guile": "c",
    "julia": "eEL", "groovy": "e", "pwsh": "ceE",
}  # fmt: skip
"""Letters of options that take program text."""
_VALUE_LETTERS: Mapping[str, str] = {"python": "WXQm", "pypy": "WXm", "perl": "ImMxiD"}
"""Letters whose value follows at once, so that what stands behind them is no option."""
_INLINE_WORDS = frozenset({
    "--eval", "--print", "--command", "-command", "-encodedcommand", "--run", "eval",
})  # fmt: skip
_NO_SCRIPTS = frozenset({"run", "repl"})
_PROGRAM_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "vim": ("-c", "--cmd", "+", "-S", "-u"), "vi": ("-c", "+", "-S"),
    "nvim": ("-c", "--cmd", "+", "-S", "-l", "-u"), "view": ("-c", "+", "-S"),
    "emacs": ("--eval", "-eval", "--execute", "-f", "--funcall", "-l", "--load", "--script"),
    "gdb": ("-ex", "-x", "--eval-command", "--command"), "lldb": ("-o", "-s", "-O"),
    "erl": ("-eval", "-s", "-run"), "elixir": ("-e", "--eval", "-r"), "iex": ("-e", "--eval"),
    "scala": ("-e",), "expect": ("-c",), "gnuplot": ("-e",), "octave": ("--eval",), "r": ("-e",),
    "ghc": ("-e",), "clojure": ("-e", "-M"), "ts-node": ("-e", "--eval", "-p"),
    "tsx": ("-e", "--eval"), "less": ("+",), "more": ("+",),
}  # fmt: skip
"""Options of further programs behind which program text, or a file of it, stands."""
_AWK_VALUES = frozenset({"-v", "--assign", "-F", "--field-separator"})
_ALWAYS = frozenset({"ed", "ex", "red", "parallel", "concurrently", "tmux", "screen"})
_DATABASES = frozenset({"sqlite3", "sqlite", "psql", "mysql", "mariadb", "duckdb"})


def program_text_risks(part: SimpleCommand) -> Iterator[Finding]:
    """Return what a command runs as a program without a file that says so."""
    name = part.name
    if is_interpreter(name):
        yield from _interpreted(part)
    elif name in SHELLS:
        yield from _shell_text(part)
    elif name == "eval" and not all(arg.is_certain for arg in part.args):
        yield Finding(code="shell_text", note="runs shell text that only the shell knows")
    elif name in {"source", "."}:
        yield from _script(part.args[0] if part.args else None, part)
    elif name == "alias" and any("=" in arg.text or not arg.is_certain for arg in part.args):
        yield Finding(code="shell_text", note="gives later words another meaning")
    elif name in {"awk", "sed"}:
        yield from _filtered(part)
    elif name in _ALWAYS or _has_program_option(part) or _leaves_the_database(part):
        yield _INLINE


def _interpreted(part: SimpleCommand) -> Iterator[Finding]:
    bare = part.name.rstrip("0123456789.")
    name = bare if bare in INTERPRETERS else part.name
    if _has_inline_text(name, part.args):
        yield _INLINE
        return
    scripts = [
        arg
        for arg in operands(part.args)
        if arg.text not in _NO_SCRIPTS and not is_standard_input(arg.text)
    ]
    if any(arg.text == "-m" for arg in part.args):
        return
    if scripts and not _is_known_file(scripts[0]):
        yield Finding(code="expansion", note="runs a program that only the shell knows")
    elif not scripts and part.stdin.is_piped:
        yield Finding(code="inline_code", note="runs what it reads as a program")


def _has_inline_text(name: str, args: Sequence[Field]) -> bool:
    """Look at the interpreter's own options.

    What comes behind the script is the script's; a word behind an option may be its value.
    """
    letters, valued = _INLINE_LETTERS.get(name, ""), _VALUE_LETTERS.get(name, "")
    is_behind_option = False
    for arg in args:
        text = arg.text
        if text.partition("=")[0].casefold() in _INLINE_WORDS or text.startswith("data:"):
            return True
        if not text.startswith("-") or text == "-":
            if not is_behind_option:
                return False
            is_behind_option = False
            continue
        if text == "-m" and not is_behind_option and "m" in valued:
            return False
        if not text.startswith("--") and _has_letter(text[1:], letters, valued):
            return True
        is_behind_option = True
    return False


def _has_letter(cluster: str, letters: str, valued: str) -> bool:
    for letter in cluster:
        if letter in letters:
            return True
        if letter in valued:
            return False
    return False


def _shell_text(part: SimpleCommand) -> Iterator[Finding]:
    text, script = shell_script_text(part.args), shell_script_operand(part.args)
    if text is not None:
        if not text.is_certain:
            yield Finding(code="shell_text", note="runs shell text that only the shell knows")
    elif script is not None or part.stdin.is_piped:
        yield from _script(script, part)


def _script(script: Field | None, part: SimpleCommand) -> Iterator[Finding]:
    """Look at the file that a shell runs; ``None``: standard input."""
    if script is None or is_standard_input(script.text):
        if part.stdin.is_piped:
            yield _READS_SHELL_TEXT
    elif not _is_known_file(script):
        yield _UNKNOWN_SCRIPT


def _is_known_file(script: Field) -> bool:
    return script.is_certain and not is_descriptor_file(script.text)


def _filtered(part: SimpleCommand) -> Iterator[Finding]:
    texts = _awk_texts(part.args) if part.name == "awk" else _sed_texts(part.args)
    acts = awk_acts if part.name == "awk" else sed_acts
    if any(acts(text.text.replace(UNKNOWN, "")) for text in texts):
        yield Finding(code="inline_code", note="runs or writes by its program text")
    elif any(not text.is_certain for text in texts):
        yield Finding(code="inline_code", note="runs program text that only the shell knows")


def _awk_texts(args: Sequence[Field]) -> Sequence[Field]:
    # Any word may be the program, behind options of which not all are known.
    first = operands(args, value_options=_AWK_VALUES)[:1]
    return [arg for arg in args if arg.is_certain or arg in first]


def _sed_texts(args: Sequence[Field]) -> Sequence[Field]:
    given = [
        value
        for name, value in given_options(args, valued="efl")
        if value is not None and (name == "-e" or _is_expression(name))
    ]
    return given or operands(args, value_options=("-l", "--line-length", "-f", "--file"))[:1]


def _is_expression(name: str) -> bool:
    return len(name) > len("--") and "--expression".startswith(name)


def _has_program_option(part: SimpleCommand) -> bool:
    options = _PROGRAM_OPTIONS.get(part.name, ())
    return any(arg.text.startswith(option) for arg in part.args for option in options)


def _leaves_the_database(part: SimpleCommand) -> bool:
    return part.name in _DATABASES and any(sql_acts(arg.text) for arg in part.args)

"""Find the files that a simple command writes, by what is known of common programs.

Owns the list of programs that write and which of their words are targets. Pure. Proven by
tests/unit/policy/test_write_targets.py.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from caramelo_tui.policy.options import has_option, operands, option_value
from caramelo_tui.policy.shell_parts import SimpleCommand
from caramelo_tui.policy.shell_words import Field

_Args = Sequence[Field]


def written_files(part: SimpleCommand) -> list[Field]:
    """Return the files that a known writer such as ``tee`` or ``cp`` writes, by its words.

    Redirects are not among them, nor what is removed.
    """
    targets = _WRITERS.get(part.name)
    return list(targets(part.args)) if targets is not None else []


def touched_files(part: SimpleCommand) -> list[Field]:
    """Return the files that a command removes, or whose rights or times it changes."""
    if part.name in {"rm", "grm", "srm", "rmdir", "unlink", "shred", "touch", "mkdir"}:
        return operands(part.args)
    if part.name in {"chmod", "chown", "chgrp"}:
        return operands(part.args)[1:]
    return []


def downloaded_files(part: SimpleCommand) -> list[str]:
    """Return the names of files that a download leaves, folders cut off."""
    saved: list[Field] = []
    if part.name == "curl":
        if has_option(part.args, short="O"):
            saved.extend(operands(part.args, value_options=("-o", "--output", "-H", "-d")))
        named = option_value(part.args, "-o", "--output")
        saved.extend([named] if named is not None else [])
    elif part.name in {"wget", "aria2c"}:
        named = option_value(part.args, "-O", "--output-document", "-o")
        saved.extend([named] if named is not None else operands(part.args))
    if part.name in {"curl", "wget"}:
        saved.extend(r.target for r in part.redirects if ">" in r.operator and r.target)
    return [_name_of(field.text) for field in saved if _name_of(field.text) not in {"", "-"}]


def _name_of(path_or_url: str) -> str:
    return path_or_url.partition("?")[0].rstrip("/").rsplit("/", maxsplit=1)[-1]


def _all_operands(args: _Args) -> list[Field]:
    return operands(args)


def _last_operand(args: _Args) -> Iterator[Field]:
    folder = option_value(args, "-t", "--target-directory")
    if folder is not None:
        yield folder
    named = operands(args, value_options=("-m", "-o", "-g", "-S", "-e", "-t"))
    if len(named) > 1:
        yield named[-1]


def _moved(args: _Args) -> Iterator[Field]:
    # A move takes the old names away, so they are written as well.
    yield from operands(args, value_options=("-S",))


def _in_place(args: _Args) -> list[Field]:
    is_in_place = any(
        arg.text.startswith(("-i", "--in-place")) or (_is_cluster(arg.text) and "i" in arg.text)
        for arg in args
    )
    if not is_in_place:
        return []
    has_script = option_value(args, "-e", "-f", "--expression", "--file") is not None
    named = operands(args, value_options=("-e", "-f", "--expression", "--file"))
    return named if has_script else named[1:]


def _is_cluster(text: str) -> bool:
    return text.startswith("-") and not text.startswith("--") and text[1:].isalpha()


def _copied_to(args: _Args) -> Iterator[Field]:
    for arg in args:
        if arg.text.startswith("of="):
            yield Field(arg.text[3:], arg.is_certain, arg.has_glob)


def _sized(args: _Args) -> list[Field]:
    return operands(args, value_options=("-s", "-r", "--size", "--reference"))


_WRITERS: Mapping[str, Callable[[_Args], Sequence[Field] | Iterator[Field]]] = {
    "tee": _all_operands,
    "sponge": _all_operands,
    "cp": _last_operand,
    "install": _last_operand,
    "ln": _last_operand,
    "rsync": _last_operand,
    "scp": _last_operand,
    "mv": _moved,
    "sed": _in_place,
    "gsed": _in_place,
    "perl": _in_place,
    "dd": _copied_to,
    "gdd": _copied_to,
    "truncate": _sized,
}

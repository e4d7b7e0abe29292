"""Find the files that a simple command writes, by what is known of common programs.

Owns the list of programs that write and which of their words are targets. Pure. Proven by
tests/unit/policy/test_write_targets.py.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from caramelo_tui.policy.downloads import prints_download, saved_files
from caramelo_tui.policy.git_commands import taken_apart
from caramelo_tui.policy.options import has_option, operands, option_value
from caramelo_tui.policy.shell_parts import SimpleCommand
from caramelo_tui.policy.shell_words import Field

_Args = Sequence[Field]
_TOUCHERS = frozenset({
    "rm", "srm", "rmdir", "unlink", "shred", "touch", "mkdir", "chmod", "chown", "chgrp",
    "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "strip", "mkfifo", "mknod", "dos2unix",
})  # fmt: skip


def written_files(part: SimpleCommand) -> list[Field]:
    """Return the files that a known writer such as ``tee`` or ``cp`` writes, by its words.

    Redirects are not among them, nor what is removed.
    """
    if part.name in {"curl", "wget"}:
        return saved_files(part)
    targets = _WRITERS.get(part.name)
    return list(dict.fromkeys(targets(part.args))) if targets is not None else []


def touched_files(part: SimpleCommand) -> list[Field]:
    """Return the files that a command removes, or whose rights or times it changes.

    The mode or owner is among them, as a name that does no harm: it may stand anywhere.
    """
    return operands(part.args) if part.name in _TOUCHERS else []


def linked_files(part: SimpleCommand) -> list[Field]:
    """Return what the links that a command makes lead to.

    A symbolic one counts from the folder that it stands in, which may be the last name itself.
    """
    makes_links = part.name == "cp" and has_option(part.args, short="ls", long="link")
    if part.name not in {"ln", "link"} and not makes_links:
        return []
    named = operands(part.args, value_options=("-S", "-t"))
    if len(named) < len(("from", "to")) or not has_option(part.args, short="s", long="symbolic"):
        return named[:1] if len(named) == 1 else named[:-1]
    last = named[-1].text
    folders = [last.rpartition("/")[0] or "."] + ([last] if _may_be_folder(named) else [])
    return [
        source if source.text.startswith("/") else _joined(folder, source)
        for source in named[:-1]
        for folder in folders
    ]


def _joined(folder: str, source: Field) -> Field:
    return Field(f"{folder}/{source.text}", source.is_certain)


def downloaded_files(part: SimpleCommand) -> list[str]:
    """Return the names of files that a download leaves, folders cut off."""
    saved = saved_files(part)
    if part.name in {"wget", "aria2c"} and not saved and not prints_download(part):
        saved = operands(part.args)
    if part.name in {"curl", "wget"}:
        saved.extend(r.target for r in part.redirects if ">" in r.operator and r.target)
    return [_name_of(field.text) for field in saved if _name_of(field.text) not in {"", "-"}]


def _name_of(path_or_url: str) -> str:
    return path_or_url.partition("?")[0].rstrip("/").rsplit("/", maxsplit=1)[-1]


def _all_operands(args: _Args) -> list[Field]:
    return operands(args)


def _copied(args: _Args) -> Iterator[Field]:
    """Where copies go: the last name, or that folder with the names of what is copied."""
    folder = option_value(args, "-t", "--target-directory")
    named = operands(args, value_options=("-m", "-o", "-g", "-S", "-e", "-t"))
    if folder is not None:
        yield folder
        yield from _within(folder, named)
    if len(named) > 1:
        yield named[-1]
        if _may_be_folder(named):
            yield from _within(named[-1], named[:-1])


def _installed(args: _Args) -> Iterator[Field]:
    if has_option(args, short="d", long="directory"):
        yield from operands(args, value_options=("-m", "-o", "-g"))
    yield from _copied(args)


def _last_of_two(args: _Args) -> Sequence[Field]:
    return operands(args)[1:][-1:]


def _first_operand(args: _Args) -> Sequence[Field]:
    return operands(args)[:1]


def _linked(args: _Args) -> Iterator[Field]:
    named = operands(args, value_options=("-S", "-t"))
    if len(named) == 1:
        # The link gets the name of what it leads to, in the folder of the command.
        yield from _within(Field("."), named)
    yield from _copied(args)


def _moved(args: _Args) -> Iterator[Field]:
    # A move takes the old names away, so they are written as well.
    named = operands(args, value_options=("-S",))
    yield from named
    yield from _copied(args)


def _may_be_folder(named: Sequence[Field]) -> bool:
    """Whether the last name may be a folder: it ends like one, or several things go there."""
    last = named[-1].text
    return (
        len(named) > len(("from", "to"))
        or last.endswith(("/", "."))
        or "." not in last.rsplit("/", maxsplit=1)[-1].lstrip(".")
    )


def _within(folder: Field, sources: Sequence[Field]) -> Iterator[Field]:
    for source in sources:
        name = _name_of(source.text)
        if name not in {"", ".", "..", "-"} and source.is_certain and folder.is_certain:
            yield Field(f"{folder.text}/{name}")


def _unpacked(args: _Args) -> Iterator[Field]:
    words = [arg.text for arg in args]
    clusters = [word for word in words if word.startswith("-") and not word.startswith("--")]
    letters = set("".join([*clusters, *words[:1]]))
    if "x" in letters or not {"--extract", "--get"}.isdisjoint(words):
        folder = option_value(args, "-C", "--directory")
        yield from [folder] if folder is not None else []
    elif letters & set("cru") or not {"--create", "--append", "--update"}.isdisjoint(words):
        archive = option_value(args, "-f", "--file")
        if archive is None and "f" in letters and len(args) > 1:
            archive = args[1]
        yield from [archive] if archive is not None and archive.text != "-" else []


def _unzipped(args: _Args) -> Iterator[Field]:
    folder = option_value(args, "-d")
    yield from [folder] if folder is not None else []


def _built(args: _Args) -> Iterator[Field]:
    output = option_value(args, "-o", "-out")
    yield from [output] if output is not None and output.text != "-" else []


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


_CLONE_VALUES = frozenset({
    "-b", "--branch", "-o", "--origin", "--depth", "-j", "--jobs", "--reference", "-c", "--config",
    "-u", "--upload-pack", "--template", "--filter", "--shallow-since", "--shallow-exclude",
    "--separate-git-dir", "--server-option", "--bundle-uri", "--revision", "--reference-if-able",
})  # fmt: skip
_INIT_VALUES = frozenset({
    "-b", "--initial-branch", "--template", "--separate-git-dir", "--object-format", "--ref-format",
})  # fmt: skip


def _by_git(args: _Args) -> Iterator[Field]:
    git = taken_apart(args)
    apart = option_value(git.args, "--separate-git-dir")
    yield from [apart] if apart is not None else []
    if git.verb == "clone":
        yield from operands(git.args, value_options=_CLONE_VALUES)[1:2]
    elif git.verb == "init":
        yield from operands(git.args, value_options=_INIT_VALUES)[:1]
    elif git.verb == "worktree":
        words = operands(git.args, value_options=("-b", "-B", "--reason"))
        yield from words[1:2] if words[:1] and words[0].text == "add" else words[2:3]
    elif git.verb == "mv":
        yield from _moved(git.args)
    elif git.verb == "rm":
        yield from operands(git.args)
    elif git.verb in {"archive", "format-patch"}:
        output = option_value(git.args, "-o", "--output", "--output-directory")
        yield from [output] if output is not None else []
    elif git.verb == "bundle":
        yield from git.words[1:2] if git.words and git.words[0].text == "create" else []


_WRITERS: Mapping[str, Callable[[_Args], Sequence[Field] | Iterator[Field]]] = {
    "git": _by_git,
    "tee": _all_operands,
    "sponge": _all_operands,
    "cp": _copied,
    "install": _installed,
    "split": _last_of_two,
    "xxd": _last_of_two,
    "objcopy": _last_of_two,
    "zip": _first_operand,
    "ln": _linked,
    "link": _copied,
    "rsync": _copied,
    "scp": _copied,
    "mv": _moved,
    "sed": _in_place,
    "perl": _in_place,
    "dd": _copied_to,
    "truncate": _sized,
    "tar": _unpacked,
    "unzip": _unzipped,
    "ruby": _in_place,
    **dict.fromkeys(("gcc", "cc", "g++", "c++", "clang", "clang++", "ld", "go", "rustc"), _built),
    **dict.fromkeys(("pandoc", "openssl", "patch"), _built),
}

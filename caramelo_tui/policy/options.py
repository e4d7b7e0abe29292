"""Read a program's options and operands, as far as the policy needs it.

Owns the splitting of arguments into options and the rest. Pure. Proven by
tests/unit/policy/test_options.py.
"""

from collections.abc import Collection, Iterator, Sequence

from caramelo_tui.policy.shell_words import Field

GIT_VALUE_OPTIONS = frozenset({
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix",
    "--attr-source",
})  # fmt: skip
"""Options before git's verb that take the next word."""


def has_option(args: Sequence[Field], *, short: str = "", long: str = "") -> bool:
    """Whether an option is given, alone, in a cluster (``-rf``) or shortened (``--r``).

    Args:
        args: Arguments after the name.
        short: Letters, any of which counts.
        long: Name without dashes; every beginning counts, as programs take the only option
            that fits.
    """
    for arg in args:
        text = arg.text
        if text == "--":
            return False
        if text.startswith("--"):
            name = text[2:].partition("=")[0]
            if name and long.startswith(name):
                return True
        elif text.startswith("-") and any(letter in text[1:] for letter in short):
            return True
    return False


def option_value(args: Sequence[Field], *names: str) -> Field | None:
    """Return the value of the first of these options.

    It may stand as ``-o F``, ``-oF``, ``-xo F``, ``--output F`` or ``--output=F``.
    """
    for i, arg in enumerate(args):
        text = arg.text
        if text in names:
            return args[i + 1] if i + 1 < len(args) else None
        for name in names:
            if name.startswith("--") and _is_shortened(text, name):
                given = text.partition("=")[0]
                if "=" in text:
                    return _rest(arg, len(given) + 1)
                return args[i + 1] if i + 1 < len(args) else None
            if not name.startswith("--") and text.startswith(name) and len(text) > len(name):
                return _rest(arg, len(name))
            if is_cluster(text) and len(name) == len("-o") and text.endswith(name[1]):
                return args[i + 1] if i + 1 < len(args) else None
    return None


def given_options(args: Sequence[Field], *, valued: str) -> Iterator[tuple[str, Field | None]]:
    """Return each option with what may be its value.

    Args:
        args: Arguments after the name.
        valued: Letters of short options that take a value, at once or as the next word. The next
            word of a long one may be its value or not.
    """
    for i, arg in enumerate(args):
        text = arg.text
        following = args[i + 1] if i + 1 < len(args) else None
        if text == "--":
            return
        if text.startswith("--"):
            name, has_value, _ = text.partition("=")
            yield name, _rest(arg, len(name) + 1) if has_value else following
        elif text.startswith("-"):
            letters: set[str] = set()
            for at, letter in enumerate(text[1:], start=2):
                if letter in valued:
                    yield f"-{letter}", _rest(arg, at) if text[at:] else following
                    break
                if letter not in letters:
                    letters.add(letter)
                    yield f"-{letter}", None


def operands(args: Sequence[Field], *, value_options: Collection[str] = ()) -> list[Field]:
    """Return what is no option, nor the value of one of ``value_options``."""
    found: list[Field] = []
    i = 0
    while i < len(args):
        text = args[i].text
        if text == "--":
            return [*found, *args[i + 1 :]]
        if text in value_options:
            i += 1
        elif not text.startswith("-") or text == "-":
            found.append(args[i])
        i += 1
    return found


def _is_shortened(text: str, name: str) -> bool:
    given = text.partition("=")[0]
    return len(given) > len("--") and name.startswith(given)


def is_cluster(text: str) -> bool:
    """Whether a word is several short options in one, such as ``-uo``."""
    return len(text) > len("-o") and text[0] == "-" and text[1:].isalpha()


def _rest(arg: Field, start: int) -> Field:
    return Field(arg.text[start:], arg.is_certain, arg.has_glob, arg.is_downloaded)

"""Read a program's options and operands, as far as the policy needs it.

Owns the splitting of arguments into options and the rest. Pure. Proven by
tests/unit/policy/test_options.py.
"""

from collections.abc import Collection, Sequence

from caramelo_tui.policy.shell_words import Field


def has_option(args: Sequence[Field], *, short: str = "", long: str = "") -> bool:
    """Whether an option is given, alone, in a cluster (``-rf``) or shortened (``--recur``).

    Args:
        args: Arguments after the name.
        short: Letters, any of which counts.
        long: Name without dashes; a beginning of at least three letters counts.
    """
    for arg in args:
        text = arg.text
        if text == "--":
            return False
        if text.startswith("--"):
            name = text[2:].partition("=")[0]
            if long and len(name) >= min(3, len(long)) and long.startswith(name):
                return True
        elif text.startswith("-") and any(letter in text[1:] for letter in short):
            return True
    return False


def option_value(args: Sequence[Field], *names: str) -> Field | None:
    """Return the value of the first of these options: ``-o F``, ``-oF``, ``--output=F``."""
    for i, arg in enumerate(args):
        text = arg.text
        if text in names:
            return args[i + 1] if i + 1 < len(args) else None
        for name in names:
            if name.startswith("--") and text.startswith(f"{name}="):
                return _rest(arg, len(name) + 1)
            if not name.startswith("--") and text.startswith(name) and len(text) > len(name):
                return _rest(arg, len(name))
    return None


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


def _rest(arg: Field, start: int) -> Field:
    return Field(arg.text[start:], arg.is_certain, arg.has_glob, arg.is_downloaded)

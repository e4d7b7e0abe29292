"""What the shell knows at one place of a command line: its folder and its variables.

Owns the effects of ``cd``, assignments and ``set --`` on what comes after. Proven by
tests/unit/policy/test_shell_commands.py.
"""

import posixpath
from collections.abc import Sequence

from caramelo_tui.policy.shell_parts import SimpleCommand, Surroundings
from caramelo_tui.policy.shell_words import Field, Variable

_READERS = frozenset({"read", "mapfile", "readarray", "getopts", "unset"})
"""Commands after which a variable's value is no longer known."""


class ShellState:
    """Folder and variables while a command line is read from its start."""

    def __init__(self, surroundings: Surroundings, cwd: str) -> None:
        self._home = surroundings.home
        self.cwd: str | None = cwd
        """Absolute; ``None``: only the shell knows."""
        self.variables = {
            "HOME": Variable(surroundings.home),
            "PWD": Variable(cwd),
            "IFS": Variable(" \t\n"),
        }

    def saved(self) -> tuple[str | None, dict[str, Variable]]:
        """Return what ``restore`` needs, as a subshell starts."""
        return self.cwd, dict(self.variables)

    def restore(self, cwd: str | None, variables: dict[str, Variable]) -> None:
        """Forget what a subshell did."""
        self.cwd = cwd
        self.variables = variables

    def assign(self, name: str, variable: Variable) -> None:
        """Set a variable."""
        self.variables[name] = variable

    def set_positional(self, values: Sequence[Field], *, first: int = 1) -> None:
        """Set ``$1`` and so on (from ``$0`` where ``first`` is 0), ``$@`` and ``$*``."""
        for number, value in enumerate(values, start=first):
            self.variables[str(number)] = Variable(value.text if value.is_certain else None)
        rest = values[1:] if first == 0 else values
        is_known = all(value.is_certain for value in rest)
        joined = " ".join(value.text for value in rest)
        for name in "@*":
            self.variables[name] = Variable(joined if is_known else None)

    def note(self, part: SimpleCommand) -> None:
        """Take over what a command changes for those after it."""
        name = part.name
        if name in {"cd", "pushd", "popd"}:
            self._change_folder(name, part)
        elif name == "set" and part.args and part.args[0].text == "--":
            self.set_positional(part.args[1:])
        elif name in _READERS:
            for arg in part.args:
                self.variables.pop(arg.text, None)

    def _change_folder(self, name: str, part: SimpleCommand) -> None:
        operands = [arg for arg in part.args if not arg.text.startswith("-") or arg.text == "-"]
        if name == "cd" and not operands:
            self.cwd = self._home
        elif len(operands) == 1 and operands[0].is_certain and operands[0].text != "-":
            target = operands[0].text
            if target.startswith("/"):
                self.cwd = posixpath.normpath(target)
            elif self.cwd is not None:
                self.cwd = posixpath.normpath(posixpath.join(self.cwd, target))
        else:
            self.cwd = None
        self.variables["PWD"] = Variable(self.cwd)

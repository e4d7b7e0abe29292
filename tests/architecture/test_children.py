"""Each child of the program is given its environment: none inherits what the program was given."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "caramelo_tui"
STARTERS = frozenset(
    {"run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput"}
)
"""Functions of ``subprocess`` that start a child."""
ASYNC_STARTERS = frozenset({"create_subprocess_exec", "create_subprocess_shell"})
REPLACING = frozenset({"execv", "execvp", "execl", "execlp", "spawnv", "spawnl", "posix_spawn"})
"""Functions of ``os`` that pass the whole environment on, or leave it to the caller."""
INHERITS: Mapping[str, str] = {
    "headless/linear/editor.py": "the person's own editor is as if they started it themselves",
    "ui/external_editor.py": "as above",
}
"""Modules whose children inherit, with the reason."""


def starts() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "demo" / "sample" in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and is_start(node):
                yield str(path.relative_to(PACKAGE)), node


def is_start(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return False
    owner = call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    return (
        call.func.attr in ASYNC_STARTERS
        or (owner == "subprocess" and call.func.attr in STARTERS)
        or (owner == "os" and call.func.attr in REPLACING)
    )


def test_each_child_is_given_its_environment() -> None:
    found = list(starts())
    assert len(found) > 8
    inheriting = {
        place for place, call in found if "env" not in {word.arg for word in call.keywords}
    }
    assert sorted(inheriting) == sorted(INHERITS)


def test_the_environment_of_the_program_is_passed_on_by_none() -> None:
    passing = [
        place
        for place, call in starts()
        for word in call.keywords
        if word.arg == "env"
        and "os.environ" in ast.unparse(word.value).replace(" ", "")
        # Picked from by name, or filtered by a function.
        and not isinstance(word.value, ast.DictComp | ast.Call)
    ]
    assert passing == []

"""Who reads JSON or TOML of others is ready for text that is nested deeper than can be read."""

import ast
from collections.abc import Iterator
from pathlib import Path

import caramelo_tui

PACKAGE = Path(caramelo_tui.__file__).parent
READERS = {("json", "loads"), ("json", "load"), ("tomllib", "loads"), ("tomllib", "load")}


def _reads(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and (each.func.value.id, each.func.attr) in READERS
        for each in ast.walk(node)
    )


def _caught(handlers: list[ast.ExceptHandler]) -> set[str]:
    types = [handler.type for handler in handlers if handler.type is not None]
    return {name.id for each in types for name in ast.walk(each) if isinstance(name, ast.Name)} | {
        name.attr for each in types for name in ast.walk(each) if isinstance(name, ast.Attribute)
    }


def _unready(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Try) or not any(map(_reads, node.body)):
            continue
        caught = _caught(node.handlers)
        if caught & {"ValueError", "JSONDecodeError", "TOMLDecodeError"} and not (
            caught & {"RecursionError", "RuntimeError", "Exception"}
        ):
            yield f"{path.relative_to(PACKAGE)}:{node.lineno}"


def test_nobody_who_expects_broken_text_forgets_deep_text() -> None:
    paths = [path for path in PACKAGE.rglob("*.py") if "sample" not in path.parts]
    assert [place for path in paths for place in _unready(path)] == []

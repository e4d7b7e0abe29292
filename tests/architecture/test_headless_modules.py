"""What one headless answer loads: no SDK, no screen, nothing that only some calls need."""

import asyncio
import json
import os
import sys
import textwrap
from pathlib import Path

from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.model_server import ModelServer

UNNEEDED = frozenset(
    {
        *("anthropic", "openai", "pydantic", "pydantic_core", "jiter"),
        *("textual", "rich", "pygments", "markdown_it"),
        *("httpcore2", "h11", "h2", "trio"),
        *("jsonschema", "keyring", "tree_sitter", "PIL"),
    }
)
"""Distributions of which an answer without calls, over a plain connection, needs none."""
OF_SOME_CALLS = frozenset(
    f"caramelo_tui.tools.{name}"
    for name in (
        *("search.line_search", "search.line_rows", "search.search_report", "search.js_pattern"),
        *("search.search_codebase", "files.list_files", "files.edit_file"),
        "web.rendering",
    )
)
"""Own modules for searches, for answers from the web, and for the other vocabulary of tools."""
MOST_MODULES = 720
"""Modules in all; 678 at the last look, on Python 3.11."""

PROGRAM = textwrap.dedent(
    """
    import json, sys
    from pathlib import Path
    from caramelo_tui.cli import main

    note = Path(sys.argv.pop(1))
    code = main()
    note.write_text(json.dumps(sorted(sys.modules)))
    sys.exit(code)
    """
)


async def test_one_answer_loads_what_it_needs_and_no_more(
    tmp_path: Path, clean_environment: Path
) -> None:
    note = tmp_path / "modules.json"
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        user = {
            **os.environ,
            "HOME": str(clean_environment),
            "CARAMELO_HOME": str(tmp_path / "own"),
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": server.url,
        }
        words = ("run", "--provider", "anthropic", "--model", "m", "--trust", "hi")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM, str(note), *words),
            cwd=clean_environment,
            env=user,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
    assert (process.returncode, out) == (0, b"hello\n"), err
    loaded: list[str] = json.loads(note.read_text())
    assert sorted({name.partition(".")[0] for name in loaded} & UNNEEDED) == []
    assert sorted(OF_SOME_CALLS & set(loaded)) == []
    assert len(loaded) <= MOST_MODULES

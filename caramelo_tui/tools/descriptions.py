"""Load what the model is told about a tool.

Owns the files ``tools/prompts/<tool>.md``, one per tool, shipped inside the package. Proven by
tests/unit/tools/test_descriptions.py.
"""

from importlib import resources


def description_of(tool: str) -> str:
    """Return a tool's description as the model sees it, without a final line break.

    Raises:
        FileNotFoundError: If the tool has none; a mistake in this package.
    """
    file = resources.files("caramelo_tui.tools") / "prompts" / f"{tool}.md"
    return file.read_text(encoding="utf-8").strip()

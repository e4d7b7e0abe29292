"""The profile offers exactly its vocabulary."""

import json
import subprocess
import sys

from caramelo_tui.domain.tool_calls import Effect
from caramelo_tui.tools.profiles import CARAMELO_TOOLS, caramelo_tools
from caramelo_tui.tools.search.regex_process import RegexProcesses


def test_caramelo_offers_the_seven_in_order() -> None:
    tools = caramelo_tools(RegexProcesses())

    assert tuple(tool.spec.name for tool in tools) == CARAMELO_TOOLS
    assert [tool.spec.name for tool in tools if tool.effect is Effect.WRITE] == [
        "file_edit",
        "file_write",
    ]
    assert [tool.spec.name for tool in tools if tool.effect is Effect.COMMAND] == ["bash"]


def test_making_the_tools_loads_no_schema_library_and_no_engine() -> None:
    program = (
        "import json, sys\n"
        "from caramelo_tui.tools.profiles import caramelo_tools\n"
        "from caramelo_tui.tools.search.regex_process import RegexProcesses\n"
        "caramelo_tools(RegexProcesses())\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )

    loaded = set(json.loads(done.stdout))
    assert loaded.isdisjoint({"jsonschema", "regress", "pydantic", "textual"})

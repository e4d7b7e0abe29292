"""The profile offers exactly its vocabulary."""

import json
import subprocess
import sys

from caramelo_tui.composition import offered_tools
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.tool_calls import Effect
from caramelo_tui.tools.profiles import CARAMELO_TOOLS, CORE_TOOLS


def test_caramelo_offers_the_seven_first_and_in_order() -> None:
    tools = offered_tools(Settings())

    assert tuple(tool.spec.name for tool in tools)[:7] == CARAMELO_TOOLS
    assert [tool.spec.name for tool in tools if tool.effect is Effect.WRITE] == [
        "file_edit",
        "file_write",
    ]
    assert [tool.spec.name for tool in tools if tool.effect is Effect.COMMAND] == ["bash"]


def test_core_offers_its_own_first_and_the_end_of_the_run_last() -> None:
    tools = offered_tools(Settings(profile=CORE))

    assert tuple(tool.spec.name for tool in tools)[: len(CORE_TOOLS)] == CORE_TOOLS
    assert tools[-1].spec.name == "task_done"
    assert [tool.spec.name for tool in tools if tool.effect is Effect.WRITE] == [
        "write_file",
        "edit_file",
    ]
    assert [tool.spec.name for tool in tools if tool.effect is Effect.COMMAND] == ["run_command"]


def test_making_the_tools_loads_no_schema_library_and_no_engine() -> None:
    program = (
        "import json, sys\n"
        "from caramelo_tui.composition.tool_choice import offered_tools\n"
        "from caramelo_tui.config.settings import Settings\n"
        "offered_tools(Settings())\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )

    loaded = set(json.loads(done.stdout))
    assert loaded.isdisjoint({"jsonschema", "regress", "pydantic", "textual", "httpx2"})

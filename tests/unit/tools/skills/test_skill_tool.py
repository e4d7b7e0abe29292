"""A skill's tool shows exactly what it runs, and runs it as every command."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import ActionKind, Effect, PreparedCall, ToolSpec
from caramelo_tui.tools.skills.skill import SkillOrigin, SkillToolDefinition
from caramelo_tui.tools.skills.skill_files import SkillFolder
from caramelo_tui.tools.skills.skill_tool import (
    ARGUMENTS_CHARACTERS,
    SkillSource,
    SkillTool,
)
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.processes import is_running, read_pid, wait_until
from tests.doubles.tool_worlds import ToolWorld, open_tool_world


@dataclass
class Skills:
    """A folder of skills beside a workspace."""

    base: Path
    folder: Path
    worlds: ExitStack

    def tool(
        self,
        *command: str,
        own_folder: str = "deploy",
        origin: SkillOrigin = SkillOrigin.USER,
        is_trusted: bool = False,
    ) -> SkillTool:
        """Return a tool of the skill in ``skills/deploy``."""
        (self.folder / own_folder).mkdir(exist_ok=True)
        spec = ToolSpec(
            name="ship",
            description="x",
            input_schema={
                "type": "object",
                "properties": {"text": {"type": "string"}},
                "additionalProperties": False,
            },
        )
        files = FileStore(Sandbox(self.folder))
        return SkillTool(
            SkillToolDefinition(spec=spec, command=command),
            SkillSource(
                skill="deploy",
                place="skills/deploy/skill.json",
                folder=SkillFolder(files, inside=".", origin=origin, shown="skills"),
                own_folder=own_folder,
                is_trusted=is_trusted,
            ),
        )

    def script(self, path: str, text: str) -> Path:
        """Put a program into the folder of skills."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def world(self, tool: SkillTool) -> ToolWorld:
        """Return a workspace in which the tool is offered."""
        return self.worlds.enter_context(
            open_tool_world(self.base / "workspace", self.base / "artifacts", tools=[tool])
        )


@pytest.fixture
def skills(tmp_path: Path) -> Iterator[Skills]:
    for name in ("workspace", "skills"):
        (tmp_path / name).mkdir()
    with ExitStack() as worlds:
        yield Skills(base=tmp_path, folder=tmp_path / "skills", worlds=worlds)


async def prepared_by(skills: Skills, tool: SkillTool, text: str = "hi") -> PreparedCall:
    return await skills.world(tool).prepare("ship", text=text)


async def test_all_that_will_run_is_shown(skills: Skills) -> None:
    tool = skills.tool("cat", "", "a b", 'c"\nd')
    assert tool.effect is Effect.OTHER
    prepared = await prepared_by(skills, tool, "ä")
    action = prepared.action
    assert action is not None
    assert action.kind is ActionKind.SKILL
    assert action.title == "Run ship of the skill deploy"
    facts = [(fact.label, fact.value) for fact in action.facts]
    assert facts == [
        ("skill", "deploy"),
        ("from", "the user's own folder, skills/deploy/skill.json"),
        ("command", '"cat"'),
        ("command", '""'),
        ("command", '"a b"'),
        ("command", '"c\\"\\nd"'),
        ("start folder", str(skills.base / "workspace")),
        ("time limit", "120 s"),
        ("input", "the arguments below, as JSON on standard input"),
    ]
    assert action.body == '{\n  "text": "ä"\n}'
    assert prepared.summary == 'skill deploy: {"text": "ä"}'
    assert not prepared.is_cacheable


async def test_it_asks_unless_the_users_own_skill_is_trusted(skills: Skills) -> None:
    async def asks_because(origin: SkillOrigin, *, is_trusted: bool) -> str:
        tool = skills.tool("cat", origin=origin, is_trusted=is_trusted)
        action = (await prepared_by(skills, tool)).action
        assert action is not None
        return action.asks_because

    assert await asks_because(SkillOrigin.USER, is_trusted=True) == ""
    assert "skills.trust" in await asks_because(SkillOrigin.USER, is_trusted=False)
    for is_trusted in (True, False):
        said = await asks_because(SkillOrigin.WORKSPACE, is_trusted=is_trusted)
        assert "comes with the workspace" in said


async def test_the_program_gets_what_was_shown_on_standard_input(skills: Skills) -> None:
    output = await skills.world(skills.tool("cat")).run("ship", text="$(touch x) ä\n")
    assert not output.is_error
    assert output.exit_code == 0
    shown = output.text.partition("bytes) ---\n")[2].partition("--- stderr")[0]
    assert shown == '{\n  "text": "$(touch x) ä\\n"\n}\n'
    assert json.loads(shown) == {"text": "$(touch x) ä\n"}


async def test_no_shell_stands_in_between(skills: Skills) -> None:
    output = await skills.world(skills.tool("printf", "%s", "$HOME; `id` *")).run("ship")
    assert "$HOME; `id` *" in output.text


async def test_it_starts_in_the_workspace_with_a_childs_environment(skills: Skills) -> None:
    skills.script("deploy/run.sh", "#!/bin/sh\npwd\nprintenv CARAMELO\ncat >&2\nexit 3\n")
    output = await skills.world(skills.tool("./run.sh")).run("ship")
    assert output.is_error
    assert output.exit_code == 3
    assert output.text.startswith("exit_code: 3\n")
    assert f"{skills.base / 'workspace'}\n1\n" in output.text
    assert "--- stderr (3 bytes) ---\n{}\n" in output.text


async def test_a_relative_program_is_the_skills_own_not_the_workspaces(skills: Skills) -> None:
    skills.script("deploy/bin/run", "#!/bin/sh\necho of the skill\n")
    theirs = skills.base / "workspace" / "bin" / "run"
    theirs.parent.mkdir()
    theirs.write_text("#!/bin/sh\necho of the workspace\n")
    theirs.chmod(0o755)
    tool = skills.tool("bin/run")
    world = skills.world(tool)
    action = (await world.prepare("ship")).action
    assert action is not None
    assert json.dumps(str(skills.folder / "deploy" / "bin" / "run")) in [
        f.value for f in action.facts
    ]
    assert "of the skill" in (await world.run("ship")).text


async def test_a_program_of_a_skill_without_a_folder_lies_beside_its_file(skills: Skills) -> None:
    skills.script("run.sh", "#!/bin/sh\necho here\n")
    assert "here" in (await skills.world(skills.tool("./run.sh", own_folder=".")).run("ship")).text


async def test_a_program_that_leads_out_of_the_folder_is_refused(skills: Skills) -> None:
    (skills.folder / "deploy").mkdir()
    (skills.folder / "deploy" / "link").symlink_to("/bin/sh")
    for program in ("../../x", "./link"):
        output = await skills.world(skills.tool(program)).run("ship")
        assert output.is_error
        assert "leads out of the folder of skills" in output.text


async def test_a_program_that_became_another_one_is_not_run(skills: Skills) -> None:
    skills.script("deploy/run", "#!/bin/sh\ntouch ran\n")
    skills.script("other/run", "#!/bin/sh\ntouch ran\n")
    tool = skills.tool("./run")
    world = skills.world(tool)
    prepared = await world.prepare("ship")
    (skills.folder / "deploy" / "run").unlink()
    (skills.folder / "deploy" / "run").symlink_to("../other/run")
    with pytest.raises(ToolFailure, match="changed meanwhile"):
        await tool.execute(prepared, world.context)
    assert not (world.root / "ran").exists()


async def test_a_program_that_is_not_there_is_an_error(skills: Skills) -> None:
    for program in ("no-such-program", "./missing", "/no/such"):
        output = await skills.world(skills.tool(program)).run("ship")
        assert output.is_error
        assert "could not be started" in output.text


async def test_long_arguments_are_refused_and_cut_in_the_row(skills: Skills) -> None:
    output = await skills.world(skills.tool("cat")).run("ship", text="x" * ARGUMENTS_CHARACTERS)
    assert output.is_error
    assert "65,536 characters" in output.text
    prepared = await prepared_by(skills, skills.tool("cat"), "x" * 1_000)
    assert len(prepared.summary) < 250
    assert prepared.summary.endswith("…")


async def test_much_output_is_cut_as_for_a_command(skills: Skills) -> None:
    tool = skills.tool("head", "-c", "20000", "/dev/zero")
    output = await skills.world(tool).run("ship")
    assert output.is_truncated
    assert "first 10,240 of 20,000 bytes" in output.text
    assert output.artifact is not None


async def test_cancelled_it_leaves_nothing_running(skills: Skills) -> None:
    skills.script("deploy/run", "#!/bin/sh\nsleep 60 &\necho $! > pid\nmkfifo ready\nsleep 60\n")
    tool = skills.tool("./run")
    world = skills.world(tool)
    prepared = await world.prepare("ship")
    task = asyncio.create_task(tool.execute(prepared, world.context))
    await wait_until((world.root / "ready").exists)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(read_pid(world.root / "pid"))

"""Which skills a session has: clashes, trust, and what is said of them."""

import json
from pathlib import Path

from caramelo_tui.tools.skills.loading import load_skills
from caramelo_tui.tools.skills.skill import LoadedSkills, SkillOrigin
from caramelo_tui.tools.skills.skill_files import SkillFolder
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox


def put(folder: Path, file: str, name: str, *tools: str) -> None:
    described = [
        {"name": tool, "description": "x", "inputSchema": {"type": "object"}, "command": ["true"]}
        for tool in tools
    ]
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"name": name, "description": "x", "triggers": [name], "tools": described})
    (folder / file).write_text(text, encoding="utf-8")


def load(tmp_path: Path, *, trusted: tuple[str, ...] = ()) -> LoadedSkills:
    folders: list[SkillFolder] = []
    for name, origin in (("own", SkillOrigin.USER), ("project", SkillOrigin.WORKSPACE)):
        (tmp_path / name).mkdir(exist_ok=True)
        store = FileStore(Sandbox(tmp_path / name))
        folders.append(SkillFolder(store, inside=".", origin=origin, shown=name))
    return load_skills(folders, reserved=("file_read", "bash"), trusted=trusted)


def tools(loaded: LoadedSkills) -> list[str]:
    return [tool.spec.name for skill in loaded.skills for tool in skill.tools]


def said(loaded: LoadedSkills) -> dict[str, str]:
    return {
        findings.place: "; ".join(one.text for one in findings.findings)
        for findings in loaded.report
    }


def test_skills_of_both_folders_are_there_by_name(tmp_path: Path) -> None:
    put(tmp_path / "own", "x.json", "zeta", "one")
    put(tmp_path / "project", "y.json", "alpha", "two")
    loaded = load(tmp_path)
    assert [(one.name, one.origin, one.place) for one in loaded.skills] == [
        ("alpha", SkillOrigin.WORKSPACE, "project/y.json"),
        ("zeta", SkillOrigin.USER, "own/x.json"),
    ]
    assert loaded.report == ()


def test_a_skill_of_the_workspace_takes_no_name_of_the_users_own(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "deploy", "own_tool")
    put(tmp_path / "project", "b.json", "Deploy", "evil_tool")
    loaded = load(tmp_path)
    assert tools(loaded) == ["own_tool"]
    (line,) = said(loaded).items()
    assert line == (
        "project/b.json",
        "the skill deploy is also in own/a.json; the user's own counts",
    )


def test_of_two_skills_of_one_name_in_a_folder_neither_counts(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "deploy", "one")
    put(tmp_path / "own", "b.json", "deploy", "two")
    put(tmp_path / "project", "c.json", "deploy", "three")
    loaded = load(tmp_path)
    assert loaded.skills == ()
    assert "also in own/b.json, project/c.json; neither is loaded" in said(loaded)["own/a.json"]
    assert len(loaded.report) == 3


def test_a_tool_never_takes_the_name_of_a_built_in_one(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "deploy", "file_read", "BASH", "fine")
    loaded = load(tmp_path, trusted=("deploy",))
    assert tools(loaded) == ["fine"]
    text = said(loaded)["own/a.json"]
    assert "tool file_read: the name belongs to a built-in tool, so it is not offered" in text
    assert "tool bash: the name belongs" in text
    assert loaded.report[0].is_problem


def test_of_two_tools_of_one_name_neither_is_offered(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "one", "ship_it", "a_tool")
    put(tmp_path / "project", "b.json", "two", "Ship_It")
    loaded = load(tmp_path)
    assert [one.name for one in loaded.skills] == ["one", "two"]
    assert tools(loaded) == ["a_tool"]
    assert set(said(loaded)) == {"own/a.json", "project/b.json"}
    assert "own/a.json, project/b.json" in said(loaded)["own/a.json"]


def test_one_skill_may_not_use_a_name_twice(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "one", "ship_it", "ship_it")
    loaded = load(tmp_path)
    assert tools(loaded) == []
    assert "used more than once" in said(loaded)["own/a.json"]


def test_a_skill_that_lost_its_name_takes_no_tool_along(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "deploy", "ship_it")
    put(tmp_path / "project", "b.json", "deploy", "ship_it")
    assert tools(load(tmp_path)) == ["ship_it"]


def test_a_broken_file_is_named_and_the_others_load(tmp_path: Path) -> None:
    put(tmp_path / "own", "a.json", "one", "tool")
    (tmp_path / "own" / "b.json").write_text("{")
    (tmp_path / "own" / "c.json").write_bytes(b"\xff")
    loaded = load(tmp_path)
    assert tools(loaded) == ["tool"]
    assert set(said(loaded)) == {"own/b.json", "own/c.json"}

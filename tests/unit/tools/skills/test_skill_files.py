"""Skills' files are found where they may lie, bounded, and never outside of their folder."""

import os
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import PathRefused
from caramelo_tui.tools.skills.skill import SkillOrigin
from caramelo_tui.tools.skills.skill_files import (
    LARGEST_FILE_BYTES,
    MOST_SKILLS,
    SkillFile,
    SkillFolder,
    SkillFormat,
)
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox


def folder_of(root: Path, inside: str = ".") -> SkillFolder:
    store = FileStore(Sandbox(root))
    return SkillFolder(store, inside=inside, origin=SkillOrigin.USER, shown="skills")


def put(path: Path, data: bytes = b"{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def files(root: Path, inside: str = ".") -> list[SkillFile]:
    return list(folder_of(root, inside).read())


def problems(root: Path, inside: str = ".") -> list[tuple[str, str]]:
    return [(file.place, file.problem) for file in files(root, inside) if file.problem]


def test_json_files_and_both_kinds_of_folders_are_found_by_name(tmp_path: Path) -> None:
    put(tmp_path / "z.json", b"one")
    put(tmp_path / "b" / "skill.json", b"two")
    put(tmp_path / "a" / "SKILL.md", b"three")
    put(tmp_path / "README.md")
    put(tmp_path / ".hidden.json")
    put(tmp_path / ".git" / "skill.json")
    found = [(file.place, file.folder, file.format, file.text) for file in files(tmp_path)]
    assert found == [
        ("skills/a/SKILL.md", "a", SkillFormat.MARKDOWN, "three"),
        ("skills/b/skill.json", "b", SkillFormat.JSON, "two"),
        ("skills/z.json", ".", SkillFormat.JSON, "one"),
    ]


def test_skill_json_counts_where_a_folder_has_both(tmp_path: Path) -> None:
    put(tmp_path / "a" / "skill.json")
    put(tmp_path / "a" / "SKILL.md")
    assert [file.place for file in files(tmp_path)] == ["skills/a/skill.json"]


def test_no_folder_is_no_problem(tmp_path: Path) -> None:
    assert files(tmp_path, ".caramelo/skills") == []


def test_a_file_in_the_place_of_the_folder_is_one(tmp_path: Path) -> None:
    put(tmp_path / ".caramelo" / "skills")
    ((place, problem),) = problems(tmp_path, ".caramelo/skills")
    assert place == "skills"
    assert "not a folder" in problem


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe{", "is not UTF-8 (byte 0)"),
        (b" " * (LARGEST_FILE_BYTES + 1), "has more than 256 KB"),
    ],
)
def test_what_cannot_be_read_as_text_is_said(tmp_path: Path, data: bytes, said: str) -> None:
    put(tmp_path / "a.json", data)
    assert problems(tmp_path) == [("skills/a.json", said)]


def test_a_byte_order_mark_is_left_out_and_the_largest_file_read(tmp_path: Path) -> None:
    put(tmp_path / "a.json", b"\xef\xbb\xbf{}")
    put(tmp_path / "b.json", b" " * LARGEST_FILE_BYTES)
    assert [len(file.text) for file in files(tmp_path)] == [2, LARGEST_FILE_BYTES]


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b" / "SKILL.md").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    (_, fifo), (_, folder), (_, empty) = problems(tmp_path)
    assert "FIFO" in fifo
    assert "folder" in folder
    assert empty == "holds neither skill.json nor SKILL.md"


def test_links_within_the_folder_are_followed_and_others_said(tmp_path: Path) -> None:
    skills, outside = tmp_path / "skills", tmp_path / "outside"
    put(skills / "shared" / "SKILL.md", b"x")
    put(outside / "SKILL.md", b"secret")
    put(outside / "a.json", b"secret")
    (skills / "link").symlink_to("shared")
    (skills / "out").symlink_to(outside)
    (skills / "out.json").symlink_to(outside / "a.json")
    (skills / "half").mkdir()
    (skills / "half" / "SKILL.md").symlink_to(outside / "SKILL.md")
    (skills / "loop.json").symlink_to("loop.json")
    (skills / "notes").symlink_to("shared/SKILL.md")
    found = files(skills)
    assert [file.text for file in found if not file.problem] == ["x", "x"]
    said = dict(problems(skills))
    for name in ("out", "out.json", "half"):
        assert "leads out of the folder of skills" in said[f"skills/{name}"]
    assert "skills/loop.json" in said
    assert len(said) == 4


def test_no_link_leads_into_the_rest_of_the_workspace(tmp_path: Path) -> None:
    put(tmp_path / "build" / "a.json")
    put(tmp_path / ".caramelo" / "skills-old" / "b.json")
    skills = tmp_path / ".caramelo" / "skills"
    skills.mkdir()
    (skills / "a.json").symlink_to("../../build/a.json")
    (skills / "b.json").symlink_to("../skills-old/b.json")
    said = problems(tmp_path, ".caramelo/skills")
    assert len(said) == 2
    assert all("leads out of the folder of skills" in problem for _, problem in said)


def test_a_path_is_resolved_within_the_folder_only(tmp_path: Path) -> None:
    put(tmp_path / "skills" / "a" / "run.sh")
    folder = folder_of(tmp_path, "skills")
    assert folder.resolve("a/./run.sh").absolute == tmp_path.resolve() / "skills" / "a" / "run.sh"
    for path in ("../x", "a/../../x", "../skills-old/x"):
        with pytest.raises(PathRefused):
            folder.resolve(path)


def test_very_many_skills_are_not_all_read(tmp_path: Path) -> None:
    for number in range(MOST_SKILLS + 2):
        put(tmp_path / f"{number:03}.json")
    found = files(tmp_path)
    assert len(found) == MOST_SKILLS + 1
    assert (
        found[-1].problem
        == f"only the first {MOST_SKILLS} of {MOST_SKILLS + 2} files and folders are read"
    )


def test_a_name_cannot_act_in_the_report(tmp_path: Path) -> None:
    put(tmp_path / "a\n\x1b[2J\udcff.json")
    (file,) = files(tmp_path)
    assert file.place == "skills/a<U+000A><U+001B>[2J<U+DCFF>.json"

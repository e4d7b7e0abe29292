"""Load skills, and report what of them cannot be used.

Owns which skills and which of their tools a session has: clashes of names are decided here, and
nothing that is built in is ever replaced. Runs nothing, whatever a file says. Proven by
tests/unit/tools/skills/test_loading.py.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from caramelo_tui.tools.skills.field_readers import Findings
from caramelo_tui.tools.skills.json_skill import read_json_skill
from caramelo_tui.tools.skills.markdown_skill import read_markdown_skill
from caramelo_tui.tools.skills.skill import (
    FileFindings,
    LoadedSkills,
    Skill,
    SkillDraft,
    SkillOrigin,
)
from caramelo_tui.tools.skills.skill_files import SkillFile, SkillFolder, SkillFormat
from caramelo_tui.tools.skills.skill_tool import SkillSource, SkillTool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """One file after it was read."""

    file: SkillFile
    folder: SkillFolder
    found: Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Usable(_Read):
    """One file with a skill in it."""

    draft: SkillDraft


def load_skills(
    folders: Sequence[SkillFolder], *, reserved: Collection[str], trusted: Collection[str]
) -> LoadedSkills:
    """Return the skills of all folders. Blocks on the disk; never fails.

    Args:
        folders: The user's own first.
        reserved: Names of all tools that are built in, of every profile.
        trusted: Skills whose tools the user's own configuration lets run unasked; counts for
            those of the user's own folder only.
    """
    read = [_read(file, folder) for folder in folders for file in folder.read()]
    kept = _without_name_clashes([one for one in read if isinstance(one, _Usable)])
    clashing = _clashing_tools(kept, {name.casefold() for name in reserved})
    skills = [_skill(one, clashing, trusted) for one in kept]
    return LoadedSkills(
        skills=tuple(sorted(skills, key=lambda skill: skill.name)),
        report=tuple(
            FileFindings(place=one.file.place, findings=one.found.all)
            for one in read
            if one.found.all
        ),
    )


def _read(file: SkillFile, folder: SkillFolder) -> _Read:
    found = Findings()
    draft: SkillDraft | None = None
    if file.problem:
        found.problem(file.problem)
    elif file.format is SkillFormat.JSON:
        draft = read_json_skill(file.text, found)
    else:
        draft = read_markdown_skill(file.text, found)
    if draft is None:
        return _Read(file=file, folder=folder, found=found)
    return _Usable(file=file, folder=folder, found=found, draft=draft)


def _without_name_clashes(read: Sequence[_Usable]) -> list[_Usable]:
    """Return the skills whose names are theirs alone; one of the user's own wins."""
    by_name: defaultdict[str, list[_Usable]] = defaultdict(list)
    for one in read:
        by_name[one.draft.name.casefold()].append(one)
    kept: list[_Usable] = []
    for name, same in by_name.items():
        own = [one for one in same if one.folder.origin is SkillOrigin.USER]
        winner = own[0] if len(own) == 1 else same[0] if len(same) == 1 else None
        kept += [winner] if winner is not None else []
        for one in same:
            if one is not winner:
                others = _places(other for other in same if other is not one)
                which = "the user's own counts" if winner is not None else "neither is loaded"
                one.found.problem(f"the skill {name} is also in {others}; {which}")
    return kept


def _clashing_tools(read: Sequence[_Usable], reserved: Collection[str]) -> frozenset[str]:
    """Return the names, case folded, that no skill may offer; each clash is noted."""
    by_name: defaultdict[str, list[_Usable]] = defaultdict(list)
    for one in read:
        for tool in one.draft.tools:
            by_name[tool.spec.name.casefold()].append(one)
    clashing: set[str] = set()
    for name, users in by_name.items():
        if name in reserved:
            problem = f"tool {name}: the name belongs to a built-in tool, so it is not offered"
        elif len(users) > 1:
            problem = f"tool {name}: the name is used more than once ({_places(users)}), so no "
            problem += "tool of that name is offered"
        else:
            continue
        clashing.add(name)
        for one in users:
            one.found.problem(problem)
    return frozenset(clashing)


def _skill(one: _Usable, clashing: Collection[str], trusted: Collection[str]) -> Skill:
    draft = one.draft
    source = SkillSource(
        skill=draft.name,
        place=one.file.place,
        folder=one.folder,
        own_folder=one.file.folder,
        is_trusted=one.folder.origin is SkillOrigin.USER and draft.name in trusted,
    )
    return Skill(
        name=draft.name,
        description=draft.description,
        triggers=draft.triggers,
        prompt=draft.prompt,
        tools=tuple(
            SkillTool(tool, source)
            for tool in draft.tools
            if tool.spec.name.casefold() not in clashing
        ),
        origin=one.folder.origin,
        place=one.file.place,
    )


def _places(read: Iterable[_Read]) -> str:
    return ", ".join(dict.fromkeys(one.file.place for one in read))

"""Describe skills and what was found while loading them.

Owns the values that travel from the files to the agent. A skill is data: it holds no permission
and runs nothing by itself. Proven by tests/unit/tools/skills/test_loading.py.
"""

from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.tool_calls import ToolSpec
from caramelo_tui.tools.base import Tool


class SkillOrigin(StrEnum):
    """Who put a skill there."""

    USER = "the user's own folder"
    WORKSPACE = "the workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillToolDefinition:
    """One tool as a skill's file describes it."""

    spec: ToolSpec
    """As the model sees it; the schema refuses unknown arguments."""
    command: tuple[str, ...]
    """Program and arguments, at least one; never a shell's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDraft:
    """One skill as its file describes it."""

    name: str
    description: str
    """One line; what the user and the model read to choose it."""
    triggers: tuple[str, ...] = ()
    """Words and phrases that activate it, as written."""
    prompt: str = ""
    """What the model is told while it is active; may be empty."""
    tools: tuple[SkillToolDefinition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A loaded skill."""

    name: str
    """Unique among the loaded ones in any letter case."""
    description: str
    triggers: tuple[str, ...]
    prompt: str
    tools: tuple[Tool, ...]
    """Those that can be offered; their names are unique among all tools."""
    origin: SkillOrigin
    place: str
    """Its file, for people: workspace-relative, or absolute for the user's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that the user should know about a skill's file."""

    text: str
    """Without a full stop; may hold anything that the file holds."""
    is_problem: bool = True
    """Whether something of the file is not used; else it is only said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFindings:
    """All that was found in one file or folder."""

    place: str
    """As in ``Skill.place``."""
    findings: tuple[Finding, ...]
    """At least one, in the order of the file."""

    @property
    def is_problem(self) -> bool:
        """Whether something of it is not used."""
        return any(finding.is_problem for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSkills:
    """All skills of a session, and the load report."""

    skills: tuple[Skill, ...] = ()
    """By name."""
    report: tuple[FileFindings, ...] = ()
    """By folder, then file; the user's own first."""

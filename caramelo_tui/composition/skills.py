"""Load the skills of a session.

Owns from where skills come: the user's own folder, and the workspace's when it is trusted; and
how the load report is worded. Proven by tests/unit/composition/test_skills.py.
"""

import logging
from dataclasses import replace
from pathlib import Path

from caramelo_tui.composition.core import CoreOptions
from caramelo_tui.config.settings import TOOL_NAMES
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.skills.loading import load_skills
from caramelo_tui.tools.skills.skill import FileFindings, Finding, LoadedSkills, SkillOrigin
from caramelo_tui.tools.skills.skill_files import SkillFolder
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox

WORKSPACE_FOLDER = ".caramelo/skills"
"""Skills of a workspace, from its root."""
MOST_NOTICES = 12
"""Files whose findings are said at the start; the rest is counted."""

_log = logging.getLogger(__name__)


def session_skills(options: CoreOptions) -> LoadedSkills:
    """Return the skills that a session has. Reads files, runs nothing.

    Those of the workspace are not even looked at unless it is trusted.
    """
    own, problems = _own_folder(options.locations.config / "skills")
    folders = (*own, *_workspace_folder(options))
    trusted = options.settings.trusted_skills
    loaded = load_skills(folders, reserved=TOOL_NAMES, trusted=trusted)
    of_user = {skill.name for skill in loaded.skills if skill.origin is SkillOrigin.USER}
    unknown = tuple(
        Finding(text=f"skills.trust names {name}, which is no skill of this folder")
        for name in trusted
        if name not in of_user
    )
    if not (found := (*problems, *unknown)):
        return loaded
    place = make_inert(str(options.locations.config / "skills"))
    return replace(loaded, report=(FileFindings(place=place, findings=found), *loaded.report))


def skill_notices(loaded: LoadedSkills) -> tuple[tuple[NoticeLevel, str], ...]:
    """Return what the user is told at the start: what is not used first, then what is only said."""
    ordered = sorted(loaded.report, key=lambda findings: not findings.is_problem)
    for findings in ordered:
        _log.info("%s", _line(findings))
    notices = [
        (NoticeLevel.WARNING if findings.is_problem else NoticeLevel.INFO, _line(findings))
        for findings in ordered[:MOST_NOTICES]
    ]
    if (more := len(ordered) - MOST_NOTICES) > 0:
        text = f"{more} more files of skills have findings; the log names them."
        notices.append((NoticeLevel.WARNING, text))
    return tuple(notices)


def _own_folder(path: Path) -> tuple[tuple[SkillFolder, ...], tuple[Finding, ...]]:
    """Return the user's own folder, or why it cannot be used; neither when there is none."""
    try:
        files = FileStore(Sandbox(path))
    except FileNotFoundError:
        return (), ()
    except (OSError, RuntimeError) as error:
        return (), (Finding(text=f"cannot be read ({error})"),)
    folder = SkillFolder(files, inside=".", origin=SkillOrigin.USER, shown=str(path))
    return (folder,), ()


def _workspace_folder(options: CoreOptions) -> tuple[SkillFolder, ...]:
    if not options.is_trusted:
        return ()
    return (
        SkillFolder(
            FileStore(Sandbox(options.root)),
            inside=WORKSPACE_FOLDER,
            origin=SkillOrigin.WORKSPACE,
            shown=WORKSPACE_FOLDER,
        ),
    )


def _line(findings: FileFindings) -> str:
    said = "; ".join(visible(one.text, keeps_newlines=False) for one in findings.findings)
    return f"skill file {findings.place}: {said}."

"""Find and read the files of skills.

Owns where skills may lie in a folder of skills, and how much of it is read. Every file is opened
through a sandbox: regular files only, no link out of the folder. Runs nothing. Proven by
tests/unit/tools/skills/test_skill_files.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry, ResolvedPath
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.skills.skill import SkillOrigin
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.path_failures import MissingPath

MOST_SKILLS = 200
"""Files and folders of one folder that are looked at."""
LARGEST_FILE_BYTES = 262_144
"""256 KB; a skill is read by people and by models."""
_LEADS_OUT = "it leads out of the folder of skills"
JSON_NAME = "skill.json"
MARKDOWN_NAME = "SKILL.md"


class SkillFormat(StrEnum):
    """How a skill's file is written."""

    JSON = "json"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFile:
    """A file that should describe a skill."""

    place: str
    """For people, one line in which nothing hides."""
    folder: str
    """Its folder within the folder of skills; ``.`` is that folder itself."""
    format: SkillFormat
    text: str = ""
    """All of it; a byte order mark is left out."""
    problem: str = ""
    """Why it could not be read, or was not looked at; then there is no text."""


class SkillFolder:
    """One folder of skills."""

    def __init__(self, files: FileStore, *, inside: str, origin: SkillOrigin, shown: str) -> None:
        """Take the folder; nothing is read yet.

        Args:
            files: Opens every file.
            inside: Path of the folder within the sandbox of ``files``; ``.`` for its root.
            origin: Who put the skills there.
            shown: The folder's path for people.
        """
        self._files = files
        self._inside = inside
        self.origin = origin
        self.shown = shown

    def read(self) -> Iterator[SkillFile]:
        """Yield what may be a skill, by name; also what could not be read, with the problem.

        A folder that does not exist holds no skill and is no problem. Blocks on the disk.
        """
        try:
            entries = self._files.list_folder(self.resolve("."))
        except MissingPath:
            return
        except ToolFailure as failure:
            yield self._unread(".", str(failure))
            return
        candidates = sorted((e for e in entries if _may_be_skill(e)), key=lambda e: e.name)
        for entry in candidates[:MOST_SKILLS]:
            yield self._read_entry(entry)
        if len(candidates) > MOST_SKILLS:
            yield self._unread(
                ".", f"only the first {MOST_SKILLS} of {len(candidates)} files and folders are read"
            )

    def resolve(self, path: str) -> ResolvedPath:
        """Return where a path within the folder leads.

        Raises:
            PathRefused: If it leads out of the folder, also through a link.
        """
        asked = path if self._inside == "." else f"{self._inside}/{path}"
        try:
            resolved = self._files.sandbox.resolve(asked)
        except PathOutsideWorkspace as error:
            raise PathRefused(path, _LEADS_OUT) from error
        # Also no link from the folder into the rest of the workspace: files there are not
        # protected as those of skills are, and the agent may write them.
        is_inside = self._inside in {".", resolved.relative} or resolved.relative.startswith(
            f"{self._inside}/"
        )
        if not is_inside:
            raise PathRefused(path, _LEADS_OUT)
        return resolved

    def _read_entry(self, entry: FolderEntry) -> SkillFile:
        is_folder = entry.kind is FileKind.FOLDER or entry.leads_to_folder
        if not is_folder:
            return self._read_file(entry.name, ".", SkillFormat.JSON)
        for name, skill_format in (
            (JSON_NAME, SkillFormat.JSON),
            (MARKDOWN_NAME, SkillFormat.MARKDOWN),
        ):
            path = f"{entry.name}/{name}"
            try:
                is_there = self._files.facts(self.resolve(path)).exists
            except ToolFailure as failure:
                return self._unread(entry.name, str(failure))
            if is_there:
                return self._read_file(path, entry.name, skill_format)
        return self._unread(entry.name, f"holds neither {JSON_NAME} nor {MARKDOWN_NAME}")

    def _read_file(self, path: str, folder: str, skill_format: SkillFormat) -> SkillFile:
        try:
            found = self._files.read_bytes(self.resolve(path), limit_bytes=LARGEST_FILE_BYTES + 1)
        except ToolFailure as failure:
            return self._unread(path, str(failure))
        if len(found.data) > LARGEST_FILE_BYTES:
            return self._unread(path, f"has more than {LARGEST_FILE_BYTES // 1024} KB")
        try:
            text = found.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            return self._unread(path, f"is not UTF-8 (byte {error.start})")
        return SkillFile(place=self._place(path), folder=folder, format=skill_format, text=text)

    def _unread(self, path: str, problem: str) -> SkillFile:
        return SkillFile(
            place=self._place(path), folder=".", format=SkillFormat.JSON, problem=problem
        )

    def _place(self, path: str) -> str:
        return make_inert(self.shown if path == "." else f"{self.shown}/{path}")


def _may_be_skill(entry: FolderEntry) -> bool:
    if entry.name.startswith("."):
        return False
    if entry.kind is FileKind.FOLDER or entry.leads_to_folder:
        return True
    # A link that leads out is looked at too, so that its owner learns that it is not followed.
    leads_out = entry.kind is FileKind.LINK and entry.link_target is None
    return entry.name.endswith(".json") or leads_out

"""Describe a tool call on its way from the model's words to its result.

Owns specs, calls, prepared calls and results. Proven by
tests/unit/domain/test_tool_calls.py.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from caramelo_tui.domain.diffs import WriteProposal
from caramelo_tui.domain.ids import CallId

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
"""A decoded JSON value."""


class Effect(StrEnum):
    """What kind of effect a tool has; decides who is asked."""

    READ = "read"
    """Reads the workspace; no effect."""
    WRITE = "write"
    """Writes files through a reviewed proposal."""
    COMMAND = "command"
    """Runs a shell command that the user approves literally."""
    OTHER = "other"
    """Any other effect (network, git, sub-agents)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    input_schema: Mapping[str, JsonValue]
    """JSON Schema, draft-07 subset, with ``additionalProperties: false``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """What the model asked for, unchecked."""

    id: CallId
    name: str
    arguments_json: str
    """Argument text exactly as streamed; an empty text means ``{}``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A shell command that a call wants to run."""

    command: str
    """The literal text given to ``/bin/sh -c``."""
    cwd: str
    """Workspace-relative start folder; ``.`` is the root."""
    timeout_ms: int


class ActionKind(StrEnum):
    """What a call of ``Effect.OTHER`` does; the policy has a rule for each."""

    COMMIT = "commit"
    BRANCH = "branch"
    """Creates or switches a branch."""
    PULL_REQUEST = "pull_request"
    FETCH = "fetch"
    """Sends a request to a web server."""
    SKILL = "skill"
    """Runs the program of a skill's tool."""
    DELEGATE = "delegate"
    """Starts a sub-agent."""
    FINISH = "finish"
    """Ends the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFact:
    """One line of what will happen, such as ``host`` and ``example.org``."""

    label: str
    value: str
    """Shown whole; may hold anything, so it is made visible before it is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a call of ``Effect.OTHER`` will do, exactly as it is shown for approval."""

    kind: ActionKind
    title: str
    """One line in plain words, such as ``Create and switch to branch fix/rounding``."""
    facts: tuple[ActionFact, ...] = ()
    body: str = ""
    """Long text that belongs to it, such as a commit message; shown whole."""
    asks_because: str = ""
    """Why the tool wants the user's answer, in one sentence; empty when it does not. Counts for
    ``FETCH`` and ``SKILL``; the other kinds have rules of their own."""


class CacheScope(StrEnum):
    """What a cached answer depends on."""

    STAMPS = "stamps"
    """The files and folders in ``PreparedCall.paths``, by their stamps."""
    SOURCES = "sources"
    """All that is below ``paths[0]`` but in the skipped folders, as the watcher sees it. For calls
    that never enter those and follow no link."""
    TREE = "tree"
    """All that is below ``paths[0]`` (a folder), as the watcher sees it."""
    GIT = "git"
    """The whole workspace and its repository, as the watcher sees them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCall:
    """A validated call with paths resolved and effects worked out."""

    call: ToolCall
    arguments: Mapping[str, JsonValue]
    """The validated arguments; the only copy that is shown, judged and executed."""
    effect: Effect
    summary: str
    """Short arguments for one row, such as ``src/cli.py`` or the command's first line."""
    paths: tuple[str, ...] = ()
    """Workspace-relative resolved paths that the call touches."""
    proposal: WriteProposal | None = None
    """For ``Effect.WRITE``: the exact change."""
    command: CommandLine | None = None
    """For ``Effect.COMMAND``: the literal command."""
    action: Action | None = None
    """For ``Effect.OTHER``: what will be done."""
    is_cacheable: bool = False
    """Whether a repeated call may be answered from the cache."""
    cache_scope: CacheScope = CacheScope.STAMPS
    """What the cached answer would depend on."""
    fingerprint: str = field(default="")
    """Hash of all that will be shown for approval; filled on construction."""

    def __post_init__(self) -> None:
        """Compute the fingerprint from what is shown."""
        object.__setattr__(self, "fingerprint", self._hash_of_what_is_shown())

    def _hash_of_what_is_shown(self) -> str:
        digest = hashlib.sha256()
        digest.update(self.call.id.encode("utf-8", "surrogatepass"))
        digest.update(json.dumps([self.call.name, dict(self.arguments), self.paths]).encode())
        if self.proposal is not None:
            digest.update(repr(self.proposal.base_hash).encode())
            digest.update(self.proposal.path.encode("utf-8", "surrogatepass"))
            digest.update(hashlib.sha256(self.proposal.before or b"").digest())
            digest.update(hashlib.sha256(self.proposal.after).digest())
        if self.command is not None:
            digest.update(json.dumps([self.command.command, self.command.cwd]).encode())
            digest.update(str(self.command.timeout_ms).encode())
        if self.action is not None:
            digest.update(repr(self.action).encode("utf-8", "backslashreplace"))
        return digest.hexdigest()


class CallState(StrEnum):
    """How a call ended, for rows and events."""

    OK = "ok"
    ERROR = "error"
    """The tool ran, or could not be prepared, and reports an error."""
    DENIED = "denied"
    """Policy or the user refused it."""
    REJECTED = "rejected"
    """The user turned down all hunks."""
    CANCELLED = "cancelled"
    """The run was interrupted before or while it ran."""
    NOT_RUN = "not_run"
    """It stood behind the end of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What the model and the person get for one call."""

    call_id: CallId
    text: str
    is_error: bool
    state: CallState
    is_truncated: bool = False
    """Whether a limit cut the text."""
    artifact: str | None = None
    """Name of the kept whole output in the session's artifacts, if any."""
    exit_code: int | None = None
    """Exit code of a command; negative for a signal."""

"""Say why a call did not run.

Owns the sentences that the pipeline itself puts into results and questions; those of the
tools are theirs. Pure. Proven by tests/unit/agent/test_call_pipeline.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.decisions import Decision
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.system_faults import advice_for

AFTER_STOP = "not run: the user stopped the run at a call before this one."
UNREVIEWED_AT_STOP = "not applied: the user stopped the run before this change was reviewed."
UNSAFE_AT_STOP = (
    "not run: a change before it was not applied, and the user stopped the run before being "
    "asked again."
)
UNASKED_AT_STOP = "not run: the user stopped the run before this call was asked."
STOPPED = "denied by the user, who stopped the run; nothing was run."
REVIEW_STOPPED = "denied by the user, who stopped the run; nothing was written."
AFTER_FINISH = "not run: task_done, before this call, ended the run."
CANCELLED_BY_USER = "cancelled by the user while it ran; what it had done by then stays done."
STILL_STALE = (
    "not applied: the file changed on disk again while the change waited. "
    "Read the file and propose the change anew."
)
CANNOT_BE_ASKED = "calls of this kind cannot be put to the user here."
NOT_WHAT_WAS_ALLOWED = (
    "not run: what would run is not what was allowed. Nothing was done; send the call again."
)
CHANGED_SINCE_ALLOWED = "What this call would do has changed since it was allowed"
EDITED_WRITE = (
    "The user edited the change before it was applied. From what you proposed to what it became:"
)
EDITED_WRITE_CUT = "... read the file for the rest"
MADE_AGAIN = "made again on what was accepted of the changes before it"


def denied_by_policy(decision: Decision, edited_command: str | None = None) -> str:
    """Return the result of a call that a rule denies."""
    text = (
        f"denied by the policy: {decision.reason} "
        f"(rule: {decision.rule}; {decision.origin}). Nothing was done."
    )
    if edited_command is None:
        return text
    return f"{text}\nThe user had edited the command to:\n{edited_command}"


def denied_by_user(remark: str) -> str:
    """Return the result of a command that the user denied; the run goes on."""
    said = f" The user says: {remark.strip()}" if remark.strip() else ""
    return f"denied by the user; nothing was run.{said}"


def nobody(reason: str) -> str:
    """Return the result of a call that nobody could approve."""
    return f"denied: it needs approval. {reason}"


def edited_unusable(command: str, problem: str) -> str:
    """Return the result of an edited command that cannot be run at all."""
    return (
        f"The user edited the command, but the edited one cannot be run: {problem}\n"
        f"Edited command:\n{command}"
    )


def edited_note(command: str) -> str:
    """Return what stands above the output of an edited command."""
    return f"The user edited the command before it ran. What ran:\n{command}\n\n"


def failed(error: BaseException) -> str:
    """Return the result of a call whose tool raised something it should not."""
    said = f": {error}" if str(error) else ""
    return f"the tool failed: {type(error).__name__}{said}{advice_for(error)}"


def depends_on_fallen(path: str, problem: str) -> str:
    """Return the result of a change that cannot be made without an earlier one."""
    return (
        f"{path}: not applied, it depends on a rejected hunk: an earlier change of this file "
        f"was not applied, and without it: {problem}"
    )


def stale_and_impossible(path: str, problem: str) -> str:
    """Return the result of a change that cannot be made on the file as it is now."""
    return (
        f"{path} changed on disk while the change waited, and the change cannot be made on it "
        f"as it is now: {problem}"
    )


def workspace_gone(root: str) -> str:
    """Return the result of a call that failed in a workspace that is not there."""
    return (
        f"this cannot be done: the workspace folder {root} is not there any more; it was deleted, "
        "moved or unmounted. The user has to put it back."
    )


def image_not_kept(path: str, problem: str) -> str:
    """Return the result of a change that could not be undone later, and so is not made."""
    return (
        f"{path}: nothing was written, since the copy that an undo needs could not be kept in "
        f"the program's own folder: {problem}. The user has to see to that."
    )


def moved_elsewhere(path: str, now: str) -> str:
    """Return the result of a change whose path leads to another file than the one shown."""
    return f"{path} leads to {now} by now; nothing was written."


def interrupted(*, is_write: bool, is_running: bool) -> str:
    """Return the result of a call that the interrupt cut off."""
    if is_write:
        return "interrupted, not applied"
    if is_running:
        return "interrupted while it ran; what it had done by then stays done"
    return "interrupted, not run"


def asked_again_for(labels: Sequence[str]) -> str:
    """Return the note above a command whose ground has changed."""
    listed = ", ".join(labels)
    return f"A change before this command is not applied as proposed: {listed}"


def changed_on_disk(path: str, regions: Sequence[Hunk]) -> str:
    """Return the note that a file moved under a waiting change, and where.

    Args:
        path: The file.
        regions: What differs; lines are those of the file as it is now.
    """
    if not regions:
        return f"{path} changed on disk; the change was made again on it as it is now"
    places = ", ".join(_lines(region) for region in regions[:_MAX_REGIONS])
    more = f" and {len(regions) - _MAX_REGIONS} more" if len(regions) > _MAX_REGIONS else ""
    return f"{path} changed on disk ({places}{more}); the change was made again on it as it is now"


_MAX_REGIONS = 5


def _lines(region: Hunk) -> str:
    count = len(region.new_lines)
    if count == 0:
        return f"lines removed before line {region.new_start}"
    if count == 1:
        return f"line {region.new_start}"
    return f"lines {region.new_start}-{region.new_start + count - 1}"


def encodable(text: str) -> str:
    """Return text that can be sent as UTF-8; lone surrogates become visible escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

"""Word the prompt that asks for a change again.

Owns its text, which names the file and what became of the change. Pure. Proven by
tests/unit/ui/test_propose_again.py.
"""

from caramelo_tui.ui.widgets.hunk_rows import Fate


def again_prompt(path: str, fate: Fate) -> str:
    """Return the prompt for a file whose change was rejected or not applied.

    Args:
        path: Workspace-relative path, as it is on disk.
        fate: What became of the change.
    """
    if fate is Fate.REJECTED:
        reason = "I rejected it, fully or in part, and want to look at it once more"
    else:
        reason = "the run was interrupted before it was applied"
    return (
        f"Please propose your change to `{path}` again: {reason}. "
        "Read the file first; it may have changed since."
    )

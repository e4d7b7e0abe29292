"""Say which key does what in the changes.

Owns the bindings of the pane; those of the view below it are the view's. The help screen and the
page of keys read both. Proven by tests/pilot/test_changes.py and tests/pilot/test_help.py.
"""

from textual.binding import Binding


def _key(key: str, action: str, words: str, name: str) -> Binding:
    return Binding(key, action, words, show=False, id=f"changes.{name}")


CHANGES_KEYS: tuple[Binding, ...] = (
    _key("space", "toggle_hunk", "Accept or reject the hunk", "toggle"),
    _key("a", "decide_hunk(True)", "Accept the hunk", "accept_hunk"),
    _key("r", "decide_hunk(False)", "Reject the hunk", "reject_hunk"),
    _key("A", "decide_file(True)", "Accept the file", "accept_file"),
    _key("R", "decide_file(False)", "Reject the file", "reject_file"),
    _key("Y", "decide_all(True)", "Accept all", "accept_all"),
    _key("N", "decide_all(False)", "Reject all", "reject_all"),
    _key("c", "remark(True)", "Remark on the hunk, or on the chosen lines", "remark_hunk"),
    _key("C", "remark(False)", "Remark on the file", "remark_file"),
    _key("s", "settle", "Settle the review", "settle"),
    _key("g", "grant", "Ask no more about such writes, this session", "grant"),
    _key("p", "propose_again", "Ask for what was not applied again", "propose_again"),
    _key("e", "edit", "Edit the proposed file in your editor", "edit"),
    _key("o", "open_file", "Open the file at the line in your editor", "open_file"),
    _key("u", "undo_hunk", "Take the applied hunk back", "undo_hunk"),
    _key("U", "undo_file", "Take the file's changes of the turn back", "undo_file"),
    _key("v", "switch", "Waiting or applied", "switch"),
    _key("t", "totals", "Changes by turn or in total", "totals"),
    _key("h", "against_head", "Changes against the last commit (git HEAD), and back", "head"),
    _key("escape", "back", "Leave the question or the chosen lines", "back"),
)

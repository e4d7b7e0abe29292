"""The prompt names the file and says why."""

from caramelo_tui.ui.propose_again import again_prompt
from caramelo_tui.ui.widgets.hunk_rows import Fate


def test_the_prompt_names_the_file_and_what_became_of_it() -> None:
    assert again_prompt("src/a.py", Fate.NOT_APPLIED) == (
        "Please propose your change to `src/a.py` again: the run was interrupted before it was "
        "applied. Read the file first; it may have changed since."
    )
    assert "I rejected it" in again_prompt("src/a.py", Fate.REJECTED)

"""Put a question about a commit, a request or another action into words.

Owns which of its texts are held against look-alike characters, the lines that are approved, and
what is said below them. Pure; everything from outside is made safe here. Proven by
tests/unit/ui/test_action_text.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.approvals import ActionRequest
from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes, visible
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.screens.fact_view import Fact, Words
from caramelo_tui.ui.widgets.cells import one_line
from caramelo_tui.ui.widgets.code_colors import Span
from caramelo_tui.ui.widgets.literal_view import with_blanks_shown

_PROSE_KINDS = frozenset({ActionKind.COMMIT, ActionKind.PULL_REQUEST})
"""Actions whose body is prose in the writer's own language and script."""

_PROSE_LABELS = frozenset({"title", "subject", "message", "author"})
"""Facts that are prose or people's names too, where the body is."""

_LABEL_CELLS = 20
"""Labels are padded to the longest one, up to this many characters."""

_QUESTIONS = {
    ActionKind.COMMIT: "Commit this?",
    ActionKind.BRANCH: "Change the branch?",
    ActionKind.PULL_REQUEST: "Push, and open this pull request?",
    ActionKind.FETCH: "Send this request?",
    ActionKind.SKILL: "Run this skill's tool?",
    ActionKind.DELEGATE: "Start this sub-agent?",
    ActionKind.FINISH: "End the run?",
}


def action_question(request: ActionRequest) -> str:
    """Return what is asked, with the tool's name."""
    return f"{_QUESTIONS[request.action.kind]} ({one_line(request.tool)})"


def action_lines(action: Action) -> list[list[Span]]:
    """Return all that is approved: title, each fact with its label, and the body."""
    # One line: a line end in it would make a row that looks like a fact.
    title = visible(action.title, keeps_newlines=False, marks_look_alikes=True)
    lines: list[list[Span]] = [[(title, "primary")]]
    width = min(max((len(fact.label) for fact in action.facts), default=0), _LABEL_CELLS)
    label = ""
    for fact in action.facts:
        # A list comes as facts of one label: said once, it reads as one.
        shown = "" if fact.label == label else fact.label
        label = fact.label
        lines += _fact_lines(shown, fact.value, width, is_prose=_is_prose(action, fact))
    if action.body:
        lines.append([("", "foreground")])
        body = _shown(action.body, is_prose=action.kind in _PROSE_KINDS)
        lines += [[(line, "foreground")] for line in body]
    return lines


def action_facts(request: ActionRequest) -> tuple[Fact, ...]:
    """Return what is said below the action, the most important first."""
    return (
        *_warning(request.action),
        *asking_agent(request.agent_title),
        *([(Words(text=visible(request.note), color="warning"),)] if request.note else []),
        *_counts(request.action.body),
        (Words(text=visible(request.reason), color="muted"),),
    )


def character_warning(kinds: Sequence[str]) -> tuple[Fact, ...]:
    """Return the warning about characters that are not what they look like."""
    if not kinds:
        return ()
    text = f"⚠ {' and '.join(kinds)} characters, drawn as <U+…>"
    return ((Words(text=text, color="warning", attributes="bold"),),)


def asking_agent(title: str) -> tuple[Fact, ...]:
    """Return who asks, when it is a sub-agent; the title's own line may be cut."""
    if not title:
        return ()
    return ((Words(text=f"asked by the sub-agent {one_line(title)}", color="secondary"),),)


def _warning(action: Action) -> tuple[Fact, ...]:
    exact = [action.title, *(f.label for f in action.facts)]
    exact += [fact.value for fact in action.facts if not _is_prose(action, fact)]
    prose = [fact.value for fact in action.facts if _is_prose(action, fact)]
    (prose if action.kind in _PROSE_KINDS else exact).append(action.body)
    kinds = [
        *(["hidden"] if any(map(has_hidden, [*exact, *prose])) else []),
        *(["look-alike"] if any(map(has_look_alikes, exact)) else []),
    ]
    return character_warning(kinds)


def _is_prose(action: Action, fact: ActionFact) -> bool:
    return action.kind in _PROSE_KINDS and fact.label.casefold() in _PROSE_LABELS


def _counts(body: str) -> tuple[Fact, ...]:
    """Return how long the body is; nothing for a short one, whose end is in view anyway."""
    lines = body.count("\n") + 1
    if lines == 1:
        return ()
    text = f"text of {count_text(lines, 'line')} · {count_text(len(body), 'character')}"
    return ((Words(text=text, color="muted"),),)


def _fact_lines(label: str, value: str, width: int, *, is_prose: bool) -> list[list[Span]]:
    first, *rest = _shown(value, is_prose=is_prose)
    indent = " " * (width + 2)
    named = one_line(label, marks_look_alikes=True)
    return [
        [(f"{named:<{width}}  ", "muted"), (first, "foreground")],
        *[[(indent, "muted"), (line, "foreground")] for line in rest],
    ]


def _shown(text: str, *, is_prose: bool) -> list[str]:
    shown = visible(text, marks_look_alikes=not is_prose)
    return [with_blanks_shown(line) for line in shown.split("\n")]

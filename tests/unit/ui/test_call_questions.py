from dataclasses import dataclass, field

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.ui.call_questions import CallQuestions, CallRequest
from tests.pilot.driving import action_request, command_request

RUN = CommandAnswer(action=CommandAction.RUN)


@dataclass(slots=True)
class Screen:
    """Remembers what the questions did."""

    shown: list[str] = field(default_factory=list[str])
    withdrawn: int = 0
    positions: list[str] = field(default_factory=list[str])
    answers: list[tuple[str, CommandAction]] = field(
        default_factory=list[tuple[str, CommandAction]]
    )

    def withdraw(self) -> None:
        self.withdrawn += 1

    def answer(self, approval_id: ApprovalId, answer: CommandAnswer) -> None:
        self.answers.append((approval_id, answer.action))

    def show(self, request: CallRequest) -> None:
        self.shown.append(request.id)


def questions() -> tuple[CallQuestions, Screen]:
    screen = Screen()
    return (
        CallQuestions(
            show=screen.show,
            withdraw=screen.withdraw,
            show_position=screen.positions.append,
            answer=screen.answer,
        ),
        screen,
    )


def ask(asked: CallQuestions, *names: str) -> None:
    for name in names:
        asked.ask(command_request(approval_id=name))


def test_commands_and_other_actions_wait_in_one_queue() -> None:
    asked, screen = questions()
    ask(asked, "a")
    asked.ask(action_request(approval_id="b"))
    ask(asked, "c")
    asked.take_answer(ApprovalId("a"), RUN)
    assert screen.shown == ["a", "b"]
    assert screen.positions[-1] == "1 more waiting"


def test_one_question_is_shown_at_a_time_in_order() -> None:
    asked, screen = questions()
    ask(asked, "a", "b")
    assert screen.shown == ["a"]
    assert screen.positions[-1] == "1 more waiting"
    asked.take_answer(ApprovalId("a"), RUN)
    assert screen.shown == ["a", "b"]
    assert screen.positions[-1] == ""
    assert screen.answers == [("a", CommandAction.RUN)]


def test_a_question_that_was_closed_is_denied() -> None:
    asked, screen = questions()
    ask(asked, "a")
    asked.take_answer(ApprovalId("a"), None)
    assert screen.answers == [("a", CommandAction.DENY)]


def test_a_withdrawn_question_goes_without_an_answer() -> None:
    asked, screen = questions()
    ask(asked, "a", "b")
    asked.settle(ApprovalId("a"))
    asked.take_answer(ApprovalId("a"), RUN)
    assert screen.withdrawn == 1
    assert screen.answers == []
    assert screen.shown == ["a", "b"]


def test_a_question_that_waits_may_be_settled_before_it_is_shown() -> None:
    asked, screen = questions()
    ask(asked, "a", "b")
    asked.settle(ApprovalId("b"))
    asked.take_answer(ApprovalId("a"), RUN)
    assert screen.shown == ["a"]
    assert screen.withdrawn == 0
    assert len(asked) == 0


def test_the_agents_word_about_an_answered_question_changes_nothing() -> None:
    asked, screen = questions()
    ask(asked, "a")
    asked.take_answer(ApprovalId("a"), RUN)
    asked.settle(ApprovalId("a"))
    assert screen.withdrawn == 0

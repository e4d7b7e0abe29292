"""What is said to a running run: kept in order, taken once."""

from caramelo_tui.agent.steering import Steering


def test_prompts_are_taken_once_and_in_order() -> None:
    steering = Steering()
    steering.add("one")
    steering.add("two")
    assert steering.waiting == ("one", "two")
    assert [prompt.text for prompt in steering.take()] == ["one", "two"]
    assert steering.take() == ()


def test_the_newest_with_a_text_is_removed() -> None:
    steering = Steering()
    for text in ("a", "b", "a"):
        steering.add(text)
    assert steering.remove("a")
    assert steering.waiting == ("a", "b")
    assert not steering.remove("c")


def test_who_asked_is_told_when_prompts_went_out() -> None:
    steering = Steering()
    told: list[str] = []
    steering.report_taken()
    steering.on_taken(lambda: told.append("told"))
    steering.report_taken()
    assert told == ["told"]

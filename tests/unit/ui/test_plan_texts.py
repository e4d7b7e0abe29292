from caramelo_tui.ui.plan_texts import carry_out_prompt


def test_the_model_is_told_to_carry_it_out_and_of_the_new_mode() -> None:
    assert carry_out_prompt().startswith("Carry out the plan. The approval mode is review now")
    assert carry_out_prompt("  \n") == carry_out_prompt()


def test_an_edited_plan_is_sent_along() -> None:
    prompt = carry_out_prompt("1. only this\n")
    assert prompt.startswith("Carry out this plan, which I edited.")
    assert prompt.endswith("\n\n1. only this")

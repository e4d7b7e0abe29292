"""Word what is said to the model when its plan is carried out.

Owns these prompts. Pure. Proven by tests/unit/ui/test_plan_texts.py.
"""

_MODE = (
    "The approval mode is review now: the tools that write and run commands are offered again, "
    "and I decide about what they would do."
)


def carry_out_prompt(edited: str = "") -> str:
    """Return the prompt that has a plan carried out.

    Args:
        edited: The plan as the person changed it; empty: as the model wrote it.
    """
    if not edited.strip():
        return f"Carry out the plan. {_MODE}"
    return f"Carry out this plan, which I edited. {_MODE}\n\n{edited.strip()}"

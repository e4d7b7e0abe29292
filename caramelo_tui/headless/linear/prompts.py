"""Keep what may be sent to the agent as a prompt.

Owns the prompt that is being typed, the one that was prepared, the finished plan, and what the end
of a run means for them. Must not know questions, commands or the end of the session. Proven by
tests/unit/headless/test_linear_session.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.agent_events import Ending, RunEnded
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.typed_lines import Typed


class Prompts:
    """The prompts of a session: begun, prepared, or to carry out a plan."""

    def __init__(
        self,
        agent: AgentPort,
        out: LinearOutput,
        *,
        carry_out_prompt: Callable[[str], str],
        prepared: str,
    ) -> None:
        """Wire the prompts.

        Args:
            agent: Is sent them.
            out: Says what can be sent.
            carry_out_prompt: Returns what tells the model to carry out its plan; takes the plan as
                the user edited it, empty: as it is.
            prepared: A first prompt that may be sent as it is; empty: none.
        """
        self._agent = agent
        self._out = out
        self._carry_out_prompt = carry_out_prompt
        self._prepared = prepared
        self._draft: list[str] = []
        self._plan = ""
        self._edited_plan = ""

    @property
    def plan(self) -> str:
        """The finished plan, as the user edited it; empty: there is none."""
        return self._edited_plan or self._plan

    def edit_plan(self, text: str) -> None:
        """Have the plan carried out as the user edited it."""
        self._edited_plan = text

    @property
    def prepared(self) -> str:
        """The prompt that may be sent as it is; empty: none."""
        return self._prepared

    @property
    def has_draft(self) -> bool:
        """Whether a prompt was begun and goes on in the next line."""
        return bool(self._draft)

    def discard_draft(self) -> None:
        """Forget the prompt that was begun."""
        self._draft.clear()

    def completed(self, typed: Typed) -> str:
        """Add lines to the prompt and return it whole; empty while there is nothing to send.

        A backslash at its end, or a paste, makes it several lines.
        """
        self._draft += typed.lines
        if self._draft[-1].endswith("\\"):
            self._draft[-1] = self._draft[-1].removesuffix("\\")
            return ""
        text = "\n".join(self._draft)
        self._draft.clear()
        if not text.strip():
            self._out.say("An empty line sends nothing. /help lists what can be typed.")
            return ""
        return text

    def prepare(self, text: str) -> None:
        """Have a prompt that may be sent as it is, instead of the one before."""
        self._prepared = text

    def send(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Send a prompt, or queue it; a plan is past with it, what was prepared waits on."""
        self._plan = self._edited_plan = ""
        self._agent.submit(text, images)

    def carry_out(self) -> bool:
        """Send the finished plan; ``False`` when there is none or a run is under way."""
        if not self._plan or self._agent.is_running:
            return False
        prompt = self._carry_out_prompt(self._edited_plan)
        self._plan = self._edited_plan = ""
        self._agent.set_mode(ApprovalMode.REVIEW)
        self._agent.submit(prompt)
        return True

    def send_prepared(self) -> bool:
        """Send the prepared prompt; ``False`` when there is none or a run is under way."""
        if not self._prepared or self._agent.is_running:
            return False
        prepared, self._prepared = self._prepared, ""
        self._agent.submit(prepared)
        return True

    def take_run_end(self, event: RunEnded) -> None:
        """Send what waits for the end of a run, and say what can be sent now."""
        is_plan = event.ending is Ending.COMPLETED and self._agent.mode is ApprovalMode.PLAN
        self._plan = event.text.strip() if is_plan else ""
        self._edited_plan = ""
        if self._plan:
            self._out.say(
                "This is the plan. /carry-out carries it out, /edit has it edited first; or type "
                "what to change."
            )
        if event.ending is Ending.COMPLETED:
            self._agent.send_next_queued()
        if self._agent.is_running:
            return
        self.tell_waiting()
        self._out.say("Ready for your prompt.")

    def tell_waiting(self) -> None:
        """Say how many prompts wait that nobody sends by themselves, if any."""
        if queued := self._agent.queued_prompts:
            self._out.say(
                f"{counted(len(queued), 'prompt')} not sent: /send sends the next, /queue reads "
                "them, /drop forgets."
            )

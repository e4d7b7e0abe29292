"""Send images with prompts in a session in lines.

Owns which images a prompt takes along: those that it names, and the clipboard's that was asked
for. Proven by tests/unit/headless/test_linear_images.py.
"""

from caramelo_tui.agent.image_words import image_words, images_named
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.output import LinearOutput


class LinearImages:
    """The images of the prompts that are typed."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out
        self._pasted: tuple[ImageAttachment, ...] = ()

    def has_some(self, text: str) -> bool:
        """Whether a prompt may take images along."""
        return bool(self._pasted or image_words(text))

    async def of(self, text: str) -> tuple[ImageAttachment, ...]:
        """Return the images that go with a prompt; what was pasted goes with this one only."""
        if not self._agent.images.can_send:
            self._out.say(f"{self._no_images} What names an image goes as text.")
            return ()
        pasted, self._pasted = self._pasted, ()
        return (*pasted, *await images_named(self._agent.images, text))

    async def paste(self) -> None:
        """Take the clipboard's image for the next prompt; say why not."""
        if not self._agent.images.can_send:
            self._out.say(self._no_images)
        else:
            try:
                image = await self._agent.images.from_clipboard()
            except ToolFailure as failure:
                self._out.say(one_line(str(failure)))
            else:
                self._pasted = (*self._pasted, image)
                self._out.say(
                    f"The image {one_line(image.name)}, {len(image.data):,} bytes, goes with the "
                    "next prompt."
                )
        await self._out.flush()

    @property
    def _no_images(self) -> str:
        return f"{one_line(self._agent.info.model)} takes no images."

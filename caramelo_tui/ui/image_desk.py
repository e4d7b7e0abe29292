"""Bring images into the prompt, and with a prompt to the agent.

Owns what becomes of words that name an image file, the clipboard's image, and what is said when
the model takes no images. Keeps no image: the prompt's chips do. Proven by
tests/pilot/test_prompt_images.py.
"""

from collections.abc import Callable

from textual.app import App

from caramelo_tui.agent.image_words import image_paths, image_words, with_words_replaced
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.panes.prompt import PromptPane

SendPrompt = Callable[[str, tuple[ImageAttachment, ...]], None]
"""Gives a prompt with its images to the agent."""


class ImageDesk:
    """Images of one session's prompts."""

    def __init__(self, app: App[None], prompt: PromptPane, agent: AgentPort) -> None:
        self._app = app
        self._prompt = prompt
        self._agent = agent

    async def attach(self, words: str) -> None:
        """Put chips in the place of words that name images; say why not."""
        if not self._agent.images.can_send:
            self._warn(f"{self._no_images} What names an image stays as text.")
            return
        try:
            images = [await self._agent.images.read(path) for path in image_paths(words)]
        except ToolFailure as failure:
            self._warn(f"{failure} It stays as text.")
            return
        self._prompt.put_images(images, instead_of=words)

    async def paste(self) -> None:
        """Put the clipboard's image at the cursor; say why not."""
        if not self._agent.images.can_send:
            self._warn(self._no_images)
            return
        try:
            image = await self._agent.images.from_clipboard()
        except ToolFailure as failure:
            self._warn(str(failure))
            return
        self._prompt.put_images([image])

    def is_open(self, text: str) -> bool:
        """Whether a text names images that have no chips yet, such as behind a quick Enter."""
        return self._agent.images.can_send and bool(image_words(text))

    async def with_chips(self, text: str) -> str:
        """Return a text with chips for the images it names; what cannot be read stays as text."""
        chips: dict[str, str] = {}
        for word in image_words(text):
            try:
                images = [await self._agent.images.read(path) for path in image_paths(word)]
            except ToolFailure:
                # A mention of a file that is to be made, most likely.
                continue
            chips[word] = " ".join(map(self._prompt.images.take, images))
        return with_words_replaced(text, lambda word: chips.get(word, word))

    def send(self, send: SendPrompt, text: str) -> None:
        """Send a prompt with the images of its chips; back into the draft where none are taken."""
        images = self._prompt.images.in_text(text)
        if images and not self._agent.images.can_send:
            self._prompt.put_before_draft([text])
            self._warn(f"{self._no_images} Nothing was sent: take the chips out (backspace).")
            return
        for chip in self._prompt.images.lost_in(text):
            self._warn(f"{chip} went as text: its image is not kept any more.")
        send(text, images)

    @property
    def _no_images(self) -> str:
        return f"{self._agent.info.model} takes no images."

    def _warn(self, text: str) -> None:
        self._app.notify(visible(text), severity="warning", markup=False)

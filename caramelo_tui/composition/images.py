"""Wire what reads images for prompts.

Owns which parts of a session it needs. Proven by tests/unit/composition/test_agents.py.
"""

from collections.abc import Callable, Mapping

from caramelo_tui.agent.images import ClipboardPrograms, ImageReader
from caramelo_tui.composition.core import Core


def image_reader(
    core: Core, *, takes_images: Callable[[], bool], environment: Mapping[str, str]
) -> ImageReader:
    """Return the reader of one session.

    Args:
        core: The session's.
        takes_images: Whether the model in use takes images.
        environment: The user's variables.
    """
    return ImageReader(
        core.sandbox.root,
        takes_images=takes_images,
        programs=ClipboardPrograms(core.commands, core.ids),
        variables=environment,
    )

"""Answer with a model whose file lies on this machine.

Owns what is checked of the file, and the provider that asks the process which runs it
(``local_process``) as a compatible endpoint. Nothing leaves the machine. Proven by
tests/unit/providers/test_local_model.py and, with a real model, by tests/model/.

Source, read 2026-11-30: the project's page on its file format, "GGUF".
"""

import asyncio
import importlib.util
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Protocol

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import STALL_S, EndpointSettings
from caramelo_tui.providers.local_process import LocalProcess, ModelOrder
from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider
from caramelo_tui.providers.presets import PRESETS

NAME = "local"
MAGIC = b"GGUF"
"""First bytes of a model's file."""
TEMPLATE_SUFFIX = ".jinja"
"""A file of this suffix beside the model holds the chat template to use in place of its own."""
LONGEST_TEMPLATE = 256 * 1024
"""Bytes of such a file."""
INSTALL = "pip install 'caramelo-tui[local]'"

_LIBRARY = "xllamacpp"
_KEY_BYTES = 32


def is_library_there() -> bool:
    """Whether the extra that runs models' files is installed; it is not loaded."""
    return importlib.util.find_spec(_LIBRARY) is not None


def find_model(name: str) -> Path:
    """Return the absolute path of a model's file.

    Args:
        name: Path of the file; ``~`` is the home folder, a relative one starts at the current
            folder.

    Raises:
        ValueError: If it cannot be run; the text says why and what to do.
    """
    path = Path(name).expanduser().absolute()
    if not is_library_there():
        msg = f"needs an extra: {INSTALL}"
        raise ValueError(msg)
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
    except FileNotFoundError:
        msg = f"there is no file {path}; name a model's file by --model FILE.gguf"
        raise ValueError(msg) from None
    except OSError as error:
        msg = f"{path} cannot be read ({error.strerror})"
        raise ValueError(msg) from error
    if magic != MAGIC:
        msg = f"{path} is no model's file in GGUF form"
        raise ValueError(msg)
    return path


def order_for(path: Path) -> ModelOrder:
    """Return what is run for a model's file, with a new key.

    Raises:
        ValueError: If the template beside it cannot be read.
    """
    beside = path.with_suffix(TEMPLATE_SUFFIX)
    template = ""
    if beside.is_file():
        try:
            with beside.open("rb") as file:
                template = file.read(LONGEST_TEMPLATE).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            msg = f"the template {beside} cannot be read ({error})"
            raise ValueError(msg) from error
    return ModelOrder(model=path, key=secrets.token_urlsafe(_KEY_BYTES), template=template)


class RunsModel(Protocol):
    """What runs one file; see ``LocalProcess``."""

    async def ready(self) -> str:
        """Return the address of the server that runs it, started where none does.

        Raises:
            BadRequest: If it cannot be started.
        """
        ...

    async def close(self) -> None:
        """End it; idempotent."""
        ...


class LocalModelProvider:
    """A model's file, run by a process of ours."""

    def __init__(
        self,
        model: str,
        *,
        stall_s: float = STALL_S,
        process_for: Callable[[ModelOrder], RunsModel] = LocalProcess,
    ) -> None:
        """Set it up; the process is started when it is first needed.

        Args:
            model: Path of the file, as ``find_model`` takes it; loaded by ``warm``.
            stall_s: Seconds without a byte after which an answer is broken.
            process_for: Makes what runs a file.

        Raises:
            ValueError: If the file cannot be run; the text says why and what to do.
        """
        self._stall_s = stall_s
        self._process_for = process_for
        self._changing = asyncio.Lock()
        self._endpoint: OpenAICompatibleProvider | None = None
        self._url = ""
        self._take(model)

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What is assumed of the model: images need a further file, so they are not offered."""
        return Capabilities(tools=True, reasoning=True, caching=False, images=False)

    async def warm(self) -> None:
        """Load the model and the SDK; idempotent.

        Raises:
            ProviderError: If the model cannot be loaded.
        """
        endpoint = await self._ready(self._model)
        await endpoint.warm()

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes; the model is loaded first.

        A request for another file ends the process of the one before. Closing the generator or
        cancelling its consumer ends the answer.

        Raises:
            ProviderError: If the model cannot be loaded, or as of any endpoint.
        """
        endpoint = await self._ready(request.model)
        async with aclosing(endpoint.stream(request)) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        """Return ``None``: the usage of each answer says it."""
        return None

    async def close(self) -> None:
        """Release the connections and end the process; idempotent."""
        try:
            await self._forget_endpoint()
        finally:
            await self._process.close()

    def _take(self, model: str) -> None:
        self._order = order_for(find_model(model))
        self._process = self._process_for(self._order)
        self._model = model

    async def _forget_endpoint(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            await endpoint.close()

    async def _ready(self, model: str) -> OpenAICompatibleProvider:
        """Return the endpoint of the running process; a new one where it had to start again.

        Raises:
            BadRequest: If the file cannot be run.
        """
        async with self._changing:
            if model != self._model:
                ended = self._process
                try:
                    self._take(model)
                except ValueError as error:
                    msg = f"The model {model} cannot be run: {error}."
                    raise BadRequest(msg) from error
                await ended.close()
            return await self._endpoint_at(await self._process.ready())

    async def _endpoint_at(self, url: str) -> OpenAICompatibleProvider:
        if self._endpoint is None or url != self._url:
            await self._forget_endpoint()
            settings = EndpointSettings(
                key=self._order.key,
                base_url=url,
                stall_s=self._stall_s,
                obeys_proxy_variables=False,
            )
            self._endpoint = OpenAICompatibleProvider(
                settings, name=NAME, quirks=PRESETS[NAME].quirks
            )
            self._url = url
        return self._endpoint

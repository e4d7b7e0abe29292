"""Turn one page of HTML into Markdown; a program of its own.

Owns the process in which a page is converted: started by ``html_process`` as a script, it
reads a request from its input, answers on its output and ends. A page can be built to keep a
parser busy, or to break it; here it costs this process only. It opens no file, contacts
nothing and sees no environment. Proven by tests/unit/tools/web/test_html_worker.py.
"""

import importlib
import json
import signal
import sys
from typing import Protocol, cast

MEMORY_LIMIT_BYTES = 1_073_741_824
"""Address space of the process (1 GB)."""
ENGINE = "html_to_markdown"
"""The library of the extra ``web``."""
_LEFT_OUT = ("nav", "aside", "template", "svg", "iframe", "noscript")


class _Document(Protocol):
    @property
    def title(self) -> str | None: ...


class _Metadata(Protocol):
    @property
    def document(self) -> _Document: ...


class _Result(Protocol):
    @property
    def content(self) -> str | None: ...

    @property
    def metadata(self) -> _Metadata: ...


class Engine(Protocol):
    """What is used of the module ``html_to_markdown``."""

    def ConversionOptions(self, **options: object) -> object:  # noqa: N802 - the engine's own name
        """Return options."""
        ...

    def PreprocessingOptions(self, **options: object) -> object:  # noqa: N802 - as above
        """Return options for what is left out beforehand."""
        ...

    def convert(self, html: str, options: object) -> _Result:
        """Convert a page."""
        ...


def convert(engine: Engine | None, html: str, *, base_url: str) -> tuple[str, str]:
    """Return Markdown and title of a page.

    Without an engine, or when it makes nothing of the page, the plain fallback does it.

    Args:
        engine: The library, if it is installed.
        html: The page.
        base_url: What relative links are resolved against.
    """
    if engine is not None:
        text, title = _by_engine(engine, html, base_url)
        if text.strip():
            return text, title
    from caramelo_tui.tools.web.html_text import html_to_text  # noqa: PLC0415 - found by ``main``

    return html_to_text(html, base_url=base_url)


def _by_engine(engine: Engine, html: str, base_url: str) -> tuple[str, str]:
    options = engine.ConversionOptions(
        bullets="-",
        base_url=base_url,
        inline_data_media="drop_element",
        exclude_selectors=list(_LEFT_OUT),
        preprocessing=engine.PreprocessingOptions(
            # A page's own header may hold its title, so only what is listed above is left out.
            enabled=True,
            preset="minimal",
            remove_navigation=False,
            remove_forms=False,
        ),
    )
    result = engine.convert(html, options)
    title = " ".join((result.metadata.document.title or "").split())
    return _without_front_matter(result.content or "").strip(), title


def _without_front_matter(text: str) -> str:
    """Return the text below the block with the page's title that the engine puts first."""
    if not text.startswith("---\n"):
        return text
    _, _, rest = text.removeprefix("---\n").partition("\n---\n")
    return rest


def limit_memory() -> None:
    """Bound the address space, where the system lets us."""
    try:
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    except (ImportError, ValueError, OSError):
        # macOS knows the limit but may refuse to set it; the time limit still holds.
        return


def main(own_folder: str, engine_folder: str, alarm_s: float) -> None:
    """Answer the one request on the input.

    Args:
        own_folder: Where this package lies.
        engine_folder: Where the engine lies, empty when it is not installed.
        alarm_s: Longest life; then the process ends itself, should its parent be gone.
    """
    limit_memory()
    # The default act of SIGALRM ends the process even while the engine runs.
    signal.setitimer(signal.ITIMER_REAL, alarm_s)
    sys.path += [own_folder, *([engine_folder] if engine_folder else [])]
    engine = cast("Engine", importlib.import_module(ENGINE)) if engine_folder else None
    request = cast("dict[str, str]", json.load(sys.stdin))
    text, title = convert(engine, request["html"], base_url=request["base_url"])
    limit = int(request["limit_characters"])
    answer = {"text": text[:limit], "characters": len(text), "title": title}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))

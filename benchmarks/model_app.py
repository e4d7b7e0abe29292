"""A scripted model on loopback: ``python -m benchmarks.model_app LOG`` prints its address.

Speaks as much of the Anthropic Messages protocol as a stream needs. What it says stands in the
prompt, so it keeps nothing: ``bench:hello``, ``bench:calls N`` (reads and edits in turn),
``bench:reads N FIRST``, ``bench:stream BYTES PAUSE_MS`` and ``bench:ask``; how far it is tell
the answers that the request holds. Each request becomes a line of the log, with the seconds of the
monotonic clock at which it came, and at which the answer began and ended.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NotRequired, TypeAlias, TypedDict

CHUNK = 20
"""Characters of one piece of a streamed answer."""
END = "STREAM-END-MARK"
_WRITTEN = 65_536
"""Bytes that are handed over at once where nothing pauses."""

_SECTION = """## Section {n}: notes on the reader

The scanner walks the input once and keeps **two cursors**; the second one moves only
when a `newline` is seen. See [the notes](docs/notes-{n}.md), and *never* call `reset()`.

- the reader fills a buffer of {n} bytes
- the scanner splits it at `;`
  - nested items keep their indent

```python
def scan_{n}(data: bytes, limit: int = {n}) -> list[bytes]:
    return [line.strip() for line in data.splitlines()[:limit]]
```

| column | type | note |
| --- | --- | --- |
| id | int | key {n} |
| name | str | not empty |

"""


class Block(TypedDict):
    """A block of a message, as far as it is looked at."""

    type: str
    text: NotRequired[str]


class Message(TypedDict):
    """A message of a request."""

    role: Literal["user", "assistant"]
    content: str | list[Block]


class Request(TypedDict):
    """The body of a request."""

    messages: list[Message]


Call: TypeAlias = tuple[str, dict[str, str]]
"""A tool and its arguments."""


def markdown(size: int) -> str:
    """Return so many characters of Markdown, all of them ASCII."""
    # A number may be shorter than the place that is kept for it.
    count = size // len(_SECTION.replace("{n}", "")) + 1
    return "".join(_SECTION.format(n=number) for number in range(count))[:size]


def asked_for(body: Request) -> tuple[str, list[int], int]:
    """Return the prompt's word, its numbers, and how many answers came since."""
    word, numbers, since = "hello", list[int](), 0
    for message in body["messages"]:
        if message["role"] == "assistant":
            since += 1
            continue
        found = re.findall(r"bench:(\w+)((?: \d+)*)", _text_of(message))
        if found:
            word, numbers, since = found[-1][0], [int(one) for one in found[-1][1].split()], 0
    return word, numbers, since


def _text_of(message: Message) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if block["type"] == "text")


def answer(body: Request) -> tuple[str, Call | None, int]:
    """Return the text to be said, the call to be made, and the pause in milliseconds."""
    word, numbers, since = asked_for(body)
    match word:
        case "stream" if not since:
            return f"{markdown(numbers[0])}\n\n{END}\n", None, numbers[1]
        case "reads" if since < numbers[0]:
            path = f"small/s_{numbers[1] + since:03}.py"
            return f"Step {since}. ", ("file_read", {"path": path}), 0
        case "calls" if since < numbers[0]:
            return f"Step {since}. ", _call(since // 2, is_edit=since % 2 == 1), 0
        case "ask" if not since:
            return "One command. ", ("bash", {"command": "make all"}), 0
        case _:
            return "Hello from the scripted model.", None, 0


def _call(number: int, *, is_edit: bool) -> Call:
    path = f"pkg/mod_{number:03}.py"
    if not is_edit:
        return "file_read", {"path": path}
    old, new = f"VALUE_{number:03} = {number}\n", f"VALUE_{number:03} = {number + 1000}\n"
    return "file_edit", {"path": path, "search": old, "replace": new}


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def events(text: str, call: Call | None, number: int) -> Iterator[bytes]:
    """Yield the answer as server-sent events."""
    usage = {"input_tokens": 30, "output_tokens": 1}
    message: dict[str, object] = {
        "id": f"m{number}",
        "type": "message",
        "role": "assistant",
        "model": "bench",
    }
    more: dict[str, object] = {
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield _event("message_start", message=message | more)
    yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for at in range(0, len(text), CHUNK):
        delta = {"type": "text_delta", "text": text[at : at + CHUNK]}
        yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    if call is not None:
        block: dict[str, object] = {
            "type": "tool_use",
            "id": f"toolu_{number}",
            "name": call[0],
            "input": {},
        }
        yield _event("content_block_start", index=1, content_block=block)
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        yield _event("content_block_delta", index=1, delta=delta)
        yield _event("content_block_stop", index=1)
    stop = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
    yield _event("message_delta", delta=stop, usage={"output_tokens": 9})
    yield _event("message_stop")


class Server:
    """Answers, and writes the log."""

    def __init__(self, log: Path) -> None:
        self._log = log.open("a", encoding="utf-8")
        self._number = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it ends."""
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                came = time.monotonic()
                length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1]) if length else 0)
                if not head.startswith("POST") or not head.split()[1].startswith("/v1/messages"):
                    writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                    continue
                self._note(came, await self._say(body, writer))
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            # The program ended, or the measurement.
            pass
        finally:
            writer.close()

    async def _say(self, body: bytes, writer: asyncio.StreamWriter) -> float:
        """Answer one request; return when the answer began."""
        self._number += 1
        asked: Request = json.loads(body)
        text, call, pause_ms = answer(asked)
        parts = [*events(text, call, self._number)]
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        began = time.monotonic()
        for data in parts if pause_ms else _joined(parts):
            writer.write(b"%x\r\n%s\r\n" % (len(data), data))
            await writer.drain()
            if pause_ms:
                await asyncio.sleep(pause_ms / 1000)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return began

    def _note(self, came: float, began: float) -> None:
        line = {"came": came, "began": began, "ended": time.monotonic()}
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()


def _joined(parts: list[bytes]) -> Iterator[bytes]:
    whole = b"".join(parts)
    for at in range(0, len(whole), _WRITTEN):
        yield whole[at : at + _WRITTEN]


async def main() -> None:
    """Serve until standard input ends, so that no server outlives the measurement."""
    server = Server(Path(sys.argv[1]))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, limit=1 << 20)
    print(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())

"""A server on loopback that gives each connection the same bytes, for callers that block."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OneAnswer:
    """A server that answers every connection with the same bytes."""

    def __init__(self, status: str, body: str = "{}") -> None:
        self.seen = b""
        head = f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self._answer = (head + body).encode()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self.seen += connection.recv(65_536)
                connection.sendall(self._answer)

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5)


@contextmanager
def one_answer(status: str, body: str = "{}") -> Iterator[OneAnswer]:
    """Serve an answer for the time of the block."""
    server = OneAnswer(status, body)
    try:
        yield server
    finally:
        server.close()

"""A model server of the test's own: vectors of 16 numbers that depend on the text alone; it can be held."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar


class Served(BaseHTTPRequestHandler):
    """Answers like ``/v1/models`` and ``/v1/embeddings``."""

    texts: ClassVar[list[str]] = []
    open_for: ClassVar[int] = 10**9
    waiting: ClassVar[threading.Event] = threading.Event()
    go_on: ClassVar[threading.Event] = threading.Event()

    @classmethod
    def hold_after(cls, texts: int) -> None:
        """Answer for so many more texts, then make everybody wait."""
        cls.open_for = len(cls.texts) + texts
        cls.waiting.clear()
        cls.go_on.clear()

    @classmethod
    def release(cls) -> None:
        """Answer again."""
        cls.open_for = 10**9
        cls.go_on.set()

    def do_GET(self) -> None:
        self._reply({"data": [{"id": "tiny"}]})

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        if len(self.texts) + len(texts) > self.open_for:
            self.waiting.set()
            self.go_on.wait(60)
        self.texts.extend(texts)
        self._reply({"data": [{"index": at, "embedding": vector(text)} for at, text in enumerate(texts)]})

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _reply(self, document: Any) -> None:
        content = json.dumps(document).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except BrokenPipeError:
            """Whoever asked has been killed."""


def vector(text: str) -> list[float]:
    digest = hashlib.sha256(text.encode()).digest()
    return [(one - 127.5) / 128 for one in digest[:16]]


@contextmanager
def embedding_server() -> Iterator[str]:
    """Serve, and return the address."""
    Served.texts.clear()
    Served.release()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Served)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        Served.release()
        server.shutdown()
        server.server_close()

"""A model's side of a conversation: an HTTP server on loopback that plays turns."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any


class Playback(HTTPServer):
    """Answers each request with the next turn, and keeps what was sent.

    requests: the bodies, in order.
    paths: where they were sent.
    """

    def __init__(self, turns: list[Any]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests: list[Any] = []
        self.paths: list[str] = []
        self._turns = iter(turns)

    def turn(self, path: str, body: bytes) -> bytes | None:
        """The answer to a request, None when there are no more."""
        self.paths.append(path)
        self.requests.append(json.loads(body))
        turn = next(self._turns, None)
        return None if turn is None else json.dumps(turn).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Playback

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = self.server.turn(self.path, body)
        self.send_response(400 if answer is None else 200)
        answer = answer or b'{"error": {"message": "the recording has no more turns"}}'
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def playing(turns: list[Any]) -> Iterator[Playback]:
    """A server that plays the turns while the block runs."""
    server = Playback(turns)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

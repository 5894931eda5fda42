"""A scripted OpenAI-compatible server on loopback: real SDK, real sockets, no model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What the server answers, in order; the last entry is repeated."""

    replies: Sequence[str | int | float]
    """Text = the content of a reply, int = an HTTP error status, float = seconds to hang."""
    requests: list[dict[str, Any]] = field(default_factory=list)

    def next(self) -> str | int | float:
        return self.replies[min(len(self.requests) - 1, len(self.replies) - 1)]


def action(tool: str, **args: Any) -> str:
    """A reply that uses a tool; `from_` spells the argument "from"."""
    named = {k.rstrip("_"): v for k, v in args.items()}
    return json.dumps({"thought": "look", "action": {"tool": tool, "args": named}})


def final(answer: str) -> str:
    """A reply that ends the run."""
    return json.dumps({"thought": "done", "final": {"answer": answer}}, ensure_ascii=False)


@contextmanager
def llm_server(*replies: str | int | float) -> Iterator[tuple[str, Script]]:
    """(base URL, script with the requests it got)."""
    script = Script(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            script.requests.append(body)
            reply = script.next()
            if isinstance(reply, float):
                time.sleep(reply)
                reply = 504
            if isinstance(reply, int):
                self._send(reply, {"error": {"message": "scripted"}})
                return
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
            usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
            self._send(
                200,
                {
                    "id": "c1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": "fake",
                    "choices": [choice],
                    "usage": usage,
                },
            )

        def _send(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client gave up, as a test meant it to

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

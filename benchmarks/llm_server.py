"""An instant OpenAI-compatible model on loopback that plays a script: `python -m benchmarks.llm_server FILE`.

FILE holds a JSON list of texts. The reply to a conversation is the text at the number of assistant turns in
it, so that any client that keeps the conversation walks through the script. The port is printed first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from benchmarks.bench import ROOT, environment

MODEL = "script"


class Handler(BaseHTTPRequestHandler):
    """Answers POST …/chat/completions over kept connections."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body in one packet: two would wait for a delayed acknowledgement
    script: tuple[str, ...] = ()

    def do_POST(self) -> None:
        """The next text of the script."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = sum(m["role"] == "assistant" for m in asked["messages"])
        body = json.dumps(_completion(self.script[min(turn, len(self.script) - 1)])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silence."""


def _completion(text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


@contextmanager
def serving(script: Path) -> Iterator[str]:
    """The base URL of a server process that plays `script`."""
    command = [sys.executable, "-m", "benchmarks.llm_server", str(script)]
    with Popen(command, cwd=ROOT, env=environment(), stdout=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


def main() -> None:
    """Serve until terminated."""
    Handler.script = tuple(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

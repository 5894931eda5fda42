"""The server: the frame in app.py behind security headers, with the service's life around it.

`streamlit run serve.py` (or `make run`) starts it. `streamlit run app.py` works too, without the
headers and with one "page not found" notice when the very first request is a deep link.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.pages_manager import PagesManager

from pages.ui import cache

PRELOADED = ("pandas", "plotly.graph_objects", "pyarrow", "duckdb", "deltalake", "sqlglot")
CSP = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "font-src 'self' data:",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "worker-src 'self' blob:",
        "connect-src 'self' ws: wss: data: blob:",
        "frame-src 'self' blob: data:",
        "form-action 'self'",
        "base-uri 'self'",
        "object-src 'none'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

# pages/ holds packages, not Streamlit's legacy pages: without this the first deep link of a cold
# process shows "page not found" before app.py has called st.navigation.
PagesManager.uses_pages_directory = False


class SecurityHeaders:
    """Adds the headers to every HTTP response; plain ASGI, so that streams stay streams."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncGenerator[dict[str, Any] | None]:
    """Start the service and the heavy imports beside the first requests; stop the service last."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    try:
        yield {}
    finally:
        await asyncio.to_thread(_stop)


def _warm_up() -> None:
    cache.service()
    for name in PRELOADED:
        importlib.import_module(name)


def _stop() -> None:
    stop = getattr(cache.service(), "close", None)
    if callable(stop):
        stop()


FRAME = Path(__file__).with_name("app.py")
MIDDLEWARE = (Middleware(SecurityHeaders),)

app = st.App(FRAME, lifespan=lifespan, middleware=MIDDLEWARE)

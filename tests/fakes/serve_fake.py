"""The real server over the fake service, for looking at pages and for browser tests."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pages.ui import cache  # noqa: E402
from tests.fakes.service import FakeService  # noqa: E402

STEP_S = 0.3
FAKE = FakeService(step_s=STEP_S)
cache.service = lambda: FAKE  # type: ignore[assignment,return-value]

from serve import FRAME, MIDDLEWARE, lifespan  # noqa: E402


async def release(_request: Request) -> PlainTextResponse:
    """Let the runs go on that a test holds."""
    FAKE.release()
    return PlainTextResponse("released")


app = st.App(FRAME, lifespan=lifespan, middleware=MIDDLEWARE, routes=[Route("/fake/release", release)])

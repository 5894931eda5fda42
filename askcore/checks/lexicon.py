"""Words of sync logs, as written by the systems that we read."""

from __future__ import annotations

FAILED_STATES = frozenset(
    (
        "failed",
        "fail",
        "failure",
        "error",
        "timeout",
        "timed_out",
        "aborted",
        "cancelled",
        "失败",
        "错误",
        "超时",
        "异常",
        "中断",
    )
)
RUNNING_STATES = frozenset(("running", "queued", "pending", "started", "进行中", "排队", "运行中", "等待"))

"""Student's t without a statistics library: distribution function and quantile."""

from __future__ import annotations

import math

_TINY = 1e-300
_EPSILON = 1e-14
_MAX_TERMS = 500


def two_sided_p(t: float, df: float) -> float:
    """Probability of a |t| at least this large when nothing changed."""
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t))


def t_quantile(level: float, df: float) -> float:
    """The t that a two-sided interval of `level` (0.95) reaches to; by bisection, to 1e-9."""
    low, high = 0.0, 1e4
    while high - low > 1e-9:
        middle = (low + high) / 2
        if two_sided_p(middle, df) > 1 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularised incomplete beta function by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / (_nonzero(1 - (a + b) * x / (a + 1)))
    value = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _nonzero(1 + even * d)
        c = _nonzero(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _nonzero(1 + odd * d)
        c = _nonzero(1 + odd / c)
        value *= d * c
        if abs(d * c - 1) < _EPSILON:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY

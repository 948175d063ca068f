"""Helpers of the generators that need Python alone: write a reference table, report a check, integrate."""
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"


def write_table(case, name, source, header, rows):
    """Write cases/<case>/<name>: a comment with the source, the header, the rows (numbers or texts)."""
    lines = ["# source: " + source, ",".join(header)]
    for row in rows:
        first, *rest = row
        lines.append(",".join([first if isinstance(first, str) else f"{first:.12g}", *(f"{x + 0.0:.16g}" for x in rest)]))
    folder = CASES / case
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n")
    print(f"{case}/{name}: {len(rows)} rows of {len(header)} columns")


def check(what, error, limit):
    """Print a check and stop if it fails."""
    print(f"  check {what}: {abs(error):.2e} (limit {limit:.0e})")
    if not abs(error) <= limit:
        raise SystemExit(f"check failed: {what}")


def grid(step, end):
    return [k * step for k in range(round(end / step) + 1)]


def rk4(rate, y, t, h):
    """One step of the classical Runge-Kutta method."""
    along = lambda k, c: [a + c * b for a, b in zip(y, k)]
    k1 = rate(t, y)
    k2 = rate(t + h / 2, along(k1, h / 2))
    k3 = rate(t + h / 2, along(k2, h / 2))
    k4 = rate(t + h, along(k3, h))
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def solve(rate, y, times, substeps):
    """States at the times, by substeps of the classical Runge-Kutta method between neighbouring ones."""
    states = [list(y)]
    for a, b in zip(times, times[1:]):
        h = (b - a) / substeps
        for k in range(substeps):
            y = rk4(rate, y, a + k * h, h)
        states.append(y)
    return states


def bisect(f, low, high):
    """Root of f between low and high, where it changes its sign."""
    sign = f(low) > 0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if (f(middle) > 0) == sign else (low, middle)
    return 0.5 * (low + high)

"""Small helpers shared by the reference generators: write a reference table, report a check.

The generators use NumPy and SciPy, and nothing of Carom. Run one from anywhere: `python3 tools/references/NAME.py`
writes `cases/NAME/reference.csv` and prints its own checks.
"""
from pathlib import Path

import numpy as np

CASES = Path(__file__).resolve().parents[2] / "cases"


def write_reference(case, source, time, columns):
    """Write cases/<case>/reference.csv; `columns` maps a quantity name to its samples."""
    time = np.atleast_1d(np.asarray(time, dtype=float))
    data = {name: np.broadcast_to(np.asarray(values, dtype=float), time.shape) for name, values in columns.items()}
    lines = ["# " + line for line in f"source: {source}".splitlines()]
    lines.append(",".join(["time", *data]))
    for k, t in enumerate(time):
        # Times are decimal multiples of the output interval: print them without their last rounding digit.
        lines.append(",".join([f"{t:.12g}", *(f"{data[name][k] + 0.0:.16g}" for name in data)]))
    folder = CASES / case
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "reference.csv").write_text("\n".join(lines) + "\n")
    print(f"{case}: {len(time)} samples of {len(data)} quantities")


def check(what, error, limit):
    """Print a check and stop if it fails."""
    error = float(np.max(np.abs(error)))
    print(f"  check {what}: {error:.2e} (limit {limit:.0e})")
    if not error <= limit:
        raise SystemExit(f"check failed: {what}")


def derivative(function, t, h):
    """Sixth-order central difference of function(t)."""
    return (45 * (function(t + h) - function(t - h)) - 9 * (function(t + 2 * h) - function(t - 2 * h))
            + (function(t + 3 * h) - function(t - 3 * h))) / (60 * h)


def check_rates(what, function, rate, times, h=1e-4, limit=1e-8):
    """Check rate(t) against a finite difference of function(t), relative to the largest rate."""
    times = np.asarray(times, dtype=float)
    exact = np.array([rate(t) for t in times])
    numeric = np.array([derivative(function, t, h) for t in times])
    scale = max(np.max(np.abs(exact)), 1e-300)
    check(f"{what} against a finite difference", (exact - numeric) / scale, limit)

"""Disc that settles: steady precession at every tilt, lowered slowly by rolling resistance. Needs nothing but Python.

The energy of steady precession is a function of the tilt; rolling resistance takes lever x weight x horizontal angular velocity from it.
"""
import math
from pathlib import Path

CASE = Path(__file__).resolve().parents[2] / "cases" / "euler_disc"
A, B, M, G, LEVER, END, EVERY = 0.04, 0.005, 0.5, 9.81, 2e-4, 4.0, 0.1
ACROSS, ALONG = M * (3 * A * A + 4 * B * B) / 12, M * A * A / 2


def speeds(tilt, half=B, across=ACROSS):
    """Rate of precession, angular velocity along the line of steepest descent and along the axis."""
    s, c = math.sin(tilt), math.cos(tilt)
    rate = math.sqrt(M * G * (A * c - half * s) / (s * (across * c - ALONG * half / A * s)))
    return rate, -rate * s, rate * half / A * s


def energy(tilt):
    _, w1, w3 = speeds(tilt)
    return M * G * (A * math.sin(tilt) + B * math.cos(tilt)) + 0.5 * (ACROSS * w1 * w1 + ALONG * w3 * w3)


def fall(tilt):
    _, w1, w3 = speeds(tilt)
    power = LEVER * M * G * abs(w1 * math.cos(tilt) + w3 * math.sin(tilt))
    d = 1e-5
    return -power * 2 * d / (energy(tilt + d) - energy(tilt - d))


def follow(h):
    tilt, rows = math.radians(20), []
    start, n = energy(tilt), round(EVERY / h)
    for k in range(round(END / h) + 1):
        if k % n == 0:
            rows.append((k * h, A * math.sin(tilt) + B * math.cos(tilt), start - energy(tilt)))
        k1 = fall(tilt)
        k2 = fall(tilt + 0.5 * h * k1)
        k3 = fall(tilt + 0.5 * h * k2)
        tilt += h / 6 * (k1 + 2 * k2 + 2 * k3 + fall(tilt + h * k3))
    return rows


coarse, fine = follow(2e-3), follow(1e-3)
print(f"  two steps differ by {max(abs(a[1] - b[1]) for a, b in zip(coarse, fine)):.1e} m")
thin = speeds(0.3, 0.0, M * A * A / 4)[0] ** 2 * math.sin(0.3) * A / G
print(f"  thin disc: rate² sin(tilt) a/g = {thin:.12f}")
if abs(thin - 4) > 1e-12:
    raise SystemExit("not Moffatt's formula")
text = ["# source: slowly lowered steady precession (tools/references/euler_disc.py)", "time,body:disc.z,energy.dissipated"]
text += [",".join(f"{x:.12g}" for x in row) for row in fine]
(CASE / "reference.csv").write_text("\n".join(text) + "\n")

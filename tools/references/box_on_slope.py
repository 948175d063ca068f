"""Box on a slope: rests, slides with constant acceleration, or slides and stops. Closed form."""
from math import cos, radians, sin, tan

from plain import grid, write_table

slope, gravity, half = radians(20), 9.81, 0.05
for name, steepness, start in (("below", 0.8, 0), ("below_moving", 0.8, 0.5), ("at", 1, 0), ("at_moving", 1, 0.5), ("above", 1.25, 0)):
    rate = gravity * (sin(slope) - tan(slope) / steepness * cos(slope))
    if abs(rate) < 1e-12 or (rate < 0 and start == 0):
        rate = 0
    end = -start / rate if rate < 0 else 9
    rows = []
    for t in grid(0.02, 2):
        s = min(t, end)
        way, speed = start * s + rate * s * s / 2, 0 if t >= end else start + rate * s
        rows.append([t, half * sin(slope) + way * cos(slope), half * cos(slope) - way * sin(slope), speed * cos(slope), -speed * sin(slope)])
    print(f"{name}: {rate:.6f} m/s^2, stops at {end:.5f} s")
    write_table("box_on_slope", f"reference_{name}.csv", "closed form (tools/references/box_on_slope.py)", ["time", *("body:box." + q for q in ("x", "z", "vx", "vz"))], rows)

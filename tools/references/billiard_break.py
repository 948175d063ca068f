"""Billiard break: closed form up to the impact, and after it for smooth balls and cloth.

Smooth balls: the cue ball hits ball 3; ball 3 hits balls 4 and 5 at once, 30 degrees to both sides; ball 3 comes back and hits the cue ball.
"""
from math import cos, radians, sin, sqrt

from plain import check, grid, write_table

radius, mass, inertia, gravity, mu, e, start, way = 0.028575, 1.666 / 9.81, 5.5e-5, 9.81, 0.2, 0.93, 10.729, 1.27 - 2 * 0.028575
hit = (start - sqrt(start**2 - 2 * mu * gravity * way)) / (mu * gravity)
print(f"impact at {hit:.5f} s with {start - mu * gravity * hit:.4f} m/s")
check("printed instant", hit - 0.114, 5e-4)
rows = [[t, -0.635 + start * t - mu * gravity * t * t / 2, start - mu * gravity * t, mu * mass * gravity * radius * t / inertia, 0] for t in grid(1e-3, 0.114)]
write_table("billiard_break", "before.csv", "closed form (tools/references/billiard_break.py)", ["time", "body:2.x", "body:2.vx", "body:2.wy", "body:3.vx"], rows)

c, s = cos(radians(30)), sin(radians(30))
cue, third = (1 - e) / 2 * start, (1 + e) / 2 * start
side = (1 + e) * third * c / (1 + 2 * c * c)
third -= 2 * side * c
change = (1 + e) / 2 * (cue - third)
cue, third = cue - change, third + change
print(f"smooth: impact at {way / start:.6f} s, cue ball {cue:.8f}, ball 3 {third:.8f}, balls 4 and 5 {side * c:.8f}, {side * s:.8f} m/s")
check("momentum", cue + third + 2 * side * c - start, 1e-12)
check("ball 3 does not reach the others again", max(0, third * c - side), 0.5)

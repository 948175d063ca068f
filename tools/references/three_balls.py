"""Three balls in a row. Closed form up to the impact, and after it for smooth balls."""
from plain import check, grid, write_table

radius, mass, inertia, gravity, mu, start, way = 0.0283, 0.185, 5.7e-5, 9.8, 0.2, 2, 0.5534
ratio = mass * radius**2 / inertia
rolls = start / (mu * gravity * (1 + ratio))
slow = start - mu * gravity * rolls
hit = rolls + (way - start * rolls + mu * gravity * rolls**2 / 2) / slow
print(f"smooth balls meet at {way / start:.5f} s; rough ones: rolls at {rolls:.5f} s with {slow:.5f} m/s, meets at {hit:.5f} s")
check("printed instants", max(abs(way / start - 0.277), abs(rolls - 0.284), abs(hit - 0.328)), 7e-4)
source = "closed form (tools/references/three_balls.py)"
rows = []
for t in grid(1e-3, 1):
    late = max(0, t - way / start)
    rows.append([t, -2 * radius - way + start * min(t, way / start), 0, 2 * radius + start * late, *((start, 0, 0) if late == 0 else (0, 0, start))])
write_table("three_balls", "reference_smooth.csv", source, ["time", *(f"body:{b}.{q}" for q in ("x", "vx") for b in (1, 2, 3))], rows)
rows = []
for t in grid(1e-3, 0.328):
    s = min(t, rolls)
    rows.append([t, -2 * radius - way + start * s - mu * gravity * s * s / 2 + slow * (t - s), start - mu * gravity * s, ratio * mu * gravity * s / radius])
write_table("three_balls", "reference_rough.csv", source, ["time", "body:1.x", "body:1.vx", "body:1.wy"], rows)

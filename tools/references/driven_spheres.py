"""Two spheres, one driven by a torque that grows as k t, the other lying on it: stick until t_lim = 2 mu m g r/k, then slip. Closed form.

Each sphere gets half of the torque while they stick. The published angle of the driven sphere has two misprints; the integral is checked below.
"""
from plain import check, grid, solve, write_table

mass, radius, inertia, gravity, mu, k = 1, 1, 0.4, 9.8, 0.3, 20
limit = 2 * mu * mass * gravity * radius / k


def motion(t):
    """Angular speeds and angles of A (lying) and B (driven)."""
    if t <= limit:
        return k * t * t / (4 * inertia), -k * t * t / (4 * inertia), k * t**3 / (12 * inertia), -k * t**3 / (12 * inertia)
    return (k * limit / (2 * inertia) * (t - limit / 2), -k / (4 * inertia) * (limit**2 + 2 * t * (t - limit)),
            k * limit * t / (4 * inertia) * (t - limit) + k * limit**3 / (12 * inertia),
            k * limit * t / (4 * inertia) * (t - limit) + k / (6 * inertia) * (limit**3 / 2 - t**3))


def rate(t, s):
    friction = min(k * t / 2, mu * mass * gravity * radius)
    return [friction / inertia, (friction - k * t) / inertia, s[0], s[1]]


check("printed instant", limit - 0.294, 1e-12)
times = grid(0.01, 1)
integrated = solve(rate, [0, 0, 0, 0], grid(1e-3, 1), 2)[::10]
check("closed form against integration", max(abs(a - b) for t, s in zip(times, integrated) for a, b in zip(motion(t), s)), 1e-9)
check("values of the notes at 1 s", max(abs(a - b) for a, b in zip(motion(1), (6.26955, -18.73045, 2.70043, -5.63290))), 1e-5)
write_table("driven_spheres", "reference.csv", "closed form (tools/references/driven_spheres.py)",
            ["time", "body:a.omega", "body:b.omega", "body:a.angle", "body:b.angle"], [[t, *motion(t)] for t in times])
# At ends of steps of 1 ms: status, normal force, impulse of friction over the step.
force = lambda t: min(k * t / 2, mu * mass * gravity * radius)
rows = [[t, 3 if t <= limit + 1e-9 else 2, mass * gravity, 1e-3 * force(t - 5e-4)] for t in grid(1e-3, 1) if t >= 0.02 and abs(t - limit) > 5e-4]
write_table("driven_spheres", "instant.csv", "closed form (tools/references/driven_spheres.py)", ["time", "contact:spheres.status", "contact:spheres.closed_force", "contact:spheres.tangential_impulse"], rows)

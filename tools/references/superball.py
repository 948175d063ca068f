"""A ball with angular velocity about all axes that bounces on a rough floor with tangential restitution. Closed form: the slip is reversed by e_T,
the angular velocity about the normal stays (Garwin, Am. J. Phys. 37 (1969) 88, is e_T = 1)."""
from plain import check, write_table

mass, radius, inertia = 1.0, 0.1, 0.4 * 0.1**2
velocity, spin = (1.3, -0.7, -2.0), (11.0, -23.0, 37.0)
for name, e_t in (("minus_1", -1.0), ("minus_05", -0.5), ("0", 0.0), ("05", 0.5), ("1", 1.0)):
    slip = (velocity[0] - radius * spin[1], velocity[1] + radius * spin[0])  # of the lowest point, v + ω × (0, 0, −r)
    w = 1 / mass + radius**2 / inertia
    impulse = [-(1 + e_t) * s / w for s in slip]
    after = (velocity[0] + impulse[0] / mass, velocity[1] + impulse[1] / mass,
             spin[0] + radius * impulse[1] / inertia, spin[1] - radius * impulse[0] / inertia, spin[2])
    check("slip", max(abs(after[0] - radius * after[3] + e_t * slip[0]), abs(after[1] + radius * after[2] + e_t * slip[1])), 1e-14)
    energy = lambda vx, vy, wx, wy, wz: 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * (wx * wx + wy * wy + wz * wz)
    change = energy(*after) - energy(velocity[0], velocity[1], *spin)
    check("energy", change + 0.5 * (1 - e_t**2) * (slip[0] ** 2 + slip[1] ** 2) / w, 1e-14)
    write_table("superball", f"reference_{name}.csv", "closed form (tools/references/superball.py)",
                ["time", *("body:ball." + q for q in ("vx", "vy", "wx", "wy", "wz"))], [[0.04, *after]])

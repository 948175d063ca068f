"""References of right_angle_frame and right_angle_frame_path: Reissner's and Simo's rod with a corner, by shooting; critical load by linearising about the plane solution.

Two legs of 240 mm, along x and then along -y, clamped at the origin; dead load P along x at the free end, and a thousandth of it along z. E = 71240 N/mm², nu = 0.31,
30 mm (in the plane) by 0.6 mm, torsion constant b t³/3. The force is constant along the line and the moment is perpendicular to it, so two components of the root moment are unknown.
"""
from plain import bisect, check, write_table
from spatial_rod import START, Rod

YOUNG, POISSON, DEPTH, THICK, LEG = 71240e6, 0.31, 0.030, 0.0006, 0.24
G = YOUNG / (2 * (1 + POISSON))
AREA = DEPTH * THICK
EA, GA, GJ, EY, EZ = YOUNG * AREA, 5 / 6 * G * AREA, G * DEPTH * THICK**3 / 3, YOUNG * DEPTH * THICK**3 / 12, YOUNG * THICK * DEPTH**3 / 12
STEPS = 40
ROD = Rod(EA, GA, GJ, EY, EZ)


def shoot(moment, force):
    """State at the free end."""
    y = ROD.advance(START + [*moment, 0], force, LEG, STEPS)
    for i in range(3):                  # the second leg runs along -y of the first: turn the section by -90 degrees about its z
        a, b = y[3 + 3 * i], y[4 + 3 * i]
        y[3 + 3 * i], y[4 + 3 * i] = -b, a
    return ROD.advance(y, force, LEG, STEPS)


def root(my, mz, force):
    """Moment perpendicular to the force with these two components."""
    return [-(my * force[1] + mz * force[2]) / force[0], my, mz]


def solve(force, my, mz):
    """Newton for a free end without moment."""
    for _ in range(50):
        y = shoot(root(my, mz, force), force)
        f = y[13:15]
        if abs(f[0]) + abs(f[1]) < 1e-13:
            break
        d = 1e-7
        a = [(p - q) / d for p, q in zip(shoot(root(my + d, mz, force), force)[13:15], f)]
        b = [(p - q) / d for p, q in zip(shoot(root(my, mz + d, force), force)[13:15], f)]
        det = a[0] * b[1] - b[0] * a[1]
        sy, sz = -(f[0] * b[1] - b[0] * f[1]) / det, -(a[0] * f[1] - f[0] * a[1]) / det
        my, mz = my + sy, mz + sz
    return y, my, mz, abs(f[0]) + abs(f[1])


def lateral(load):
    """Change of the tip's lateral moment by that of the root, about the plane solution: zero at the critical load."""
    force = [load, 0.0, 0.0]
    _, _, mz, _ = solve(force, 0.0, load * LEG)
    return shoot([0.0, 1e-6, mz], force)[13] / 1e-6


if __name__ == "__main__":
    for sign in (1, -1):
        last = lateral(sign * 0.05)
        for k in range(2, 61):
            value = lateral(sign * 0.05 * k)
            if value * last < 0:
                critical = bisect(lambda p: lateral(sign * p), 0.05 * (k - 1), 0.05 * k)
                print(f"  critical load {sign * critical:.6f} N")
                if sign > 0:
                    check("Argyris (1979) 1.088, Simo and Vu-Quoc (1986) 1.09", critical - 1.088, 0.002)
                break
            last = value
    for name, top, shown in (("before", 1.0, 10), ("before_reversed", -0.62, 10), ("after", 1.5, 30), ("reversed", -1.0, 20)):
        rows, path, fine = [], [(0.0, 0.0, 0.0)], 300       # steps small enough to stay on the branch that begins without load
        for k in range(1, fine + 1):
            load = top * k / fine
            force = [load, 0.0, 1e-3 * abs(load)]
            guess = [2 * a - b for a, b in zip(path[-1], path[-2])] if k > 2 else [load, 0.0, load * LEG]
            y, my, mz, left = solve(force, guess[1], guess[2])
            if left > 1e-10:
                raise SystemExit(f"no equilibrium at {load}")
            path.append((load, my, mz))
            if k % (fine // shown) == 0 and (name != "after" or load > 1.19):
                rows.append([k / fine, *y[:3]])
        print(f"  {name}, load {top}: tip", *(f"{1e3 * c:.4f}" for c in y[:3]), "mm")
        write_table("right_angle_frame" if "before" in name else "right_angle_frame_path", f"reference_{name}.csv", "rod with a corner by shooting; tools/references/right_angle_frame.py",
                    ["time", "body:frame-16.x", "body:frame-16.y", "body:frame-16.z"], rows)

"""Slider-crank with a ball bearing between crank and rod, for the case bearing_slider_crank.

Four things, none of which knows of Carom: the slider of the rigid mechanism without clearance and the forces in its joints (inverse dynamics);
the turn of the crank's end, bent by that force (a cantilever); the fall of the rod through the clearance before the first impact (two
coordinates, Runge-Kutta); and that impact, of the mass behind the joint on a ball between two races as one spring of Hertz.
"""
import math

from bearing import hertz
from plain import check, rk4, write_table

CRANK, ROD, SPEED = 0.11, 0.225, 50.0
YOUNG, POISSON, DENSITY = 210e9, 0.3, 7850.0
INNER, OUTER, BALL, CLEARANCE = 0.033745, 0.04515, 0.0055, 405e-6
RESTITUTION, SLIDER = 0.9, 2.0
RIGID = {"crank": 1.0, "rod": 4.0, "inertia": 0.0334}
FLEXIBLE = {"crank": DENSITY * 0.00116 * CRANK, "rod": DENSITY * 0.00113 * ROD}
FLEXIBLE["inertia"] = FLEXIBLE["rod"] * ROD**2 / 12


def place(t):
    """Slider, rod's angle (from crank pin to slider) and their rates, by differentiation of l sin p = -r sin wt."""
    s, c = math.sin(SPEED * t), math.cos(SPEED * t)
    p = math.asin(-CRANK * s / ROD)
    vp = -CRANK * SPEED * c / (ROD * math.cos(p))
    ap = (CRANK * SPEED**2 * s / ROD + math.sin(p) * vp**2) / math.cos(p)
    x = CRANK * c + ROD * math.cos(p)
    vx = -CRANK * SPEED * s - ROD * math.sin(p) * vp
    ax = -CRANK * SPEED**2 * c - ROD * (math.cos(p) * vp**2 + math.sin(p) * ap)
    return x, p, vx, vp, ax, ap


def forces(t, mass):
    """On the crank at its pin, on the crank at its axle, and the moment of the drive. The crank turns steadily, nothing is heavy."""
    x, p, _, vp, ax, ap = place(t)
    s, c = math.sin(p), math.cos(p)
    centre_x = ax + ROD / 2 * (c * vp**2 + s * ap)
    centre_y = ROD / 2 * (s * vp**2 - c * ap)
    # Force (fx, fy) on the rod at the crank pin. Along x it moves rod and slider; moments of the rod about the slider's pin give fy.
    fx = mass["rod"] * centre_x + SLIDER * ax
    # about the slider: arm of the pin (-l c, -l s); momentum of the centre at (-l/2 c, -l/2 s)
    turn = mass["inertia"] * ap + mass["rod"] * ROD / 2 * (-c * centre_y + s * centre_x)
    fy = (turn - ROD * s * fx) / (-ROD * c)
    wt = SPEED * t
    axle_x = fx - mass["crank"] * CRANK / 2 * SPEED**2 * math.cos(wt)
    axle_y = fy - mass["crank"] * CRANK / 2 * SPEED**2 * math.sin(wt)
    moment = CRANK * (math.cos(wt) * fy - math.sin(wt) * fx)
    return -fx, -fy, axle_x, axle_y, moment


def deflection(t):
    """Turn of the end of the flexible crank against its axle: the force across it, on a cantilever."""
    fx, fy, *_ = forces(t, FLEXIBLE)
    across = -math.sin(SPEED * t) * fx + math.cos(SPEED * t) * fy
    return across * CRANK**2 / (2 * YOUNG * 1.117e-7)


def mass_matrix(p, mass):
    return SLIDER + mass["rod"], mass["rod"] * ROD / 2 * math.sin(p), mass["rod"] * ROD**2 / 4 + mass["inertia"]


def fall_rate(t, y):
    """Rod and slider alone: slider x, rod's angle p, their speeds."""
    _, p, vx, vp = y
    a, b, d = mass_matrix(p, RIGID)
    push = -RIGID["rod"] * ROD / 2 * math.cos(p) * vp**2
    det = a * d - b * b
    return [vx, vp, push * d / det, -push * b / det]


def eccentricity(t, y):
    """Centre of the crank's race from that of the rod's, and its rate."""
    x, p, vx, vp = y
    wt = SPEED * t
    return (CRANK * math.cos(wt) - x + ROD * math.cos(p), CRANK * math.sin(wt) + ROD * math.sin(p),
            -CRANK * SPEED * math.sin(wt) - vx - ROD * math.sin(p) * vp, CRANK * SPEED * math.cos(wt) + ROD * math.cos(p) * vp)


def fall():
    """Samples each 0.1 ms until the play is used up in the direction of the way, and there speed and mass behind the joint."""
    y, t, h, rows = [CRANK + ROD, 0.0, 0.0, -CRANK * SPEED / ROD], 0.0, 1e-6, []
    while True:
        ex, ey, vx, vy = eccentricity(t, y)
        if math.hypot(ex, ey) >= CLEARANCE:
            break
        if round(t / h) % 100 == 0 and t > 0:
            rows.append([t, ex, ey, y[0]])
        y = rk4(fall_rate, y, t, h)
        t += h
    way = math.hypot(ex, ey)
    nx, ny = ex / way, ey / way
    a, b, d = mass_matrix(y[1], RIGID)
    jx, jp = -nx, -nx * ROD * math.sin(y[1]) + ny * ROD * math.cos(y[1])
    inverse = (jx * jx * d - 2 * b * jx * jp + jp * jp * a) / (a * d - b * b)
    return rows, t, vx * nx + vy * ny, 1 / inverse


def hysteresis(e):
    """h of F = K d^1.5 (1 + h d'/v) that returns e: ln((1 + h)/(1 - h e)) = h (1 + e)."""
    low, high = 1e-9, 1 / e - 1e-12
    for _ in range(200):
        h = (low + high) / 2
        low, high = (h, high) if math.log((1 + h) / (1 - h * e)) < h * (1 + e) else (low, h)
    return low


def impact(mass, stiffness, speed, tilt=0.0, balls=1):
    """Peak force of one ball, its duration, and the speed after it; several balls stand `tilt` to the side of the way."""
    h, c = hysteresis(RESTITUTION), math.cos(tilt)
    x, v, t, peak, step = 0.0, speed, 0.0, 0.0, 1e-7
    force = lambda x, v: stiffness * (max(x, 0.0) * c) ** 1.5 * (1 + h * v / speed)
    while x >= 0:
        x, v = rk4(lambda t, y: [y[1], -balls * c * force(*y) / mass], [x, v], t, step)
        t += step
        peak = max(peak, force(x, v))
    return peak, t, -v


def one_spring(groove):
    """A ball between both races."""
    return sum(hertz(YOUNG, POISSON, BALL, race, groove)[0] ** (-2 / 3) for race in (INNER, -OUTER)) ** -1.5


if __name__ == "__main__":
    h = 1e-5
    for t in (0.011, 0.052):
        before, at, after = place(t - h), place(t), place(t + h)
        for k in (0, 1):
            check("rates against differences", (after[k] - before[k]) / (2 * h) - at[k + 2], 1e-4)
            check("accelerations against differences", (after[k] - 2 * at[k] + before[k]) / h**2 / at[k + 4] - 1, 1e-4)
        # Power of the drive is the rate of the kinetic energy.
        def energy(t, mass=RIGID):
            x, p, vx, vp, *_ = place(t)
            cx, cy = vx + ROD / 2 * math.sin(p) * vp, -ROD / 2 * math.cos(p) * vp
            return SLIDER * vx**2 / 2 + mass["rod"] * (cx**2 + cy**2) / 2 + mass["inertia"] * vp**2 / 2
        check("power of the drive", (energy(t + h) - energy(t - h)) / (2 * h) / (SPEED * forces(t, RIGID)[4]) - 1, 1e-6)
    times = [n * 5e-3 for n in range(1, 121)]
    source = "closed form of the rigid mechanism without clearance (tools/references/bearing_slider_crank.py)"
    write_table("bearing_slider_crank", "reference.csv", source, ["time", "body:slider.x"], [[t, place(t)[0]] for t in times])
    write_table("bearing_slider_crank", "ideal.csv", source,
                ["time", "body:slider.x", "joint:bearing.fx", "joint:bearing.fy", "joint:axle.fx", "joint:axle.fy", "motion:drive.force"],
                [[t, place(t)[0], *forces(t, RIGID)] for t in times])
    largest = max(abs(deflection(n * 1e-5)) for n in range(60000))
    print(f"turn of the crank's end: {largest:.4g} rad at the most; largest forces of the pin: rigid "
          f"{max(math.hypot(*forces(n * 1e-4, RIGID)[:2]) for n in range(6000)):.5g} N, flexible "
          f"{max(math.hypot(*forces(n * 1e-4, FLEXIBLE)[:2]) for n in range(6000)):.5g} N")
    write_table("bearing_slider_crank", "ideal_flexible.csv", source + ", crank bent as a cantilever",
                ["time", "body:slider.x", "body:crank-4.angle"], [[t, place(t)[0], SPEED * t + deflection(t)] for t in times])
    write_table("bearing_slider_crank", "flexible_start.csv", source + ", crank bent as a cantilever",
                ["time", "body:crank-4.angle"], [[n * 5e-4, SPEED * n * 5e-4 + deflection(n * 5e-4)] for n in range(1, 101)])
    rows, t, speed, mass = fall()
    print(f"first impact at {t:.6g} s with {speed:.6g} m/s and {mass:.6g} kg behind it")
    write_table("bearing_slider_crank", "fall.csv", "rod and slider alone (tools/references/bearing_slider_crank.py)",
                ["time", "bearing:bearing.ex", "bearing:bearing.ey", "body:slider.x"], rows)
    lines = []
    for name, groove in (("grooved", 5.72e-3), ("plain", 1e3)):
        stiffness = one_spring(groove)
        peak, duration, after = impact(mass, stiffness, speed)
        check("restitution of the impact", after / speed - RESTITUTION, 1e-3)
        print(f"{name}: K {stiffness:.5g}, one ball ahead {peak:.6g} N over {duration:.5g} s; each of two astride "
              f"{impact(mass, stiffness, speed, math.pi / 8, 2)[0]:.6g} N")
        lines.append([f"start ahead {name}", 1, speed, RESTITUTION, peak, duration])
    write_table("bearing_slider_crank", "first_impact.csv", "one impact on one spring of Hertz (tools/references/bearing_slider_crank.py)",
                ["variant", "number", "impact_speed", "restitution", "peak_force", "duration"], lines)

"""Slider-crank driven at constant speed: kinematics in closed form, reactions by free-body diagrams.

Crank O-A (length r), rod A-B (length l), slider at B. r sin(th) + l sin(ps) = 0, x = r cos(th) + l cos(ps), th = w t.
"""
import numpy as np

from common import check, check_rates, write_reference

r, l, G = 0.05, 0.12, 9.81
m2, I2, m3, I3, m4 = 0.30, 1e-4, 0.21, 2.5e-4, 0.14
w = 5000 * 2 * np.pi / 60


def kinematics(t):
    th = w * t
    ps = np.arcsin(-r / l * np.sin(th))
    dps = -r * w * np.cos(th) / (l * np.cos(ps))
    ddps = (r * w**2 * np.sin(th) + l * np.sin(ps) * dps**2) / (l * np.cos(ps))
    x = r * np.cos(th) + l * np.cos(ps)
    dx = -r * w * np.sin(th) - l * np.sin(ps) * dps
    ddx = -r * w**2 * np.cos(th) - l * (np.cos(ps) * dps**2 + np.sin(ps) * ddps)
    return th, ps, dps, ddps, x, dx, ddx


t = np.linspace(0, 0.024, 241)
th, ps, dps, ddps, x, dx, ddx = kinematics(t)
c, s, cp, sp = np.cos(th), np.sin(th), np.cos(ps), np.sin(ps)
# mass centres
x2, y2 = r / 2 * c, r / 2 * s
vx2, vy2, ax2, ay2 = -y2 * w, x2 * w, -x2 * w**2, -y2 * w**2
x3, y3 = r * c + l / 2 * cp, r * s + l / 2 * sp
vx3, vy3 = -r * s * w - l / 2 * sp * dps, r * c * w + l / 2 * cp * dps
ax3 = -r * c * w**2 - l / 2 * (cp * dps**2 + sp * ddps)
ay3 = -r * s * w**2 - l / 2 * (sp * dps**2 - cp * ddps)

# Free bodies, from the slider back to the crank. B: on the slider by the rod, A: on the rod by the crank, O: on the crank.
Bx = m4 * ddx
# Rod, moments about its mass centre: half vectors h = (l/2)(cp, sp) to B and -h to A; forces A at -h, -B at +h,
# A = m3 a3 + B + (0, m3 g). I3 ddps = -h x A + h x (-B) = -h x (m3 a3 + (0, m3 g)) - 2 h x B.
hx, hy = l / 2 * cp, l / 2 * sp
moment = hx * (m3 * ay3 + m3 * G) - hy * m3 * ax3
By = (-(I3 * ddps + moment) / 2 + hy * Bx) / hx
Ax, Ay = m3 * ax3 + Bx, m3 * ay3 + m3 * G + By
Ny = m4 * G - By
Ox, Oy = m2 * ax2 + Ax, m2 * ay2 + m2 * G + Ay
# Crank, moments about O: gravity, -A at the crank pin, drive moment M.
M = m2 * G * x2 + (r * c * Ay - r * s * Ax)

kinetic = 0.5 * (m2 * (r / 2) ** 2 + I2) * w**2 + 0.5 * m3 * (vx3**2 + vy3**2) + 0.5 * I3 * dps**2 + 0.5 * m4 * dx**2
potential = G * (m2 * y2 + m3 * y3)


def energy(t):
    th, ps, dps, _, x, dx, _ = kinematics(t)
    vx = -r * np.sin(th) * w - l / 2 * np.sin(ps) * dps
    vy = r * np.cos(th) * w + l / 2 * np.cos(ps) * dps
    return (0.5 * m3 * (vx**2 + vy**2) + 0.5 * I3 * dps**2 + 0.5 * m4 * dx**2
            + G * (m2 * r / 2 * np.sin(th) + m3 * (r * np.sin(th) + l / 2 * np.sin(ps))))


h = 2e-6
check_rates("rod rate", lambda s: kinematics(s)[1], lambda s: kinematics(s)[2], t, h)
check_rates("rod acceleration", lambda s: kinematics(s)[2], lambda s: kinematics(s)[3], t, h)
check_rates("slider velocity", lambda s: kinematics(s)[4], lambda s: kinematics(s)[5], t, h)
check_rates("slider acceleration", lambda s: kinematics(s)[5], lambda s: kinematics(s)[6], t, h)
power = dict(zip(t, M * w))
check_rates("drive power against the change of energy", energy, lambda s: power[s], t, h)
peak = np.max(np.hypot(Ax, Ay))
print(f"  peak crank pin force {peak:.6g} N, peak drive moment {np.max(np.abs(M)):.6g} N m")

kinematic = {
    "body:crank.x": x2, "body:crank.y": y2, "body:crank.angle": th,
    "body:rod.x": x3, "body:rod.y": y3, "body:rod.angle": ps, "body:slider.x": x,
    "body:crank.vx": vx2, "body:crank.vy": vy2, "body:crank.omega": w + 0 * t,
    "body:rod.vx": vx3, "body:rod.vy": vy3, "body:rod.omega": dps, "body:slider.vx": dx,
    "body:crank.ax": ax2, "body:crank.ay": ay2,
    "body:rod.ax": ax3, "body:rod.ay": ay3, "body:rod.alpha": ddps, "body:slider.ax": ddx}
forces = {
    "joint:main.fx": Ox, "joint:main.fy": Oy, "joint:crankpin.fx": Ax, "joint:crankpin.fy": Ay,
    "joint:pin.fx": Bx, "joint:pin.fy": By, "joint:guide.fy": Ny,
    "motion:drive.force": M, "motion:drive.power": M * w,
    "energy.kinetic": kinetic, "energy.supplied": kinetic + potential - kinetic[0] - potential[0]}
write_reference("slider_crank_ideal", "closed form and free-body diagrams (tools/references/slider_crank_ideal.py)", t, kinematic | forces)
write_reference("slider_crank_kinematic", "closed form (tools/references/slider_crank_ideal.py)", t, kinematic)

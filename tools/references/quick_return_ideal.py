"""Quick-return mechanism driven at constant speed: kinematics in closed form, reactions by free-body diagrams.

Crank from C = (0, 0.25) to the block at P; lever from O = (0, 0) through the block to its end D; link D-E; ram at E on y = 0.5.
"""
import numpy as np

from common import check, check_rates, write_reference

G, w = 9.81, 3.0
rc, ll, lk, yc, ye = 0.10, 0.50, 0.12, 0.25, 0.50
m2, I2, m3, I3, m4, I4, m5, I5, m6 = 0.20, 0.010, 1.00, 0.100, 0.50, 0.025, 0.24, 0.012, 0.50


def cross(ax, ay, bx, by):
    return ax * by - ay * bx


def kinematics(t):
    """Everything at one time: (value, rate, second rate) of each coordinate."""
    th = w * t
    px, py = rc * np.cos(th), yc + rc * np.sin(th)
    vx, vy = -rc * w * np.sin(th), rc * w * np.cos(th)
    ax, ay = -rc * w**2 * np.cos(th), -rc * w**2 * np.sin(th)
    d = np.hypot(px, py)
    dd = (px * vx + py * vy) / d
    a = np.arctan2(py, px)                                   # lever angle
    da = cross(px, py, vx, vy) / d**2
    dda = cross(px, py, ax, ay) / d**2 - 2 * dd * da / d
    dx, dy = ll * np.cos(a), ll * np.sin(a)                  # lever end
    dvx, dvy = -dy * da, dx * da
    dax, day = -dy * dda - dx * da**2, dx * dda - dy * da**2
    b = np.arcsin((ye - dy) / lk)                            # link angle, ram to the right
    db = -dvy / (lk * np.cos(b))
    ddb = (-day + lk * np.sin(b) * db**2) / (lk * np.cos(b))
    ex = dx + lk * np.cos(b)
    evx = dvx - lk * np.sin(b) * db
    eax = dax - lk * (np.cos(b) * db**2 + np.sin(b) * ddb)
    return dict(th=th, px=px, py=py, vx=vx, vy=vy, ax=ax, ay=ay, d=d, dd=dd, a=a, da=da, dda=dda, dx=dx, dy=dy,
                dvx=dvx, dvy=dvy, dax=dax, day=day, b=b, db=db, ddb=ddb, ex=ex, evx=evx, eax=eax)


def energy(t):
    k = kinematics(t)
    kx, ky = k["dvx"] - lk / 2 * np.sin(k["b"]) * k["db"], k["dvy"] + lk / 2 * np.cos(k["b"]) * k["db"]
    kinetic = 0.5 * ((I2 + m2 * rc**2 / 4) * w**2 + (I3 + m3 * ll**2 / 4) * k["da"] ** 2 + m4 * (k["vx"] ** 2 + k["vy"] ** 2)
                     + I4 * k["da"] ** 2 + m5 * (kx**2 + ky**2) + I5 * k["db"] ** 2 + m6 * k["evx"] ** 2)
    potential = G * (m2 * (yc + k["py"]) / 2 + m3 * k["dy"] / 2 + m4 * k["py"] + m5 * (k["dy"] + ye) / 2 + m6 * ye)
    return kinetic, potential


t = np.linspace(0, 4.2, 211)
k = kinematics(t)
globals().update(k)
ca, sa, cb, sb = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
# link, mass centre
kx, ky = dx + lk / 2 * cb, dy + lk / 2 * sb
kvx, kvy = dvx - lk / 2 * sb * db, dvy + lk / 2 * cb * db
kax = dax - lk / 2 * (cb * db**2 + sb * ddb)
kay = day - lk / 2 * (sb * db**2 - cb * ddb)

# Ram: E force on the ram by the link. Link: D force on the link by the lever (as in the slider-crank).
Ex = m6 * eax
hx, hy = lk / 2 * cb, lk / 2 * sb
Ey = (-(I5 * ddb + hx * (m5 * kay + m5 * G) - hy * m5 * kax) / 2 + hy * Ex) / hx
Dx, Dy = m5 * kax + Ex, m5 * kay + m5 * G + Ey
Ny = m6 * G - Ey
# Block turns with the lever: couple T on the block by the lever; N normal force on the block by the lever along n = (-sa, ca).
T = I4 * dda
# Lever about O: (I3 + m3 l²/4) dda = -m3 g dx/2 - (D at its end) - N d - T
N = (-(I3 + m3 * ll**2 / 4) * dda - m3 * G * dx / 2 - cross(dx, dy, Dx, Dy) - T) / d
Sx, Sy = -sa * N, ca * N
# Block: P force on the block by the crank
Px, Py = m4 * ax - Sx, m4 * ay + m4 * G - Sy
# Lever pivot O force on the lever
lax, lay = dax / 2, day / 2
Ox, Oy = m3 * lax + Sx + Dx, m3 * lay + m3 * G + Sy + Dy
# Crank about its pivot C; C force on the crank
Cx, Cy = m2 * ax / 2 + Px, m2 * ay / 2 + m2 * G + Py
M = m2 * G * px / 2 + cross(px, py - yc, Px, Py)

times = t[:: 5]
for value, rate in [("a", "da"), ("da", "dda"), ("b", "db"), ("db", "ddb"), ("ex", "evx"), ("evx", "eax"), ("d", "dd"), ("dvy", "day")]:
    check_rates(f"{rate}", lambda s: kinematics(s)[value], lambda s: kinematics(s)[rate], times, 1e-3, 1e-9)
power = dict(zip(t, M * w))
check_rates("drive power against the change of energy", lambda s: sum(energy(s)), lambda s: power[s], times, 1e-3, 1e-9)
kinetic, potential = energy(t)
print(f"  start: lever {a[0]:.15g} rad, link {b[0]:.15g} rad, ram {ex[0]:.15g} m; peak drive moment {np.abs(M).max():.6g} N m")

write_reference("quick_return_ideal", "closed form and free-body diagrams (tools/references/quick_return_ideal.py)", t, {
    "body:crank.x": px / 2, "body:crank.y": (py + yc) / 2, "body:crank.angle": th,
    "body:lever.x": dx / 2, "body:lever.y": dy / 2, "body:lever.angle": a,
    "body:block.x": px, "body:block.y": py, "body:block.angle": a,
    "body:link.x": kx, "body:link.y": ky, "body:link.angle": b, "body:ram.x": ex,
    "body:lever.omega": da, "body:lever.vx": dvx / 2, "body:lever.vy": dvy / 2, "body:block.vx": vx, "body:block.vy": vy,
    "body:link.vx": kvx, "body:link.vy": kvy, "body:link.omega": db, "body:ram.vx": evx,
    "body:lever.alpha": dda, "body:lever.ax": lax, "body:lever.ay": lay, "body:block.ax": ax, "body:block.ay": ay,
    "body:link.ax": kax, "body:link.ay": kay, "body:link.alpha": ddb, "body:ram.ax": eax,
    "joint:slide.translation": d, "joint:crank_pivot.rotation": th,
    "joint:lever_pivot.fx": Ox, "joint:lever_pivot.fy": Oy, "joint:crank_pivot.fx": Cx, "joint:crank_pivot.fy": Cy,
    "joint:crank_block.fx": Px, "joint:crank_block.fy": Py,
    "joint:slide.fx": Sx, "joint:slide.fy": Sy, "joint:slide.tz": T,
    "joint:lever_link.fx": Dx, "joint:lever_link.fy": Dy, "joint:link_ram.fx": Ex, "joint:link_ram.fy": Ey,
    "joint:guide.fy": Ny,
    "motion:drive.force": M, "motion:drive.power": M * w,
    "energy.kinetic": kinetic, "energy.supplied": kinetic + potential - kinetic[0] - potential[0]})

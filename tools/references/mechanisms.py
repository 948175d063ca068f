"""Small mechanisms with closed forms: screw, gears, coupler, Cardan shaft, cylindrical and planar joints, bead, conical pendulum."""
import numpy as np

from common import check, check_rates, write_reference

G = 9.81

# --- screws: a nut on a fixed spindle, and a nut driven by a moment on a free falling bar
p = 0.02
kappa = p / (2 * np.pi)                        # travel for one radian
t = np.linspace(0, 1, 101)
m, I = 0.5, 1e-4
a = -G / (1 + I / (m * kappa**2))
f_nut, t_nut = m * (a + G), I * a / kappa
check("spindle: reaction does no work", f_nut * kappa + t_nut, 1e-15)
m1, I1, m2, I2, M = 2.0, 1e-3, 0.5, 2e-4, 0.004
F = kappa * M / I2 / (1 / m1 + 1 / m2 + kappa**2 * (1 / I1 + 1 / I2))   # axial force on the nut; couple -kappa F
a1, a2, al1, al2 = -F / m1, F / m2, kappa * F / I1, (M - kappa * F) / I2
check("free bar: travel and turn", (a2 - a1) - kappa * (al2 - al1), 1e-15)
T = lambda s: 0.5 * s**2 * (m1 * a1**2 + m2 * a2**2 + I1 * al1**2 + I2 * al2**2)
check("free bar: energy is the work of the moment", T(1.0) - M * al2 / 2, 1e-15)
fall = -G * t**2 / 2
write_reference("screw", "closed form (tools/references/mechanisms.py)", t, {
    "body:nut.z": a * t**2 / 2, "body:nut.vz": a * t, "body:nut.wz": a * t / kappa,
    "joint:spindle.translation": a * t**2 / 2, "joint:spindle.fz": f_nut + 0 * t, "joint:spindle.tz": t_nut + 0 * t,
    "body:bar.z": a1 * t**2 / 2 + fall, "body:bar.wz": al1 * t,
    "body:runner.z": a2 * t**2 / 2 + fall, "body:runner.wz": al2 * t,
    "joint:thread.translation": (a2 - a1) * t**2 / 2, "joint:thread.fz": F + 0 * t, "joint:thread.tz": -kappa * F + 0 * t,
    "energy.supplied": M * al2 * t**2 / 2})

# --- gear pair, angle_a = -2 angle_b, moment 0.5 t on wheel a
Ia, Ib, ratio, slope = 0.01, 0.08, -2.0, 0.5
J = Ia + Ib / ratio**2
t = np.linspace(0, 2, 101)
aa, wa, qa = slope * t / J, slope * t**2 / (2 * J), slope * t**3 / (6 * J)
work = slope**2 * t**4 / (8 * J)
check("gear: energy is the work of the moment", 0.5 * Ia * wa**2 + 0.5 * Ib * (wa / ratio) ** 2 - work, 1e-12)
write_reference("gear_pair", "closed form (tools/references/mechanisms.py)", t, {
    "body:pinion.angle": qa, "body:pinion.omega": wa, "body:pinion.alpha": aa,
    "body:wheel.angle": qa / ratio, "body:wheel.omega": wa / ratio, "energy.supplied": work})

# --- coupler: angle_a + angle_b - 2 x / R = 0 with constant loads; Lagrange's multiplier by hand
R = 0.05
masses, loads, c = np.array([0.01, 0.02, 1.0]), np.array([0.3, -0.1, -1.0]), np.array([1.0, 1.0, -2 / R])
lam = (c @ (loads / masses)) / (c @ (c / masses))
acc = (loads - c * lam) / masses
check("coupler: constraint", c @ acc, 1e-10)
check("coupler: power", acc @ (masses * acc) - loads @ acc, 1e-10)
t = np.linspace(0, 1, 101)
write_reference("coupler", "closed form (tools/references/mechanisms.py)", t, {
    "body:wheel_a.angle": acc[0] * t**2 / 2, "body:wheel_b.angle": acc[1] * t**2 / 2, "body:rack.x": 0.5 + acc[2] * t**2 / 2,
    "body:wheel_a.omega": acc[0] * t, "body:wheel_b.omega": acc[1] * t, "body:rack.vx": acc[2] * t,
    "body:rack.ax": acc[2] + 0 * t, "energy.supplied": loads @ acc * t**2 / 2})

# --- Cardan shaft: tan(q2) = cos(b) tan(q1), arms of the first fork across the plane of the shafts at the start
w1, b, I1, I2 = 20.0, np.radians(30), 0.01, 0.02
cb, sb = np.cos(b), np.sin(b)
q2 = lambda t: w1 * t + np.arctan2((cb - 1) * np.tan(w1 * t), 1 + cb * np.tan(w1 * t) ** 2)
w2 = lambda t: w1 * cb / (1 - (sb * np.sin(w1 * t)) ** 2)
al2 = lambda t: w1 * cb * 2 * sb**2 * np.sin(w1 * t) * np.cos(w1 * t) * w1 / (1 - (sb * np.sin(w1 * t)) ** 2) ** 2
t = np.linspace(0, 1, 251)
check_rates("Cardan: speed", q2, w2, t)
check_rates("Cardan: acceleration", w2, al2, t)
arm1 = np.array([0 * t, np.cos(w1 * t), np.sin(w1 * t)])
e = np.array([sb, 0, cb])
arm2 = np.outer(e, np.cos(q2(t))) + np.outer([0, -1, 0], np.sin(q2(t)))
check("Cardan: arms of the cross stay perpendicular", np.sum(arm1 * arm2, axis=0), 1e-13)
M = I2 * w2(t) * al2(t) / w1
kinetic = 0.5 * I1 * w1**2 + 0.5 * I2 * w2(t) ** 2
print(f"  Cardan: output between {w1 * cb:.12g} and {w1 / cb:.12g} rad/s")
write_reference("cardan_shaft", "closed form (tools/references/mechanisms.py)", t, {
    "body:input.wx": w1 + 0 * t, "body:output.wx": w2(t) * cb, "body:output.wy": 0 * t, "body:output.wz": -w2(t) * sb,
    "motion:drive.force": M, "motion:drive.power": M * w1, "energy.kinetic": kinetic, "energy.supplied": kinetic - kinetic[0]})

# --- a sleeve on an inclined bar (cylindrical) and a puck on an inclined plane (planar joint)
t = np.linspace(0, 1, 101)
m, I, slope, moment = 2.0, 0.05, np.radians(30), 0.2
down, normal = np.array([np.cos(slope), 0, -np.sin(slope)]), np.array([np.sin(slope), 0, np.cos(slope)])
travel, turn = G * np.sin(slope) * t**2 / 2, moment / I * t**2 / 2
m2, tilt, up, side, spin = 0.5, np.radians(20), 2.0, 1.0, 5.0
down2, normal2 = np.array([np.cos(tilt), 0, -np.sin(tilt)]), np.array([np.sin(tilt), 0, np.cos(tilt)])
check("axes are unit and perpendicular", [down @ normal, down2 @ normal2, down @ down - 1], 1e-15)
along = -up * t + G * np.sin(tilt) * t**2 / 2
puck = np.outer(along, down2) + np.outer(side * t, [0, 1, 0]) + [0, 2, 0]
puck_v = np.outer(-up + G * np.sin(tilt) * t, down2) + [0, side, 0]
kinetic = 0.5 * m2 * np.sum(puck_v**2, axis=1)
check("puck: energy", kinetic + m2 * G * puck[:, 2] - kinetic[0], 1e-14)
sleeve = np.outer(travel, down)
push, push2 = m * G * np.cos(slope) * normal, m2 * G * np.cos(tilt) * normal2
columns = {"joint:bar.translation": travel, "joint:bar.rotation": turn, "body:puck.y": puck[:, 1], "body:puck.vy": puck_v[:, 1]}
for i, axis in [(0, "x"), (2, "z")]:
    columns |= {f"body:sleeve.{axis}": sleeve[:, i], f"body:sleeve.w{axis}": moment / I * t * down[i], f"joint:bar.f{axis}": push[i] + 0 * t,
                f"body:puck.{axis}": puck[:, i], f"body:puck.v{axis}": puck_v[:, i], f"body:puck.w{axis}": spin * normal2[i] + 0 * t,
                f"joint:table.f{axis}": push2[i] + 0 * t}
columns["energy.supplied"] = moment * turn
write_reference("sleeve_and_puck", "closed form (tools/references/mechanisms.py)", t, columns)

# --- bead on a rotating line
w, r0, m = 2.0, 0.1, 0.2
t = np.linspace(0, 2, 101)
r, v = r0 * np.cosh(w * t), r0 * w * np.sinh(w * t)
c, s = np.cos(w * t), np.sin(w * t)
check_rates("bead: rate", lambda x: r0 * np.cosh(w * x), lambda x: r0 * w * np.sinh(w * x), t)
work = m * w**2 * (r**2 - r0**2)
kinetic = 0.5 * m * (v**2 + (w * r) ** 2)
check("bead: energy is the work of the drive", kinetic - kinetic[0] - work, 1e-14)
push = 2 * m * w * v
write_reference("bead_on_line", "closed form (tools/references/mechanisms.py)", t, {
    "body:bead.x": r * c, "body:bead.y": r * s, "body:bead.vx": v * c - w * r * s, "body:bead.vy": v * s + w * r * c,
    "joint:wire.translation": r, "joint:wire.fx": -push * s, "joint:wire.fy": push * c,
    "motion:drive.force": push * r, "energy.supplied": work})

# --- conical pendulum on a rigid link
l, tilt, m = 1.0, np.radians(30), 1.0
W, R, T = np.sqrt(G / (l * np.cos(tilt))), l * np.sin(tilt), m * G / np.cos(tilt)
t = np.linspace(0, 10, 201)
c, s = np.cos(W * t), np.sin(W * t)
check("conical pendulum: tension gives the centripetal force", T * np.sin(tilt) - m * W**2 * R, 1e-14)
print(f"  conical pendulum: {W:.15g} rad/s, period {2 * np.pi / W:.15g} s, tension {T:.15g} N")
write_reference("conical_pendulum", "closed form (tools/references/mechanisms.py)", t, {
    "body:bob.x": R * c, "body:bob.y": R * s, "body:bob.z": -l * np.cos(tilt) + 0 * t, "body:bob.vx": -R * W * s, "body:bob.vy": R * W * c,
    "joint:link.fx": -T * np.sin(tilt) * c, "joint:link.fy": -T * np.sin(tilt) * s, "joint:link.fz": m * G + 0 * t})

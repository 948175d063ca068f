"""Andrews' squeezing mechanism in the seven angles of the published formulation (index-1 form, projected).

q = (beta, Theta, gamma, Phi, delta, Omega, epsilon), mass matrix, forces and loop equations as printed by
Hairer & Wanner, Solving Ordinary Differential Equations II, section VII.7, and the IVP test set. Integrated here with
an eighth-order Runge-Kutta method and compared with the published end values; the columns are then the positions and
angles of the seven bodies.
"""
import numpy as np
from scipy.integrate import solve_ivp

from common import check, write_reference

m1, m2, m3, m4, m5, m6, m7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
i1, i2, i3, i4, i5, i6, i7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
xa, ya, xb, yb, xc, yc, c0 = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072, 4530.0
d, da, e, ea, rr, ra, l0 = 28e-3, 115e-4, 2e-2, 1421e-5, 7e-3, 92e-5, 7785e-5
ss, sa, sb, sc, sd, ta, tb = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2, 2308e-5, 916e-5
u, ua, ub, zf, zt, fa, mom = 4e-2, 1228e-5, 449e-5, 2e-2, 4e-2, 1421e-5, 33e-3

START = np.array([-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
                  0.222668390165885884674473185609, 0.487364979543842550225598953530,
                  -0.222668390165885884674473185609, 1.23054744454982119249735015568])
PUBLISHED_END = np.array([15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                          0.5244099658805304, 0.5347301163226948, 1.048080741042263])


def mass_and_force(q, v):
    be, th, ga, ph, de, om, ep = q
    bep, thp, gap, php, dep, omp, epp = v
    M = np.zeros((7, 7))
    M[0, 0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * np.cos(th) + da**2) + i1 + i2
    M[0, 1] = M[1, 0] = m2 * (da**2 - da * rr * np.cos(th)) + i2
    M[1, 1] = m2 * da**2 + i2
    M[2, 2] = m3 * (sa**2 + sb**2) + i3
    M[3, 3] = m4 * (e - ea) ** 2 + i4
    M[3, 4] = M[4, 3] = m4 * ((e - ea) ** 2 + zt * (e - ea) * np.sin(ph)) + i4
    M[4, 4] = m4 * (zt**2 + 2 * zt * (e - ea) * np.sin(ph) + (e - ea) ** 2) + m5 * (ta**2 + tb**2) + i4 + i5
    M[5, 5] = m6 * (zf - fa) ** 2 + i6
    M[5, 6] = M[6, 5] = m6 * ((zf - fa) ** 2 - u * (zf - fa) * np.sin(om)) + i6
    M[6, 6] = m6 * ((zf - fa) ** 2 - 2 * u * (zf - fa) * np.sin(om) + u**2) + m7 * (ua**2 + ub**2) + i6 + i7
    xd = sd * np.cos(ga) + sc * np.sin(ga) + xb
    yd = sd * np.sin(ga) - sc * np.cos(ga) + yb
    length = np.hypot(xd - xc, yd - yc)
    spring = -c0 * (length - l0) / length
    fx, fy = spring * (xd - xc), spring * (yd - yc)
    f = np.array([
        mom - m2 * da * rr * thp * (thp + 2 * bep) * np.sin(th),
        m2 * da * rr * bep**2 * np.sin(th),
        fx * (sc * np.cos(ga) - sd * np.sin(ga)) + fy * (sd * np.cos(ga) + sc * np.sin(ga)),
        m4 * zt * (e - ea) * dep**2 * np.cos(ph),
        -m4 * zt * (e - ea) * php * (php + 2 * dep) * np.cos(ph),
        -m6 * u * (zf - fa) * epp**2 * np.cos(om),
        m6 * u * (zf - fa) * omp * (omp + 2 * epp) * np.cos(om)])
    return M, f, 0.5 * c0 * (length - l0) ** 2


def loops(q):
    be, th, ga, ph, de, om, ep = q
    ex = rr * np.cos(be) - d * np.cos(be + th)
    ey = rr * np.sin(be) - d * np.sin(be + th)
    return np.array([ex - ss * np.sin(ga) - xb, ey + ss * np.cos(ga) - yb,
                     ex - e * np.sin(ph + de) - zt * np.cos(de) - xa, ey + e * np.cos(ph + de) - zt * np.sin(de) - ya,
                     ex - zf * np.cos(om + ep) - u * np.sin(ep) - xa, ey - zf * np.sin(om + ep) + u * np.cos(ep) - ya])


def loop_rates(q, v):
    """Jacobian G of the loops and -dG/dt v."""
    be, th, ga, ph, de, om, ep = q
    bep, thp, gap, php, dep, omp, epp = v
    G = np.zeros((6, 7))
    exb, exbt = -rr * np.sin(be), d * np.sin(be + th)
    eyb, eybt = rr * np.cos(be), -d * np.cos(be + th)
    G[0::2, 0], G[0::2, 1] = exb + exbt, exbt
    G[1::2, 0], G[1::2, 1] = eyb + eybt, eybt
    G[0, 2], G[1, 2] = -ss * np.cos(ga), -ss * np.sin(ga)
    G[2, 3], G[3, 3] = -e * np.cos(ph + de), -e * np.sin(ph + de)
    G[2, 4], G[3, 4] = G[2, 3] + zt * np.sin(de), G[3, 3] - zt * np.cos(de)
    G[4, 5], G[5, 5] = zf * np.sin(om + ep), -zf * np.cos(om + ep)
    G[4, 6], G[5, 6] = G[4, 5] - u * np.cos(ep), G[5, 5] - u * np.sin(ep)
    ax = -rr * np.cos(be) * bep**2 + d * np.cos(be + th) * (bep + thp) ** 2
    ay = -rr * np.sin(be) * bep**2 + d * np.sin(be + th) * (bep + thp) ** 2
    bias = np.array([ax + ss * np.sin(ga) * gap**2, ay - ss * np.cos(ga) * gap**2,
                     ax + e * np.sin(ph + de) * (php + dep) ** 2 + zt * np.cos(de) * dep**2,
                     ay - e * np.cos(ph + de) * (php + dep) ** 2 + zt * np.sin(de) * dep**2,
                     ax + zf * np.cos(om + ep) * (omp + epp) ** 2 + u * np.sin(ep) * epp**2,
                     ay + zf * np.sin(om + ep) * (omp + epp) ** 2 - u * np.cos(ep) * epp**2])
    return G, -bias


def right_hand_side(t, y):
    q, v = y[:7], y[7:]
    M, f, _ = mass_and_force(q, v)
    G, gamma = loop_rates(q, v)
    system = np.block([[M, G.T], [G, np.zeros((6, 6))]])
    return np.concatenate([v, np.linalg.solve(system, np.concatenate([f, gamma]))[:7]])


def project(y):
    q, v = y[:7].copy(), y[7:].copy()
    for _ in range(3):
        q -= np.linalg.lstsq(loop_rates(q, v)[0], loops(q), rcond=None)[0]
    G = loop_rates(q, v)[0]
    v -= np.linalg.lstsq(G, G @ v, rcond=None)[0]
    return np.concatenate([q, v])


check("start angles close the loops", loops(START), 1e-15)
rng = np.random.default_rng(1)
q, v = START + 0.01 * rng.standard_normal(7), rng.standard_normal(7)
step = 1e-6
numeric = (loops(q + step * v) - loops(q - step * v)) / (2 * step)
check("loop Jacobian against a finite difference", loop_rates(q, v)[0] @ v - numeric, 1e-9)
numeric = (loop_rates(q + step * v, v)[0] - loop_rates(q - step * v, v)[0]) @ v / (2 * step)
check("loop bias against a finite difference", loop_rates(q, v)[1] + numeric, 1e-9)

t = np.linspace(0, 0.03, 61)
states = [np.concatenate([START, np.zeros(7)])]
for a, b in zip(t[:-1], t[1:]):
    run = solve_ivp(right_hand_side, (a, b), states[-1], method="DOP853", rtol=1e-12, atol=1e-12)
    states.append(project(run.y[:, -1]))
states = np.array(states)
check("end angles against the published values", states[-1, :7] - PUBLISHED_END, 1e-8)
energies = []
for y in states:
    M, _, potential = mass_and_force(y[:7], y[7:])
    energies.append(0.5 * y[7:] @ M @ y[7:] + potential - mom * (y[0] - START[0]))
check("energy balance (moment times crank angle supplied)", (np.array(energies) - energies[0]) / max(energies), 1e-9)

be, th, ga, ph, de, om, ep = states[:, :7].T
angles = [be, be + th, ga, ph + de, de, om + ep, ep]
rates = [states[:, 7], states[:, 7] + states[:, 8], states[:, 9], states[:, 10] + states[:, 11], states[:, 11],
         states[:, 12] + states[:, 13], states[:, 13]]
fx_, fy_ = rr * np.cos(be), rr * np.sin(be)
centres = [(ra * np.cos(be), ra * np.sin(be)),
           (fx_ - da * np.cos(be + th), fy_ - da * np.sin(be + th)),
           (xb + sa * np.sin(ga) + sb * np.cos(ga), yb - sa * np.cos(ga) + sb * np.sin(ga)),
           (xa + zt * np.cos(de) + (e - ea) * np.sin(ph + de), ya + zt * np.sin(de) - (e - ea) * np.cos(ph + de)),
           (xa + ta * np.cos(de) - tb * np.sin(de), ya + ta * np.sin(de) + tb * np.cos(de)),
           (xa + u * np.sin(ep) + (zf - fa) * np.cos(om + ep), ya - u * np.cos(ep) + (zf - fa) * np.sin(om + ep)),
           (xa + ua * np.sin(ep) - ub * np.cos(ep), ya - ua * np.cos(ep) - ub * np.sin(ep))]
columns = {}
for n in range(7):
    columns |= {f"body:K{n + 1}.x": centres[n][0], f"body:K{n + 1}.y": centres[n][1],
                f"body:K{n + 1}.angle": angles[n], f"body:K{n + 1}.omega": rates[n]}
# Published end angles in place of the computed ones, in the last row.
PB = PUBLISHED_END
for n, value in enumerate([PB[0], PB[0] + PB[1], PB[2], PB[3] + PB[4], PB[4], PB[5] + PB[6], PB[6]]):
    columns[f"body:K{n + 1}.angle"] = np.append(columns[f"body:K{n + 1}.angle"][:-1], value)
write_reference("andrews_squeezer", "published formulation in seven angles, integrated to 1e-12 (tools/references/andrews_squeezer.py);\n"
                "the angles of the last row are the reference of the IVP test set", t, columns)

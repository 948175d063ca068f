"""Sliding and spinning that share one friction (Coulomb-Contensou with an elliptic limit): a disc that cannot tilt, and a ball that starts to roll.

With s^2 = u^2 + (c w)^2, c = gamma/mu: u' = -mu g a u/s and w' = -mu g k w/s, a = 1 + m r^2/I_roll (1 for the disc), k = m c^2/I. In the time
dT = dt/s both decay exponentially, so t(T) is a quadrature; u and w reach zero together.
"""
from math import exp, hypot

from plain import bisect, check, grid, rk4, write_table

mass, gravity, mu, gamma, radius = 1, 9.81, 0.3, 0.01, 0.05
c = gamma / mu
start, spin = 1.0, 60.0


def tables(a, k):
    """Functions of T: slip and spin, and of the time: T; and the instant at which everything stops."""
    slip = lambda T: start * exp(-mu * gravity * a * T)
    turn = lambda T: spin * exp(-mu * gravity * k * T)
    rate = lambda T: hypot(slip(T), c * turn(T))
    n, step = 200000, 1e-4
    times = [0.0]
    for i in range(n):
        T = i * step
        times.append(times[-1] + step / 6 * (rate(T) + 4 * rate(T + step / 2) + rate(T + step)))

    def find(t):
        low, high = 0, n
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if times[middle] <= t else (low, middle)
        # Inside the interval the rate is nearly constant: Newton's iteration.
        T = low * step
        for _ in range(20):
            d = T - low * step
            value = times[low] + d / 6 * (rate(low * step) + 4 * rate(low * step + d / 2) + rate(T))
            T += (t - value) / rate(T)
        return T

    return slip, turn, find, times[-1]


for name, a, inertia in (("disc", 1, 1.25e-3), ("ball", 3.5, 0.4 * mass * radius**2)):
    k = mass * c * c / inertia
    slip, turn, find, end = tables(a, k)
    print(f"{name}: stops sliding and spinning at {end:.6f} s; without coupling sliding at {start / (mu * gravity * a):.5f} s, spinning at {spin * inertia / (gamma * mass * gravity):.5f} s")
    # Check by integration of the equations themselves up to 0.3 s.
    y, h = [start, spin], 1e-4
    for i in range(3000):
        y = rk4(lambda t, y: [-mu * gravity * a * y[0] / hypot(y[0], c * y[1]), -mu * gravity * k * y[1] / hypot(y[0], c * y[1])], y, 0, h)
    check("quadrature against integration", max(abs(y[0] - slip(find(0.3))), abs(y[1] - turn(find(0.3)))), 1e-8)
    rows = []
    for t in grid(0.01, 1):
        u, w = (slip(find(t)), turn(find(t))) if t < end - 1e-9 else (0, 0)
        # Friction slows the motion by 1/a of what it takes from the slip; the rest turns the ball.
        v = start - (start - u) / a
        rows.append([t, v, (v - u) / radius, w])
    if name == "ball":
        check("rolls off with 5/7 of its speed", rows[-1][1] - 5 / 7, 1e-12)
    write_table("coupled_spinning", f"reference_{name}.csv", "quadrature (tools/references/coupled_spinning.py)", ["time", "body:ball.vx", "body:ball.wy", "body:ball.wz"], rows)

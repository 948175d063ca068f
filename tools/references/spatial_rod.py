"""The spatial rod of Reissner and Simo under a dead force, integrated along its length. For bend_45, right_angle_frame and princeton_beam, which shoot for the moment at the root.

State: position 3, rotation 9 by rows, moment 3 in world axes, strain energy. x of the section runs along the rod.
"""

START = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]    # at the origin, along x


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def apply(r, a, transposed=False):
    return [sum((r[3 * j + i] if transposed else r[3 * i + j]) * a[j] for j in range(3)) for i in range(3)]


class Rod:
    def __init__(self, ea, ga, gj, eiy, eiz, curvature=0.0):
        """Stiffnesses; `curvature` about z of the unloaded rod."""
        self.ea, self.ga, self.gj, self.eiy, self.eiz, self.curvature = ea, ga, gj, eiy, eiz, curvature

    def rate(self, y, force):
        r, m = y[3:12], y[12:15]
        n, k = apply(r, force, True), apply(r, m, True)
        gamma = [n[0] / self.ea, n[1] / self.ga, n[2] / self.ga]
        kappa = [k[0] / self.gj, k[1] / self.eiy, k[2] / self.eiz]
        along = apply(r, [1 + gamma[0], gamma[1], gamma[2]])
        bent = [kappa[0], kappa[1], kappa[2] + self.curvature]
        turn = []
        for i in range(3):
            turn += [-c for c in cross(bent, r[3 * i:3 * i + 3])]       # rows of R hat(kappa)
        energy = 0.5 * (sum(a * b for a, b in zip(gamma, n)) + sum(a * b for a, b in zip(kappa, k)))
        return along + turn + [-c for c in cross(along, force)] + [energy]

    def advance(self, y, force, length, steps):
        """By the classical Runge-Kutta scheme."""
        h = length / steps
        for _ in range(steps):
            k1 = self.rate(y, force)
            k2 = self.rate([a + h / 2 * b for a, b in zip(y, k1)], force)
            k3 = self.rate([a + h / 2 * b for a, b in zip(y, k2)], force)
            k4 = self.rate([a + h * b for a, b in zip(y, k3)], force)
            y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
        return y

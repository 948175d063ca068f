#!/usr/bin/env python3
"""Writes the meshes of examples/parts: a bracket and a nut, in millimetres, as binary STL."""
import math
import pathlib
import struct

folder = pathlib.Path(__file__).resolve().parents[2] / "examples" / "parts"


def write_stl(name, triangles):
    data = bytearray(f"{name}, mm, by tools/references/part_meshes.py".encode().ljust(80))
    data += struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<3f", 0, 0, 0)
        for corner in triangle:
            data += struct.pack("<3f", *corner)
        data += struct.pack("<H", 0)
    (folder / name).write_bytes(data)


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def bracket(size=40, arm=12, height=16):
    """An L of two arms about its mass centre; its outline is cut into two rectangles."""
    centre = (size * arm * size / 2 + (size - arm) * arm * arm / 2) / ((2 * size - arm) * arm)
    outline = [(0, 0), (size, 0), (size, arm), (arm, arm), (arm, size), (0, size)]
    low = [(x - centre, y - centre, -height / 2) for x, y in outline]
    high = [(x - centre, y - centre, height / 2) for x, y in outline]
    triangles = []
    for a, b, c, d in ((0, 1, 2, 3), (0, 3, 4, 5)):
        triangles += quad(high[a], high[b], high[c], high[d]) + quad(low[d], low[c], low[b], low[a])
    for k in range(6):
        n = (k + 1) % 6
        triangles += quad(low[k], low[n], high[n], high[k])
    return triangles


def nut(width=30, hole=9, height=14, sides=24):
    """A hexagon with a round hole."""
    def ring(radius, z):
        return [(radius(2 * math.pi * k / sides) * math.cos(2 * math.pi * k / sides),
                 radius(2 * math.pi * k / sides) * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]

    def hexagon(angle):
        return width / 2 / math.cos(math.remainder(angle, math.pi / 3))

    outer = [ring(hexagon, z) for z in (-height / 2, height / 2)]
    inner = [ring(lambda _: hole, z) for z in (-height / 2, height / 2)]
    triangles = []
    for k in range(sides):
        n = (k + 1) % sides
        triangles += quad(outer[0][k], outer[0][n], outer[1][n], outer[1][k])
        triangles += quad(inner[0][n], inner[0][k], inner[1][k], inner[1][n])
        triangles += quad(outer[1][k], outer[1][n], inner[1][n], inner[1][k])
        triangles += quad(outer[0][n], outer[0][k], inner[0][k], inner[0][n])
    return triangles


folder.mkdir(exist_ok=True)
write_stl("bracket.stl", bracket())
write_stl("nut.stl", nut())

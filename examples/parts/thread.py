#!/usr/bin/env python3
"""Writes a bolt and a nut with an ISO metric thread as STL or PLY files, in mm: the basic profile of ISO 68-1 along a helix.

  thread.py FOLDER [--diameter 10] [--pitch 1.5] [--clearance 0.05] [--segments 96] [--turns 10] [--format stl]

The nut's thread is wider than the bolt's by the clearance, a radius. Both have their axes along z; bolt_thread.stl begins at
z = 0, nut_thread.stl at z = 0, too, in the same phase: raised by a whole number of pitches the nut is on the bolt, in the
middle of its play.
"""
import argparse
import math
import os
import struct


def profile(diameter, pitch):
    """(height over the begin of a crest, radius) of the corners in one pitch: crest, flank, root, flank."""
    depth = 5 / 8 * math.sqrt(3) / 2 * pitch
    major = diameter / 2
    return [(0, major), (pitch / 8, major), (7 / 16 * pitch, major - depth), (11 / 16 * pitch, major - depth)]


class Thread:
    """Corners of a helical surface, by columns around the axis; the one after the last is the first, a pitch higher."""

    def __init__(self, corners, pitch, segments, turns):
        self.points, self.triangles = [], []
        self.corners, self.segments, self.rows = len(corners), segments, turns * len(corners)
        for column in range(segments):
            angle = 2 * math.pi * column / segments
            for row in range(self.rows + 1 + (self.corners if column == 0 else 0)):
                z, radius = corners[row % self.corners]
                z += pitch * (row // self.corners + column / segments)
                self.points.append((radius * math.cos(angle), radius * math.sin(angle), z))

    def at(self, column, row):
        if column == self.segments:
            column, row = 0, row + self.corners
        return row if column == 0 else self.rows + 1 + self.corners + (column - 1) * (self.rows + 1) + row

    def add(self, *corners):
        self.triangles.append(corners)

    def skin(self, outward):
        for column in range(self.segments):
            for row in range(self.rows):
                a, b = self.at(column, row), self.at(column + 1, row)
                c, d = self.at(column + 1, row + 1), self.at(column, row + 1)
                for t in ((a, b, c), (a, c, d)):
                    self.add(*(t if outward else t[::-1]))

    def rim(self, row):
        """The line around one end: once around the axis, then along the step from turn to turn."""
        around = [(self.at(column, row), column) for column in range(self.segments + 1)]
        return around + [(self.at(0, row + k), 0) for k in range(self.corners - 1, 0, -1)]

    def point(self, *xyz):
        self.points.append(xyz)
        return len(self.points) - 1


def make_bolt(corners, pitch, segments, turns):
    thread = Thread(corners, pitch, segments, turns)
    thread.skin(outward=True)
    for row, upward in ((0, False), (thread.rows, True)):
        centre = thread.point(0, 0, pitch * (row // len(corners) + 0.5))
        rim = [corner for corner, _ in thread.rim(row)]
        for k, corner in enumerate(rim):
            following = rim[(k + 1) % len(rim)]
            thread.add(centre, *((corner, following) if upward else (following, corner)))
    return thread


def make_nut(corners, pitch, segments, turns, across):
    thread = Thread(corners, pitch, segments, turns)
    thread.skin(outward=False)
    height = (turns + 1) * pitch
    outer = []
    for column in range(segments):
        angle = 2 * math.pi * column / segments
        radius = across / 2 / math.cos(angle % (math.pi / 3) - math.pi / 6)
        outer.append([thread.point(radius * math.cos(angle), radius * math.sin(angle), z) for z in (0, height)])
    for column in range(segments):
        one, two = outer[column], outer[(column + 1) % segments]
        thread.add(one[0], two[0], two[1])
        thread.add(one[0], two[1], one[1])
    for row, end in ((0, 0), (thread.rows, 1)):
        rim = thread.rim(row)
        for k, (corner, column) in enumerate(rim):
            following, next_column = rim[(k + 1) % len(rim)]
            here, there = outer[column % segments][end], outer[next_column % segments][end]
            faces = [(corner, here, following)]
            if here != there:
                faces.append((here, there, following))
            for face in faces:
                thread.add(*(face if end == 1 else face[::-1]))
    return thread


def write_ply(path, thread):
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(thread.points)}"]
    header += [f"property float {axis}" for axis in "xyz"]
    header += [f"element face {len(thread.triangles)}", "property list uchar int vertex_indices", "end_header"]
    with open(path, "wb") as file:
        file.write(("\n".join(header) + "\n").encode())
        for point in thread.points:
            file.write(struct.pack("<3f", *point))
        for triangle in thread.triangles:
            file.write(struct.pack("<B3i", 3, *triangle))


def write_stl(path, thread):
    with open(path, "wb") as file:
        file.write(b"thread".ljust(80, b" "))
        file.write(struct.pack("<I", len(thread.triangles)))
        for triangle in thread.triangles:
            numbers = [0.0] * 3 + [x for corner in triangle for x in thread.points[corner]]
            file.write(struct.pack("<12fH", *numbers, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--diameter", type=float, default=10)
    parser.add_argument("--pitch", type=float, default=1.5)
    parser.add_argument("--clearance", type=float, default=0.05, help="radial, mm")
    parser.add_argument("--segments", type=int, default=96, help="flat sides per turn, a multiple of 6")
    parser.add_argument("--turns", type=int, default=10, help="of the bolt")
    parser.add_argument("--nut-turns", type=int, default=4)
    parser.add_argument("--across", type=float, default=17, help="flats of the nut, mm")
    parser.add_argument("--format", choices=["stl", "ply"], default="stl")
    given = parser.parse_args()
    corners = profile(given.diameter, given.pitch)
    wide = [(z, radius + given.clearance) for z, radius in corners]
    os.makedirs(given.folder, exist_ok=True)
    write = write_ply if given.format == "ply" else write_stl
    for name, thread in (("bolt", make_bolt(corners, given.pitch, given.segments, given.turns)),
                         ("nut", make_nut(wide, given.pitch, given.segments, given.nut_turns, given.across))):
        write(os.path.join(given.folder, f"{name}_thread.{given.format}"), thread)


if __name__ == "__main__":
    main()

#pragma once

#include "meshes.h"

// Screw threads as closed surfaces: rows of points along helices, which meet after a turn the row one pitch above.
namespace carom {

struct Thread {
  double pitch = 1.5e-3;       // m
  double crest = 0, root = 0;  // m, radii of the outermost and innermost surface
  double width = 0;            // m, at the crest, of the ridge of a bolt or of the groove of a nut
  double widest = 0;           // m, the same at the root
  int turns = 6, around = 48;  // along the axis; points per turn
};

// Medium fit of ISO 965 for M10: bolt 6g, nut 6H, in the middle of their tolerances.
inline Thread m10_bolt(int turns, int around) {
  const double flank = std::tan(M_PI / 6), middle = 8.93e-3 / 2, pitch = 1.5e-3, crest = 9.85e-3 / 2,
               root = 8.05e-3 / 2;
  return {pitch, crest, root, pitch / 2 - 2 * (crest - middle) * flank, pitch / 2 + 2 * (middle - root) * flank,
          turns, around};
}
inline Thread m10_nut(int turns, int around) {
  const double flank = std::tan(M_PI / 6), middle = 9.12e-3 / 2, pitch = 1.5e-3, crest = 10.1e-3 / 2,
               root = 8.53e-3 / 2;
  return {pitch, crest, root, pitch / 2 - 2 * (crest - middle) * flank, pitch / 2 + 2 * (middle - root) * flank,
          turns, around};
}

// The threaded part of a surface about z from flat rings at its ends, where the thread runs out at the radius `end`.
// Returns the numbers of the points of both rings. Seen from outside counter-clockwise; a nut turns them round.
inline std::pair<std::vector<int>, std::vector<int>> add_thread(const Thread& thread, double end, bool external,
                                                                TriangleSoup& soup) {
  const int around = thread.around, corners = 4, rows = corners * (thread.turns - 1) + 1;
  const double half_crest = thread.width / 2, half_root = thread.widest / 2;
  // Heights in a pitch and radii of the four corners of the profile.
  const double height[4] = {-half_root, -half_crest, half_crest, half_root};
  const auto radius = [&](int corner) { return corner == 1 || corner == 2 ? thread.crest : thread.root; };
  std::vector<std::vector<int>> number(rows);
  const auto add = [&](double r, double angle, double z) {
    soup.points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    return static_cast<int>(soup.points.size()) - 1;
  };
  // Row k at angle 2π is row k + 4 at angle 0. The first and the last pitch run out.
  const double last = (thread.turns - 1) * thread.pitch;
  for (int k = 0; k < rows; ++k) {
    for (int i = 0; i < around; ++i) {
      const double part = static_cast<double>(i) / around;
      const double along = (k / corners + part) * thread.pitch;
      const double fade = std::min({1.0, along / thread.pitch, (last - along) / thread.pitch});
      const double r = end + std::max(0.0, fade) * (radius(k % corners) - end);
      const bool at_end = k == 0 || k == rows - 1;
      number[k].push_back(add(at_end ? end : r, 2 * M_PI * part, along + height[k % corners] + thread.pitch));
    }
  }
  const auto at = [&](int k, int i) { return i < around ? number[k][i] : number[k + corners][i - around]; };
  const auto triangle = [&](int a, int b, int c) {
    if (external)
      soup.triangles.push_back({a, b, c});
    else
      soup.triangles.push_back({a, c, b});
  };
  for (int k = 0; k + 1 < rows; ++k) {
    for (int i = 0; i < around; ++i) {
      if (i + 1 == around && k + 1 + corners >= rows) continue;
      triangle(at(k, i), at(k, i + 1), at(k + 1, i + 1));
      triangle(at(k, i), at(k + 1, i + 1), at(k + 1, i));
    }
  }
  std::vector<int> low, high;
  const double top = last + 2.2 * thread.pitch;
  for (int i = 0; i < around; ++i) low.push_back(add(end, 2 * M_PI * i / around, 0));
  for (int i = 0; i < around; ++i) high.push_back(add(end, 2 * M_PI * i / around, top));
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    if (i + 1 < around) {
      triangle(low[i], low[next], at(0, next)), triangle(low[i], at(0, next), at(0, i));
    } else {  // the step of the helix
      triangle(low[i], low[next], at(0, i)), triangle(at(0, i), low[next], number[0][0]);
      for (int k = 0; k < corners; ++k) triangle(at(0, i), number[k][0], number[k + 1][0]);
    }
  }
  const int upper = rows - 1;
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    if (i + 1 < around) {
      triangle(number[upper][i], number[upper][next], high[next]), triangle(number[upper][i], high[next], high[i]);
    } else {
      // From the last column of the upper rows to the first column one pitch lower.
      for (int k = upper - corners; k < upper; ++k) triangle(number[upper][0], number[k + 1][i], number[k][i]);
      triangle(number[upper][0], high[next], number[upper][i]), triangle(number[upper][i], high[next], high[i]);
    }
  }
  return {low, high};
}

inline TriangleSoup threaded_bolt(int turns, int around) {
  TriangleSoup soup;
  const Thread thread = m10_bolt(turns, around);
  const auto [low, high] = add_thread(thread, thread.root, true, soup);
  const int bottom = static_cast<int>(soup.points.size());
  soup.points.emplace_back(0, 0, 0);
  soup.points.emplace_back(0, 0, soup.points[high[0]].z());
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    soup.triangles.push_back({bottom, low[next], low[i]});
    soup.triangles.push_back({bottom + 1, high[i], high[next]});
  }
  return soup;
}

// `around` is a multiple of 12.
inline TriangleSoup threaded_nut(int turns, int around, double width = 16e-3) {
  TriangleSoup soup;
  const Thread thread = m10_nut(turns, around);
  const auto [low, high] = add_thread(thread, thread.crest, false, soup);
  std::vector<int> rims[2];
  for (const int end : {0, 1}) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * M_PI * i / around, off = std::remainder(angle, M_PI / 3);
      const double r = width / 2 / std::cos(off);
      rims[end].push_back(static_cast<int>(soup.points.size()));
      soup.points.emplace_back(r * std::cos(angle), r * std::sin(angle), soup.points[(end == 0 ? low : high)[0]].z());
    }
  }
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    soup.triangles.push_back({rims[0][i], rims[0][next], rims[1][next]});
    soup.triangles.push_back({rims[0][i], rims[1][next], rims[1][i]});
    soup.triangles.push_back({low[i], low[next], rims[0][next]});
    soup.triangles.push_back({low[i], rims[0][next], rims[0][i]});
    soup.triangles.push_back({high[i], rims[1][next], high[next]});
    soup.triangles.push_back({high[i], rims[1][i], rims[1][next]});
  }
  return soup;
}

}  // namespace carom

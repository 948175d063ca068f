// Writes a result of spheres that sway and spin, for the measurements of the viewer:
//   sphere_result BODIES SPHERES SAMPLES FILE
// so many bodies with so many spheres each. A run would take long and show nothing else.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "recording/result_writer.h"

namespace {

constexpr double spacing = 0.3;  // m

// The k-th place of a cube with room for `count` places.
struct Lattice {
  explicit Lattice(long count) : side(static_cast<long>(std::ceil(std::cbrt(static_cast<double>(count)) - 1e-9))) {}
  std::array<double, 3> place(long k, double step) const {
    return {step * static_cast<double>(k % side), step * static_cast<double>(k / side % side),
            step * static_cast<double>(k / side / side)};
  }
  long side;
};

std::string model_of(long bodies, long spheres) {
  std::string text = "[model]\nname = \"" + std::to_string(bodies * spheres) + " spheres\"\ngravity = [0, 0, -9.81]\n" +
                     "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [0.004, 0.004, 0.004]\n";
  for (long k = 0; k < spheres; ++k) {
    const auto [x, y, z] = Lattice(spheres).place(k, spacing);
    text += "[[body.geometry]]\nshape = \"sphere\"\nradius = 0.1\nposition = [" + std::to_string(x) + ", " +
            std::to_string(y) + ", " + std::to_string(z) + "]\n";
  }
  const std::string side = std::to_string(Lattice(bodies).side);
  return text + "[body.grid]\ncount = [" + side + ", " + side + ", " + side + "]\ntotal = " + std::to_string(bodies) +
         "\nspacing = [1, 1, 1]\n";
}

}  // namespace

int main(int count_of_words, char** words) {
  if (count_of_words != 5) {
    std::fprintf(stderr, "usage: sphere_result BODIES SPHERES SAMPLES FILE\n");
    return 2;
  }
  const long bodies = std::atol(words[1]), spheres = std::atol(words[2]), samples = std::atol(words[3]);
  const double step = spacing * static_cast<double>(Lattice(spheres).side);
  carom::ResultHeader header{.model_text = model_of(bodies, spheres),
                             .model_file = "spheres.toml",
                             .settings_json = "{}",
                             .version = "measurement"};
  for (long k = 0; k < bodies; ++k) {
    carom::ChannelGroup& group =
        header.groups.emplace_back(carom::ChannelGroup{"body:ball" + std::to_string(k + 1), {}});
    for (const char* name : {"x", "y", "z"}) group.components.push_back({name, "m", "position"});
    for (const char* name : {"qw", "qx", "qy", "qz"}) group.components.push_back({name, "1", "orientation"});
  }
  carom::ResultWriter writer(words[4], header);
  std::vector<double> values(static_cast<std::size_t>(7 * bodies));
  for (long i = 0; i < samples; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    for (long k = 0; k < bodies; ++k) {
      const auto [x, y, z] = Lattice(bodies).place(k, step);
      const double sway = 0.05 * std::sin(3 * t + x), half = 0.2 * std::sin(t * (1 + static_cast<double>(k % 5)));
      const double row[] = {x, y + sway, z, std::cos(half), 0, std::sin(half), 0};
      std::copy(std::begin(row), std::end(row), values.begin() + 7 * k);
    }
    writer.append(t, values);
  }
  writer.finish("{}", "complete");
  return 0;
}

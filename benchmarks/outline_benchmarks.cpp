// What one look at the contacts of planar outlines costs.
#include <benchmark/benchmark.h>

#include <cmath>

#include "contact_geometry/outline_shape.h"

namespace {

using namespace carom;

Shape<2> gear(double teeth) {
  Settings settings;
  settings.set("module", 2e-3);
  settings.set("teeth", teeth);
  settings.set("backlash", 1e-4);
  Shape<2> shape;
  const ShapeDescription<2>* kind = find_shape<2>("gear");
  shape.kind = kind->kind;
  kind->take(settings, shape);
  return shape;
}

// Full gears in mesh, turned a little from look to look as a run does.
void gears(benchmark::State& state) {
  const auto teeth = static_cast<double>(state.range(0));
  const Shape<2> a = gear(teeth), b = gear(teeth);
  const PairDescription<2>& pair = *find_pair<2>(a.kind, b.kind);
  BodyState<2> body_a, body_b;
  body_b.position = {2e-3 * teeth, 0};
  std::vector<double> memory(2, 0.0);
  ContactManifold<2> manifold{most_outline_points};
  double angle = 0, points = 0;
  for (auto _ : state) {
    body_a.orientation = Rotation<2>(angle);
    body_b.orientation = Rotation<2>(M_PI + M_PI / teeth - angle);
    angle += 1e-3;
    manifold.clear();
    pair.write(a, b, body_a, body_b, manifold, memory.data());
    points += manifold.size();
  }
  state.counters["points"] = points / static_cast<double>(state.iterations());
}
BENCHMARK(gears)->Name("contact/gears of so many teeth")->Arg(20)->Arg(60)->Arg(180)->Unit(benchmark::kMicrosecond);

}  // namespace

#include <carom/carom.h>

#include <cstdio>

int main() {
  carom::Model model("Pendulum");
  model.planar().gravity({0, -9.81});
  model.body("rod").mass("1 kg").inertia("=1/12").position({0.5, 0});
  model.joint("pivot", "revolute").between("ground", "rod").at({0, 0});
  model.solver().end(2).tolerance(1e-10);

  carom::Result result = carom::simulate(model, "pendulum.h5");
  const auto times = result.times(), angle = result.column("body:rod.angle");
  for (std::size_t k = 0; k < times.size(); k += 250) std::printf("%5.2f s  %8.4f rad\n", times[k], angle[k]);
}

// A crane trolley with a swinging load, built, checked, run and evaluated in C++.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <carom/carom.h>

namespace {

carom::Model crane() {
  carom::Model model("Crane trolley with a swinging load");
  model.planar().gravity({0, -9.81});
  model.parameter("rope", "4 m").parameter("travel", "3 m").parameter("time", "5 s");

  model.body("trolley").mass(200).inertia(10).shape("box").size({0.6, 0.2});
  model.body("load").mass("80 kg").inertia(4).position({0, "=-rope"}).shape("box").size({0.5, 0.5});
  model.joint("rail", "prismatic").between("ground", "trolley").at({0, 0}).axis({1, 0});
  model.joint("rope", "distance").between("trolley", "load").set("ends", {{0, 0}, {0, "=-rope"}});

  // From rest to rest without a jerk in the velocity.
  model.motion("drive").joint("rail").position("=if(t < time, travel*(t/time - sin(2*pi*t/time)/(2*pi)), travel)");
  model.solver().end(12).tolerance(1e-9);
  model.output().every("10 ms").record({"body:*", "joint:rope", "motion:*", "energy"});
  return model;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

int main() {
  try {
    carom::Model model = crane();
    std::printf("%d degrees of freedom\n", carom::check(model).degrees_of_freedom);
    for (const double time : {3.0, 4.0, 5.0}) {
      model.parameter("time", time);
      const carom::Result result = carom::simulate(model);
      const std::vector<double> trolley = result.column("body:trolley.x"), load = result.column("body:load.x");
      std::vector<double> swing(load.size());
      for (std::size_t k = 0; k < swing.size(); ++k) swing[k] = load[k] - trolley[k];
      std::printf("travel in %.0f s: the load swings by %.3f m, the drive pushes with up to %.0f N\n", time,
                  largest(swing), largest(result.column("motion:drive.force")));
    }
    return 0;
  } catch (const carom::InputError& error) {
    for (const carom::Problem& problem : error.problems()) std::printf("%s\n", carom::to_text(problem).c_str());
    return 2;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}

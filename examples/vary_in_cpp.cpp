// Runs a model file for several values of a parameter: vary_in_cpp examples/slider_crank.toml
#include <algorithm>
#include <cstdio>
#include <vector>

#include <carom/carom.h>

namespace {

void vary(const char* file) {
  carom::Model model = carom::Model::load(file);
  for (const char* speed : {"1000 rpm", "3000 rpm", "5000 rpm"}) {
    model.parameter("speed", speed);
    const carom::Result result = carom::simulate(model);
    const std::vector<double> force = result.column("joint:pin.fx");
    std::printf("%s: up to %.0f N in the pin\n", speed, *std::max_element(force.begin(), force.end()));
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    vary(count > 1 ? words[1] : "examples/slider_crank.toml");
    return 0;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

// Changes a sound model at random; whatever comes out must be read without a crash. tests/fuzz searches further.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  const std::size_t changes = 1 + below(4);
  for (std::size_t k = 0; k < changes && text.size() > 20; ++k) {
    const std::size_t at = below(text.size()), length = std::min<std::size_t>(1 + below(20), text.size() - at);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 2:
        text[at] = static_cast<char>(below(256));
        break;
      case 3:
        text[at] = "[]{}\"'=.,#\n0-e"[below(14)];
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(Mutations, NeverCrash) {
  std::mt19937 random(20260101);
  for (std::size_t k = 0; k < 3000; ++k) {
    ProblemList problems;
    const std::array samples = {&sample::slider_crank, &sample::spatial, &sample::contact};
    const Model model = sample::read(mutated(*samples[k % samples.size()], random), problems);
    if (problems.errors() > 0) continue;
    // What is accepted must also survive being written.
    const std::string written = write_model(model, &problems);
    if (problems.errors() > 0) continue;
    sample::read(written, problems);
    EXPECT_EQ(problems.errors(), 0) << written << problems.text();
  }
}

}  // namespace
}  // namespace carom

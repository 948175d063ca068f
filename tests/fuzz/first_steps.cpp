#include "../support/first_steps.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>

// first_steps SOURCES STEPS [BODIES]: prints a checksum of the first steps of every model of the sources, to compare
// what two compilers make of them.
int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: first_steps SOURCES STEPS [BODIES]\n");
    return 2;
  }
  const std::filesystem::path source = words[1];
  const std::size_t most_bodies = count > 3 ? std::stoul(words[3]) : 60;
  for (const std::filesystem::path& file : carom::models_to_step(source)) {
    const std::uint64_t sum = carom::first_steps(file, std::atoi(words[2]), most_bodies);
    if (sum != 0) fmt::print("{:016x} {}\n", sum, file.lexically_relative(source).string());
  }
  return 0;
}

#pragma once

#include <string>
#include <vector>

namespace carom {

struct WearArguments {
  std::string file, cycles = "1", from, growth = "mean", method, results, output, plot;
  std::vector<std::string> contacts, set;
  std::size_t sectors = 72;
  int blocks = 0;
  bool quiet = false, json = false;
};

// `carom wear MODEL --blocks N`: see studies/wear_blocks.h.
int wear_in_blocks(const WearArguments& arguments);

}  // namespace carom

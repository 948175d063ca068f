#pragma once

#include <string>
#include <vector>

#include "postprocess/contact_wear.h"

namespace carom {

struct WearArguments {
  std::string file, cycles = "1", from, growth = "mean", method, results, output, plot;
  std::vector<std::string> contacts, set;
  std::size_t sectors = 72;
  int blocks = 0;
  bool quiet = false, json = false;
};

// Runs a model block by block: the wear of one run stands for all cycles of its block, and enlarges the clearances of
// the joints for the next one.
int wear_in_blocks(const WearArguments& arguments);

}  // namespace carom

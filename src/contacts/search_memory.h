#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace carom::inline contacts {

// What the searches of pairs remember, in blocks of numbers. A block stays where it is as long as its pair is there,
// and serves another pair of its size afterwards: lists of near pairs are made anew often, and what meshes remember is
// long.
class SearchMemory {
 public:
  double* at(int block) { return numbers_.data() + block; }

  // The first number of a block of zeros.
  int take(int size) {
    std::vector<int>& free = free_blocks(size);
    if (free.empty()) {
      const auto block = static_cast<int>(numbers_.size());
      numbers_.resize(numbers_.size() + size, 0);
      return block;
    }
    const int block = free.back();
    free.pop_back();
    std::fill_n(at(block), size, 0.0);
    return block;
  }
  void give(int block, int size) { free_blocks(size).push_back(block); }

 private:
  // Sizes are few: there are as many as kinds of pairs.
  std::vector<int>& free_blocks(int size) {
    for (auto& [own, blocks] : free_) {
      if (own == size) return blocks;
    }
    return free_.emplace_back(size, std::vector<int>{}).second;
  }

  std::vector<double> numbers_;
  std::vector<std::pair<int, std::vector<int>>> free_;
};

}  // namespace carom::inline contacts

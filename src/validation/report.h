#pragma once

#include <string>
#include <vector>

#include "validation/run_case.h"

namespace carom::inline validation {

// A check with several quantities, shown by the one that uses most of its limit.
struct CheckLine {
  const Finding* worst = nullptr;
  std::size_t quantities = 0;
  bool passed = true;
};

// In the order of the case.
std::vector<CheckLine> check_lines(const CaseResult& result);

std::string table_header();
std::string table_rows(const CaseResult& result);  // one line a check
std::string count_line(const std::vector<CaseResult>& results);

// Newton iterations a step of the three problems of the non-smooth method, over all runs; empty if none was by it.
std::string iteration_line(const CaseResult& result);

// Everything the table shows and each single quantity.
std::string to_json(const std::vector<CaseResult>& results);

// A number in few characters: "1.234567", "-3.2e-10", "–" where there is none.
std::string short_number(double value, int digits);

}  // namespace carom::inline validation

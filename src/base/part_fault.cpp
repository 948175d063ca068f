#include "base/part_fault.h"

#include <utility>

namespace carom::inline base {
namespace {

thread_local std::optional<std::string> fault;

}  // namespace

void note_part_fault(const std::string& text) {
  if (!fault) fault = text;
}

std::optional<std::string> take_part_fault() {
  return std::exchange(fault, std::nullopt);
}

void drop_part_fault() {
  fault.reset();
}

std::string with_part_fault(const std::string& reason) {
  const auto found = take_part_fault();
  return found ? *found + ". " + reason : reason;
}

}  // namespace carom::inline base

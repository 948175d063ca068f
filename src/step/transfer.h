#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "step/assembly.h"

// The form in which `carom-step` hands over what it has read (CBOR).
namespace carom::inline step {

// What is wrong with a file, for its user.
class StepError : public std::runtime_error {
 public:
  StepError(const std::string& found, std::string expected, std::string remedy)
      : std::runtime_error(found), expected_(std::move(expected)), remedy_(std::move(remedy)) {}
  const std::string& expected() const { return expected_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string expected_, remedy_;
};

std::vector<std::uint8_t> packed(const StepAssembly& assembly);
std::vector<std::uint8_t> packed(const StepError& error);

// Throws the StepError that was packed, and one for bytes that are neither.
StepAssembly unpacked(std::string_view bytes);

}  // namespace carom::inline step

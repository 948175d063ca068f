#pragma once

#include <stdexcept>
#include <string>

namespace carom::inline base {

/// A file cannot be written or read. The message names the file, the cause and a remedy.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A write that had begun could not be completed: the disk is full or gone, or a limit is reached. The command line
/// exits with 1, whatever was written; with 2 where nothing could begin.
class WriteFailed : public ResultError {
 public:
  using ResultError::ResultError;
};

/// The one or the other, by the cause (errno).
[[noreturn]] void throw_write_error(const std::string& message, int error_number);

}  // namespace carom::inline base

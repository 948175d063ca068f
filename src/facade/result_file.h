#pragma once

#include <filesystem>
#include <vector>

#include "carom/result.h"
#include "recording/result_reader.h"

namespace carom::v1 {

struct Result::Impl {
  Impl(const std::filesystem::path& file, bool remove);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool remove_when_done = false;
  std::filesystem::path path;
  carom::ResultReader reader;
  Summary summary;
  std::vector<Quantity> quantities;
};

struct ResultAccess {
  // A temporary file is removed with the last copy of the result.
  static Result open(const std::filesystem::path& file, bool remove_when_done);
};

}  // namespace carom::v1

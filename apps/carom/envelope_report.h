#pragma once

#include <string>
#include <vector>

#include "recording/result_reader.h"

namespace carom {

// What `carom motion --envelope` was asked for.
struct EnvelopeRequest {
  std::string result = {}, quantity = {}, band = {}, bearing = {}, speed = {}, up_to = {}, plot = {};
  std::vector<std::string> marks = {};  // NAME=FREQUENCY
  double from = 0, to = 0;              // s
  bool json = false;
};

int tell_envelope(const EnvelopeRequest& request, const ResultReader& result);

}  // namespace carom

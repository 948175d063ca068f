#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../support/temporary_folder.h"
#include "recording/result_reader.h"
#include "recording/result_writer.h"

namespace carom::scene {

using Folder = TemporaryFolder;

inline ResultHeader slider_crank() {
  return {
      .model_text = "[model]\nname = \"Schubkurbel – μ = 0,1\"\n",
      .model_file = "models/slider_crank.toml",
      .settings_json = R"({"end": 1.0})",
      .version = "0.1.0",
      .seed = 18446744073709551615u,
      .groups = {{"body:crank", {{"x", "m", "position of the origin along x"}, {"y", "m", ""}, {"angle", "rad", ""}}},
                 {"joint:pin/loose", {{"fx", "N", "force on the second body along x"}}},
                 {"energy", {{"kinetic", "J", ""}, {"potential", "J", ""}}}},
      .event_kinds = {{"contact", {{"impact_velocity", "m/s", ""}, {"peak_force", "N", "largest normal force"}}},
                      {"restart", {}}}};
}

inline double sample_time(std::size_t i) {
  return 1e-3 * static_cast<double>(i);
}

inline std::vector<double> sample(std::size_t i, std::size_t count = 6) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    values[k] = std::sin(0.1 * static_cast<double>(i) + static_cast<double>(k)) / 3;
  }
  return values;
}

inline void record(ResultWriter& writer, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) writer.append(sample_time(i), sample(i, writer.value_count()));
}

inline std::string bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const ResultError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace carom::scene

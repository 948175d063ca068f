#include "validation/mutation_scores.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"

namespace carom::inline validation {

MutationScore& MutationScore::operator+=(const MutationScore& other) {
  noticed += other.noticed, coarse += other.coarse, excused += other.excused, unnoticed += other.unnoticed;
  return *this;
}

std::string MutationScore::text() const {
  std::string text = fmt::format("{} of {} noticed", noticed + coarse, parameters());
  if (coarse > 0) text += fmt::format(", {} of them if large", coarse);
  if (excused > 0) text += fmt::format("; {} excused", excused);
  if (unnoticed > 0) text += fmt::format("; **{} unnoticed**", unnoticed);
  return text;
}

MutationScores read_mutation_scores(const std::filesystem::path& file) {
  std::ifstream stream(file);
  MutationScores scores;
  try {
    const auto cases = nlohmann::json::parse(stream).at("cases");
    for (const auto& [name, score] : cases.items()) {
      scores[name] = {.noticed = score.at("noticed").get<int>(),
                      .coarse = score.at("coarse").get<int>(),
                      .excused = score.at("excused").get<int>(),
                      .unnoticed = score.at("unnoticed").get<int>()};
    }
  } catch (const nlohmann::json::exception& error) {
    refuse("--mutation", carom::quoted(file.string()), "the file that `./dev mutate` writes", error.what());
  }
  return scores;
}

}  // namespace carom::inline validation

#include "durability/duty_cycle.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "base/problem.h"

namespace carom::inline durability {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    const auto first = cell.find_first_not_of(" \t\r"), last = cell.find_last_not_of(" \t\r");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

[[noreturn]] void complain(const std::filesystem::path& table, int line, const std::string& found,
                           const std::string& expected) {
  refuse(fmt::format("{}:{}", table.string(), line), found, expected,
         "for example the lines result,hours and idle.h5,2.5");
}

double hours_of(const std::filesystem::path& table, int line, const std::string& cell) {
  double hours = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), hours);
  if (error != std::errc() || end != cell.data() + cell.size() || !(hours > 0) || !std::isfinite(hours))
    complain(table, line, carom::quoted(cell), "hours of this duty in a cycle, > 0");
  return hours;
}

}  // namespace

std::vector<Duty> read_duties(const std::filesystem::path& table) {
  std::ifstream stream(table);
  if (!stream)
    refuse("RESULT", carom::quoted(table.string()), "a table that can be read", "check the name and the permissions");
  std::string text;
  std::getline(stream, text);
  const std::vector<std::string> titles = cells_of(text);
  const auto column = [&](const std::string& title) {
    const auto found = std::find(titles.begin(), titles.end(), title);
    if (found == titles.end()) complain(table, 1, "no column " + carom::quoted(title), "the titles result and hours");
    return static_cast<std::size_t>(found - titles.begin());
  };
  const std::size_t result = column("result"), hours = column("hours");
  std::vector<Duty> duties;
  for (int line = 2; std::getline(stream, text); ++line) {
    const std::vector<std::string> cells = cells_of(text);
    if (cells.empty()) continue;
    if (cells.size() != titles.size())
      complain(table, line, fmt::format("{} values", cells.size()),
               fmt::format("{}, as there are titles", titles.size()));
    duties.push_back({table.parent_path() / cells[result], hours_of(table, line, cells[hours])});
  }
  if (duties.empty()) complain(table, 2, "nothing", "a duty");
  return duties;
}

DutyLife life_under_duties(std::span<const Duty> duties, std::span<const RecordedLife> lives) {
  constexpr double per_hour = 3600 / (2 * M_PI);
  DutyLife sum;
  double damage = 0;
  for (std::size_t k = 0; k < duties.size(); ++k) {
    const RecordedLife& life = lives[k];
    if (!(life.speed > 0))
      refuse("RESULT", carom::quoted(duties[k].result.string()) + ", in which the bearing stands",
             "a run in which it turns", "give the bearing its `speed` in the model");
    const double exponent = life.geometry.balls() ? ball_life_exponent : roller_life_exponent;
    DutyLife::Part part{
        .hours = duties[k].hours, .turns = life.speed * per_hour * duties[k].hours, .life = life.revolutions};
    part.load = life.rating * std::pow(1e6 / part.life, 1 / exponent);
    part.share = part.turns / part.life;
    damage += part.share, sum.hours += part.hours, sum.turns += part.turns;
    sum.mean_load += part.turns * std::pow(part.load, exponent);
    sum.parts.push_back(part);
  }
  const double exponent = lives[0].geometry.balls() ? ball_life_exponent : roller_life_exponent;
  sum.mean_load = std::pow(sum.mean_load / sum.turns, 1 / exponent);
  sum.cycles = damage > 0 ? 1 / damage : std::numeric_limits<double>::infinity();
  for (DutyLife::Part& part : sum.parts) part.share = damage > 0 ? part.share / damage : 0;
  return sum;
}

}  // namespace carom::inline durability

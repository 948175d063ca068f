#include "model_io/read_grid.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "model_io/field_tables.h"

namespace carom::inline model_io {
namespace {

constexpr double bytes_of_body = 8000;  // measured: what a free body with one shape takes from reading to running

// Bytes that this program may fill: those of the machine, or less by a limit of the shell.
double memory_at_hand() {
  double most = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    most = std::min(most, static_cast<double>(limit.rlim_cur));
  return most;
}

double places_of(const GridModel& grid) {
  double product = 1;
  for (const double each : grid.count) product *= each;
  return product;
}

double copies_of(const GridModel& grid) {
  return grid.total > 0 ? grid.total : places_of(grid);
}

// Evenly distributed between −1 and 1. The generator is Knuth's (MMIX), written out so that every machine and every
// other program can make the same places.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return 2 * (static_cast<double>(state_ >> 11) * 0x1p-53) - 1;
  }

 private:
  std::uint64_t state_;
};

std::vector<BodyModel> make_copies(const BodyModel& body, const GridModel& grid) {
  const auto total = static_cast<std::size_t>(copies_of(grid));
  std::vector<BodyModel> copies;
  copies.reserve(total);
  Sequence sequence(static_cast<std::uint64_t>(grid.seed));
  const auto axes = static_cast<Eigen::Index>(grid.count.size());
  for (std::size_t q = 0; q < total; ++q) {
    BodyModel& copy = copies.emplace_back(body);
    copy.name = body.name + std::to_string(q + 1);
    copy.grid = body.name;
    copy.lattice.reset();
    std::size_t rest = q;
    for (Eigen::Index axis = 0; axis < axes; ++axis) {
      const auto count = static_cast<std::size_t>(grid.count[static_cast<std::size_t>(axis)]);
      copy.position[axis] += static_cast<double>(rest % count) * grid.spacing[axis];
      copy.position[axis] += grid.jitter * sequence.next();
      rest /= count;
    }
  }
  return copies;
}

// What no single row can tell; false, and a problem, if something is wrong.
bool check_grid(Reading& reading, const Node& node, const KeyPath& key, const BodyModel& body, const GridModel& grid) {
  const auto complain = [&](const std::string& name, Complaint complaint) {
    const Node* at = node.find(name);
    reading.complain(at ? *at : node, key / name, std::move(complaint));
    return false;
  };
  const double places = places_of(grid), total = copies_of(grid);
  if (total > places) {
    return complain("total", {fmt::format("{} copies", number_text(total)),
                              fmt::format("at most as many as `count` gives places, {}", number_text(places)),
                              "make `count` larger, or leave `total` out"});
  }
  if (total > most_copies) {
    return complain(node.find("total") ? "total" : "count",
                    {fmt::format("{:.6g} copies", total), fmt::format("at most {}", number_text(most_copies)),
                     "more would fill the memory before anything moves"});
  }
  if (const double memory = memory_at_hand(); total * bytes_of_body > memory) {
    return complain(node.find("total") ? "total" : "count",
                    {fmt::format("{:.6g} copies, which need about {:.2g} GB", total, total * bytes_of_body / 1e9),
                     fmt::format("at most {:.6g}, for which the memory of {:.2g} GB is enough",
                                 std::floor(memory / bytes_of_body), memory / 1e9),
                     "make fewer, or raise the limit of the memory (ulimit -v) if there is one"});
  }
  Eigen::Vector3d farthest = body.position;
  for (std::size_t k = 0; k < grid.count.size(); ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    if (grid.count[k] > 1 && grid.spacing[axis] == 0) {
      return complain("spacing", {fmt::format("0 along {}, where `count` is {}", "xyz"[k], number_text(grid.count[k])),
                                  "places that differ", "give the distance between neighbours"});
    }
    farthest[axis] += (grid.count[k] - 1) * grid.spacing[axis] + grid.jitter;
  }
  if (farthest.allFinite()) return true;
  return complain("spacing", {"places that are not finite", "smaller lengths", ""});
}

}  // namespace

std::vector<BodyModel> read_grid(Reading& reading, const Node& node, const KeyPath& key, BodyModel& body) {
  GridModel unsound;
  unsound.count.assign(reading.planar ? 2 : 3, 1);
  unsound.count[0] = 2;
  if (!node.as<Node::Table>()) {
    reading.complain(node, key, {found_text(node), "a table [body.grid]", ""});
    return make_copies(body, unsound);
  }
  GridModel grid;
  const auto& rows = grid_fields().rows();
  read_fields(reading, node, grid_fields(), {}, key, grid);
  const bool sound = std::none_of(rows.begin(), rows.end(), [&](const ParameterDescription& row) {
    return reading.sources.broken(key / row.name) || (row.required && !node.find(row.name));
  });
  if (!sound || !check_grid(reading, node, key, body, grid)) return make_copies(body, unsound);
  body.lattice = std::make_shared<const GridModel>(grid);
  return make_copies(body, grid);
}

}  // namespace carom::inline model_io

#include "model_io/read_grid.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace carom {
namespace {

struct Grid {
  std::vector<double> count;
  Eigen::Vector3d spacing;
  double total, jitter;
  std::uint64_t seed;

  double places() const {
    double product = 1;
    for (const double each : count) product *= each;
    return product;
  }
};

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

std::vector<BodyModel> copies_of(const BodyModel& body, const Grid& grid) {
  std::vector<BodyModel> copies;
  copies.reserve(static_cast<std::size_t>(grid.total));
  Sequence sequence(grid.seed);
  const auto axes = static_cast<Eigen::Index>(grid.count.size());
  for (std::size_t q = 0; q < static_cast<std::size_t>(grid.total); ++q) {
    BodyModel& copy = copies.emplace_back(body);
    copy.name = body.name + std::to_string(q + 1);
    copy.grid = body.name;
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
bool check_grid(Reading& reading, const Node& node, const KeyPath& key, const BodyModel& body, const Grid& grid) {
  const auto complain = [&](const std::string& name, Complaint complaint) {
    const Node* at = node.find(name);
    reading.complain(at ? *at : node, key / name, std::move(complaint));
    return false;
  };
  if (grid.total > grid.places()) {
    return complain("total", {fmt::format("{} copies", number_text(grid.total)),
                              fmt::format("at most as many as `count` gives places, {}", number_text(grid.places())),
                              "make `count` larger, or leave `total` out"});
  }
  if (grid.total > most_copies) {
    return complain(node.find("total") ? "total" : "count",
                    {fmt::format("{:.6g} copies", grid.total), fmt::format("at most {}", number_text(most_copies)),
                     "more would fill the memory before anything moves"});
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

std::vector<BodyModel> read_grid(Reading& reading, const Node& node, const KeyPath& key, const BodyModel& body) {
  Grid grid = {std::vector<double>(reading.planar ? 2 : 3, 1), Eigen::Vector3d::Zero(), 2, 0, 0};
  grid.count[0] = 2;
  if (!node.as<Node::Table>()) {
    reading.complain(node, key, {found_text(node), "a table [body.grid]", ""});
    return copies_of(body, grid);
  }
  const auto& rows = section("body.grid").parameters;
  const Settings settings = read_keys(reading, node, rows, {}, key);
  require_keys(reading, node, rows, key);
  const bool sound =
      settings.has("count") && settings.has("spacing") &&
      std::none_of(rows.begin(), rows.end(), [&](const auto& row) { return reading.sources.broken(key / row.name); });
  if (!sound) return copies_of(body, grid);
  Grid given = {settings.numbers("count"), settings.vector("spacing"), 0, settings.number("jitter"),
                static_cast<std::uint64_t>(settings.number("seed", 12345))};
  given.total = settings.number("total", given.places());
  return copies_of(body, check_grid(reading, node, key, body, given) ? given : grid);
}

}  // namespace carom

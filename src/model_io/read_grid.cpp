#include "model_io/read_grid.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "model_io/chain_path.h"
#include "model_io/field_tables.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

constexpr double most_pitches = 1e9;    // of a way, and from the origin: rounding must not hide a link
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

BodyModel make_copy(const BodyModel& body, std::size_t index) {
  BodyModel copy = body;
  copy.name = body.name + std::to_string(index + 1);
  copy.grid = body.name;
  copy.lattice.reset();
  return copy;
}

// Between two copies that lie next to each other.
ElementModel make_joint(const BodyModel& one, const BodyModel& two, const GridModel& grid, const Eigen::Vector3d& at,
                        bool planar) {
  ElementModel joint;
  joint.name = one.name + "-" + two.name;
  joint.type = grid.joint;
  joint.where = one.where;
  joint.settings.set("bodies", std::vector<std::string>{one.name, two.name});
  joint.settings.set("at", std::vector<double>(at.data(), at.data() + (planar ? 2 : 3)));
  return joint;
}

// The x axis of each link points to the next one; `position` of the body counts from the middle, in its axes.
std::vector<BodyModel> make_chain(const BodyModel& body, const GridModel& grid,
                                  const std::vector<Eigen::Vector3d>& ends, bool planar,
                                  std::vector<ElementModel>& joints) {
  std::vector<BodyModel> links;
  links.reserve(ends.size() - 1);
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    BodyModel& link = links.emplace_back(make_copy(body, k));
    const Eigen::Vector3d along = (ends[k + 1] - ends[k]).normalized();
    const double angle = planar ? std::atan2(along.y(), along.x()) : 0;
    const Eigen::Quaterniond turn =
        planar ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()))
               : Eigen::Quaterniond(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), along));
    link.position = 0.5 * (ends[k] + ends[k + 1]) + turn * body.position;
    link.orientation = turn * body.orientation;
    link.angle += angle;
    if (k > 0 && !grid.joint.empty()) joints.push_back(make_joint(links[k - 1], link, grid, ends[k], planar));
  }
  return links;
}

std::vector<BodyModel> make_copies(const BodyModel& body, const GridModel& grid) {
  const auto total = static_cast<std::size_t>(copies_of(grid));
  std::vector<BodyModel> copies;
  copies.reserve(total);
  Sequence sequence(static_cast<std::uint64_t>(grid.seed));
  const auto axes = static_cast<Eigen::Index>(grid.count.size());
  for (std::size_t q = 0; q < total; ++q) {
    BodyModel& copy = copies.emplace_back(make_copy(body, q));
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

// Halfway between the places of neighbours along each axis.
void join_copies(const std::vector<BodyModel>& copies, const GridModel& grid, std::vector<ElementModel>& joints) {
  std::size_t stride = 1;
  for (const double each : grid.count) {
    const auto count = static_cast<std::size_t>(each);
    for (std::size_t q = 0; q + stride < copies.size(); ++q) {
      if (q / stride % count + 1 == count) continue;
      const BodyModel &one = copies[q], &two = copies[q + stride];
      const Eigen::Vector3d at = 0.5 * (one.position + two.position);
      joints.push_back(make_joint(one, two, grid, at, grid.count.size() == 2));
    }
    stride *= count;
  }
}

// Problems of a grid, at its keys.
class GridCheck {
 public:
  GridCheck(Reading& reading, const Node& node, const KeyPath& key) : reading_(reading), node_(node), key_(key) {}

  // What no single row can tell; false, and a problem, if something is wrong.
  bool lattice(const BodyModel& body, const GridModel& grid) const {
    for (const std::string name : {"radii", "pitch"}) {
      if (node_.find(name))
        return complain(name, {"a chain without a way", "`points`", "give the points of its way, or leave it out"});
    }
    for (const std::string name : {"count", "spacing"}) {
      if (!node_.find(name))
        return complain(name, {"nothing", "places of the copies",
                               fmt::format("add the key `{}`; or `points` and `pitch` for a chain", name)});
    }
    const double places = places_of(grid), total = copies_of(grid);
    if (total > places) {
      return complain("total", {fmt::format("{} copies", number_text(total)),
                                fmt::format("at most as many as `count` gives places, {}", number_text(places)),
                                "make `count` larger, or leave `total` out"});
    }
    Eigen::Vector3d farthest = body.position;
    for (std::size_t k = 0; k < grid.count.size(); ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      if (grid.count[k] > most_copies && grid.total > 0) {
        return complain("count", {fmt::format("{:.6g} places along {}", grid.count[k], "xyz"[k]),
                                  fmt::format("at most {}", number_text(most_copies)), "make it smaller"});
      }
      if (grid.count[k] > 1 && grid.spacing[axis] == 0) {
        return complain("spacing",
                        {fmt::format("0 along {}, where `count` is {}", "xyz"[k], number_text(grid.count[k])),
                         "places that differ", "give the distance between neighbours"});
      }
      farthest[axis] += (grid.count[k] - 1) * grid.spacing[axis] + grid.jitter;
    }
    if (!farthest.allFinite()) return complain("spacing", {"places that are not finite", "smaller lengths", ""});
    return joint(grid) && number(total, node_.find("total") ? "total" : "count");
  }

  // The ends of the links of a chain; none: something is wrong.
  std::vector<Eigen::Vector3d> chain(const GridModel& grid) const {
    const auto refuse = [&](const std::string& name, Complaint complaint) {
      complain(name, std::move(complaint));
      return std::vector<Eigen::Vector3d>();
    };
    for (const std::string name : {"count", "spacing", "jitter", "seed"}) {
      if (node_.find(name)) return refuse(name, {"a lattice and a chain", "one of them", "leave `points` or this out"});
    }
    if (!node_.find("pitch")) return refuse("pitch", {"nothing", "the length of a link", "add the key `pitch`"});
    if (!reading_.planar && !grid.radii.empty())
      return refuse("radii", {"circles in a model in space", "a way by points", "give the points of the arc"});
    if (!joint(grid)) return {};
    try {
      const ChainPath path(grid.points, grid.radii);
      double extent = path.length();
      for (const Eigen::Vector3d& point : grid.points) extent = std::max(extent, point.cwiseAbs().maxCoeff());
      if (!(extent <= farthest && extent <= most_pitches * grid.pitch)) {
        return refuse(grid.radii.empty() ? "points" : "radii",
                      {fmt::format("a way that reaches {:.3g} m far, of links of {:.3g} m", extent, grid.pitch),
                       fmt::format("at most {:g} m, and {:g} links", farthest, most_pitches),
                       "check the units of points, radii and pitch"});
      }
      const double fitting = std::floor(path.length() / grid.pitch);
      if (!number(grid.total > 0 ? std::min(grid.total, fitting) : fitting, "pitch")) return {};
      auto ends = path.joints(grid.pitch, static_cast<std::size_t>(grid.total > 0 ? grid.total : most_copies));
      const double links = static_cast<double>(ends.size()) - 1;
      if (links < std::max(1.0, grid.total)) {
        return refuse(
            grid.total > 0 ? "total" : "pitch",
            {fmt::format("{} links of {:.6g} m", number_text(std::max(1.0, grid.total)), grid.pitch),
             fmt::format("at most {}, for which the way of {:.6g} m has room", number_text(links), path.length()),
             "make the way longer, or the links fewer or shorter"});
      }
      return ends;
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      const std::size_t cut = text.rfind("; ");
      return refuse(grid.radii.empty() ? "points" : "radii",
                    {text.substr(0, cut), "a way of straight lines and arcs", text.substr(cut + 2)});
    }
  }

 private:
  bool complain(const std::string& name, Complaint complaint) const {
    const Node* at = node_.find(name);
    reading_.complain(at ? *at : node_, key_ / name, std::move(complaint));
    return false;
  }

  bool number(double total, const std::string& name) const {
    if (total > most_copies) {
      return complain(name, {fmt::format("{:.6g} copies", total), fmt::format("at most {}", number_text(most_copies)),
                             "more would fill the memory before anything moves"});
    }
    const double memory = memory_at_hand();
    if (!(total * bytes_of_body > memory)) return true;
    return complain(name, {fmt::format("{:.6g} copies, which need about {:.2g} GB", total, total * bytes_of_body / 1e9),
                           fmt::format("at most {:.6g}, for which the memory of {:.2g} GB is enough",
                                       std::floor(memory / bytes_of_body), memory / 1e9),
                           "make fewer, or raise the limit of the memory (ulimit -v) if there is one"});
  }

  // One that needs a place and nothing else.
  bool joint(const GridModel& grid) const {
    const std::string other = reading_.planar ? "spherical" : "revolute",
                      right = reading_.planar ? "revolute" : "spherical";
    if (grid.joint != other) return true;
    return complain("joint", {fmt::format("\"{}\"", other), fmt::format("\"{}\" or \"fixed\"", right),
                              "write joints that need an axis one by one"});
  }

  Reading& reading_;
  const Node& node_;
  KeyPath key_;
};

}  // namespace

std::vector<BodyModel> read_grid(Reading& reading, const Node& node, const KeyPath& key, BodyModel& body,
                                 std::vector<ElementModel>& joints) {
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
    return reading.sources.broken(key / row.name);
  });
  if (!sound) return make_copies(body, unsound);
  body.lattice = std::make_shared<const GridModel>(grid);
  const GridCheck check(reading, node, key);
  if (node.find("points")) {
    const auto ends = check.chain(grid);
    if (ends.empty()) return make_copies(body, unsound);
    return make_chain(body, grid, ends, reading.planar, joints);
  }
  if (!check.lattice(body, grid)) return make_copies(body, unsound);
  auto copies = make_copies(body, grid);
  if (!grid.joint.empty()) join_copies(copies, grid, joints);
  return copies;
}

}  // namespace carom::inline model_io

#include <cmath>

#include <fmt/format.h>

#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

std::string join(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 == names.size() ? " " + last + " " : ", ";
    text += "`" + names[k] + "`";
  }
  return text;
}

bool is_zero(const Eigen::Vector3d& direction) {
  return direction.cwiseAbs().maxCoeff() == 0;
}

}  // namespace

void Validation::check_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key) {
  std::vector<std::string> ways, used;
  for (const std::string name : {"at", "ends", "points", "markers"}) {
    if (!find_row(type.parameters, name)) continue;
    ways.push_back(name);
    if (given(element, key, name)) used.push_back(name);
  }
  if (used.size() != 1) {
    error(used.empty() ? key : key / used[1],
          {used.empty() ? "no place" : join(used, "and"), "exactly one of " + join(ways, "or"), ""});
  }
  const bool markers = given(element, key, "markers"), bodies = given(element, key, "bodies");
  if (markers && bodies) {
    error(key / "bodies",
          {"`bodies` beside `markers`", "one of them", "the markers name their bodies: leave out `bodies`"});
  } else if (!markers && !bodies) {
    error(key / "bodies", {"nothing", "the names of two bodies", "add the key `bodies`"});
  }
  for (const std::string name : {"points", "ends", "axes"}) {
    const std::size_t count = element.settings.points(name).size();
    if (element.settings.has(name) && count != 2) {
      error(key / name, {fmt::format("a list of {}", count), "2 vectors, one per body", ""});
    }
  }
}

void Validation::check_axis(const ElementModel& element, const TypeDescription& type, bool needed, bool allowed,
                            const KeyPath& key) {
  const bool axis = given(element, key, "axis"), axes = given(element, key, "axes"),
             markers = given(element, key, "markers");
  const std::string superfluous = axis ? "axis" : "axes";
  if (!allowed) {
    if (axis || axes) {
      error(key / superfluous,
            {"an axis", "no axis in a planar model", "leave out `" + superfluous + "`: the axis is z"});
    }
    return;
  }
  if (markers && (axis || axes)) {
    error(key / superfluous, {"`" + superfluous + "` beside `markers`", "one of them", "the markers give the axis"});
  } else if (axis && axes) {
    error(key / "axes", {"`axes` beside `axis`", "one of them", ""});
  } else if (needed && !axis && !axes && !markers) {
    error(key / "axis", {"nothing", "the direction of the axis of a " + type.name + " joint",
                         "add the key `axis`, or use `axes` or `markers`"});
  }
  if (element.settings.has("axis") && is_zero(element.settings.vector("axis"))) {
    error(key / "axis", {"a direction of length 0", "a vector that is not zero", ""});
  }
  for (const Eigen::Vector3d& each : element.settings.points("axes")) {
    if (is_zero(each)) error(key / "axes", {"a direction of length 0", "vectors that are not zero", ""});
  }
}

void Validation::check_second_axis(const ElementModel& element, const KeyPath& key) {
  const KeyPath path = key / "axis2";
  const bool markers = given(element, key, "markers");
  if (given(element, key, "axes")) {
    error(key / "axes", {"`axes`", "`axis` on the first body and `axis2` on the second", ""});
  }
  if (!given(element, key, "axis2")) {
    if (!markers) error(path, {"nothing", "the direction of the second axis", "add the key `axis2`"});
    return;
  }
  if (markers) return error(path, {"`axis2` beside `markers`", "one of them", "the markers give the axes"});
  if (!element.settings.has("axis2")) return;
  const Eigen::Vector3d second = element.settings.vector("axis2");
  if (is_zero(second)) return error(path, {"a direction of length 0", "a vector that is not zero", ""});
  if (!element.settings.has("axis")) return;
  const Eigen::Vector3d first = element.settings.vector("axis");
  if (is_zero(first)) return;
  const double cosine = first.stableNormalized().dot(second.stableNormalized());
  constexpr double largest_skew = 1e-6;  // rad
  if (std::abs(cosine) > std::sin(largest_skew)) {
    const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / M_PI;
    error(path, {fmt::format("an angle of {:.6g} deg to `axis`", degrees), "an axis perpendicular to `axis`", ""});
  }
}

// A link without a length has no direction.
void Validation::check_length(const ElementModel& element, const KeyPath& key) {
  if (given(element, key, "length")) return;
  const auto at_both = [&](const char* name) {
    const auto points = element.settings.points(name);
    return points.size() == 2 && points[0] == points[1];
  };
  if (!given(element, key, "at") && !at_both("ends")) return;
  error(key / "length", {"a length of 0", "two points that differ", "give `ends` or `points`, or a `length`"});
}

}  // namespace carom::inline model_io

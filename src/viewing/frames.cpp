#include "viewing/frames.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "viewing/contact_friction.h"

namespace carom::inline viewing {
namespace {

using Rule = FrameColumn::Rule;

/// Finds recorded components by name and adds columns to a layout.
class LayoutBuilder {
 public:
  explicit LayoutBuilder(const std::vector<ChannelGroup>& groups) : groups_(groups) {
    for (std::size_t k = 0; k < groups.size(); ++k) index_.emplace(groups[k].name, k);
  }

  std::optional<FrameColumn> find(const std::string& group, const std::string& component,
                                  Rule rule = Rule::recorded) const {
    const auto found = index_.find(group);
    if (found == index_.end()) return std::nullopt;
    const auto& components = groups_[found->second].components;
    for (std::size_t k = 0; k < components.size(); ++k) {
      if (components[k].name == component) return FrameColumn{.rule = rule, .group = found->second, .component = k};
    }
    return std::nullopt;
  }

  std::size_t place() const { return layout.columns.size(); }
  void add(const std::optional<FrameColumn>& column, double fallback = 0) {
    layout.columns.push_back(column.value_or(FrameColumn{.value = static_cast<float>(fallback)}));
  }

  FrameLayout layout;

 private:
  const std::vector<ChannelGroup>& groups_;
  std::map<std::string, std::size_t> index_;
};

void add_body(LayoutBuilder& builder, const BodyModel& body) {
  const std::string group = "body:" + body.name;
  FrameLayout::Body entry{.place = builder.place()};
  const auto x = builder.find(group, "x"), y = builder.find(group, "y"), z = builder.find(group, "z");
  entry.position_recorded = x && y;
  builder.add(x, body.position.x());
  builder.add(y, body.position.y());
  builder.add(z, body.position.z());
  const auto w = builder.find(group, "qw"), i = builder.find(group, "qx"), j = builder.find(group, "qy"),
             k = builder.find(group, "qz");
  const Eigen::Quaterniond& turn = body.orientation;
  if (w && i && j && k) {
    for (const auto& part : {i, j, k, w}) builder.add(part);
    entry.turn_recorded = true;
  } else if (const auto sine = builder.find(group, "angle", Rule::half_sine)) {
    builder.add(std::nullopt);
    builder.add(std::nullopt);
    builder.add(sine);
    builder.add(builder.find(group, "angle", Rule::half_cosine));
    entry.turn_recorded = true;
  } else {
    for (const double part : {turn.x(), turn.y(), turn.z(), turn.w()}) builder.add(std::nullopt, part);
  }
  builder.layout.bodies.push_back(entry);
}

void add_contact(LayoutBuilder& builder, const Model& model, const std::string& group) {
  if (!builder.find(group, "px") || !builder.find(group, "touching")) return;
  const bool mean = !builder.find(group, "fx") && builder.find(group, "ix");
  const double friction = builder.find(group, "nx") ? friction_of(model, group) : 0;
  const bool over_area = builder.find(group, "patch_area") && builder.find(group, "nx") && builder.find(group, "cx");
  builder.layout.contacts.push_back({group, builder.place(), mean, friction, over_area});
  builder.add(builder.find(group, "touching"));
  for (const char axis : {'x', 'y', 'z'}) builder.add(builder.find(group, std::string(over_area ? "c" : "p") + axis));
  for (const char axis : {'x', 'y', 'z'}) {
    builder.add(builder.find(group, std::string(mean ? "i" : "f") + axis, mean ? Rule::per_time : Rule::recorded));
  }
  if (!(friction > 0) && !over_area) return;
  for (const char axis : {'x', 'y', 'z'}) builder.add(builder.find(group, std::string("n") + axis));
  if (over_area) builder.add(builder.find(group, "patch_area"));
}

void add_joint(LayoutBuilder& builder, const ElementModel& joint, std::size_t index) {
  const std::string group = "joint:" + joint.name;
  const bool real = joint.clearance.has_value();
  const std::string letter = real ? "e" : "f";
  if (!builder.find(group, letter + "x") || !builder.find(group, letter + "y")) return;
  auto& parts = real ? builder.layout.eccentricities : builder.layout.reactions;
  parts.push_back({index, builder.place(), 3});
  for (const char axis : {'x', 'y', 'z'}) builder.add(builder.find(group, letter + axis));
}

void add_beam(LayoutBuilder& builder, const BeamModel& beam, std::size_t index) {
  const auto stress = [&](std::size_t element) {
    return builder.find("beam:" + beam.name + "-" + std::to_string(element + 1), "stress");
  };
  for (std::size_t k = 0; k < beam.elements.size(); ++k) {
    if (!stress(k)) return;
  }
  builder.layout.stresses.push_back({index, builder.place(), beam.elements.size()});
  for (std::size_t k = 0; k < beam.elements.size(); ++k) builder.add(stress(k));
}

// As many elements as have recorded their loads.
void add_bearing(LayoutBuilder& builder, const BearingModel& bearing, std::size_t index) {
  const auto load = [&](std::size_t element) {
    return builder.find("bearing:" + bearing.element.name, "load" + std::to_string(element + 1));
  };
  std::size_t count = 0;
  while (load(count)) ++count;
  if (count == 0) return;
  builder.layout.bearings.push_back({index, builder.place(), count});
  for (std::size_t k = 0; k < count; ++k) builder.add(load(k));
}

/// Fills the columns that come from one group.
class GroupFiller {
 public:
  GroupFiller(const Viewed& viewed, std::size_t group, std::size_t width)
      : viewed_(viewed), group_(group), width_(width) {}

  void take(std::size_t place, const FrameColumn& column) { columns_.emplace_back(place, column); }

  void fill(std::size_t first, std::size_t last, std::size_t stride, std::vector<float>& rows) const {
    if (columns_.empty()) return;
    constexpr std::size_t block = 16384;  // samples held at a time, so that a long run needs little memory
    const std::size_t components = viewed_.samples->groups()[group_].components.size();
    std::vector<double> values;
    std::size_t row = 0;
    const bool sparse = stride > 64;  // then single rows are cheaper to read than all of them
    for (std::size_t begin = first; begin < last;) {
      const std::size_t count = sparse ? 1 : std::min(block / stride * stride + stride, last - begin);
      values.resize(count * components);
      viewed_.samples->read_rows(group_, begin, count, values);
      for (std::size_t k = 0; k < count; k += stride, ++row) {
        put(&values[k * components], begin + k, &rows[row * width_]);
      }
      begin += sparse ? stride : count;
    }
  }

 private:
  void put(const double* values, std::size_t sample, float* row) const {
    for (const auto& [place, column] : columns_) {
      const double value = values[column.component];
      switch (column.rule) {
        case Rule::half_sine:
          row[place] = static_cast<float>(std::sin(value / 2));
          break;
        case Rule::half_cosine:
          row[place] = static_cast<float>(std::cos(value / 2));
          break;
        case Rule::per_time:
          row[place] = static_cast<float>(value / interval_before(sample));
          break;
        default:
          row[place] = static_cast<float>(value);
      }
    }
  }
  double interval_before(std::size_t sample) const {
    const auto& times = viewed_.samples->times();
    const double interval = sample > 0 ? times[sample] - times[sample - 1] : 0;
    return interval > 0 ? interval : std::numeric_limits<double>::infinity();
  }

  const Viewed& viewed_;
  std::size_t group_, width_;
  std::vector<std::pair<std::size_t, FrameColumn>> columns_;
};

}  // namespace

FrameLayout lay_out_frames(const Viewed& viewed) {
  LayoutBuilder builder(viewed.samples->groups());
  const Model& model = viewed.model;
  for (const BodyModel& body : model.bodies) add_body(builder, body);
  for (const ChannelGroup& group : viewed.samples->groups()) {
    if (group.name.starts_with("contact:") || group.name.starts_with("joint:")) add_contact(builder, model, group.name);
  }
  for (std::size_t k = 0; k < model.joints.size(); ++k) add_joint(builder, model.joints[k], k);
  for (std::size_t k = 0; k < model.beams.size(); ++k) add_beam(builder, model.beams[k], k);
  for (std::size_t k = 0; k < model.bearings.size(); ++k) add_bearing(builder, model.bearings[k], k);
  return std::move(builder.layout);
}

std::vector<float> read_frames(const Viewed& viewed, const FrameLayout& layout, std::size_t first, std::size_t last,
                               std::size_t stride) {
  const std::size_t width = layout.columns.size();
  if (last <= first) return {};
  stride = std::min(stride, last - first);  // a longer one would say the same, and sums with it might overflow
  const std::size_t count = (last - first - 1) / stride + 1;
  std::vector<float> rows(count * width);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < width; ++k) rows[row * width + k] = layout.columns[k].value;
  }
  std::vector<GroupFiller> fillers;
  for (std::size_t group = 0; group < viewed.samples->groups().size(); ++group) {
    fillers.emplace_back(viewed, group, width);
  }
  for (std::size_t k = 0; k < width; ++k) {
    const FrameColumn& column = layout.columns[k];
    if (column.rule != Rule::constant) fillers[column.group].take(k, column);
  }
  for (const GroupFiller& filler : fillers) filler.fill(first, last, stride, rows);
  return rows;
}

}  // namespace carom::inline viewing

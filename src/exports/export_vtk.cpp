#include "exports/export_vtk.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "exports/vtp.h"
#include "recording/write_csv.h"
#include "viewing/drawn_parts.h"

namespace carom::inline exports {
namespace {

constexpr std::size_t samples_at_once = 64;
constexpr int pieces = 8;  // of the line of an element

void add_point(Vtp& vtp, const Eigen::Vector3d& point) {
  for (const double value : point) vtp.points.push_back(static_cast<float>(value));
}

// Tables of what the numbers in the files stand for.
std::string names_csv(const std::string& what, const std::vector<std::string>& names) {
  std::string text = fmt::format("{},name\n", what);
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string quoted;
    for (const char c : names[k]) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += fmt::format("{},\"{}\"\n", k, quoted);
  }
  return text;
}

/// Turns rows of frames into the three kinds of files. Columns for velocities and internal forces are added to the
/// viewer's.
class VtkScene {
 public:
  VtkScene(const Viewed& viewed, const SampleRange& samples) : viewed_(viewed), layout_(lay_out_frames(viewed)) {
    const bool recorded = std::any_of(layout_.bodies.begin(), layout_.bodies.end(),
                                      [](const FrameLayout::Body& body) { return body.position_recorded; });
    if (!viewed.drawable || !recorded)
      throw ResultError(fmt::format("{} holds no positions of bodies; add \"body:*\" to output.record", viewed.file));
    const auto& groups = viewed.samples->groups();
    for (std::size_t k = 0; k < groups.size(); ++k) groups_.emplace(groups[k].name, k);
    for (const BodyModel& body : viewed.model.bodies) {
      velocities_.push_back(layout_.columns.size());
      for (const char* axis : {"vx", "vy", "vz"}) add_column("body:" + body.name, axis);
    }
    add_internal_forces();
    // The box of a few moments suffices to cut unbounded shapes.
    std::vector<float> some;
    const std::size_t step = std::max<std::size_t>(samples.count() / 50, 1) * samples.stride;
    some = read_frames(viewed, layout_, samples.first, samples.last, step);
    const std::size_t bodies = viewed.model.bodies.size();
    parts_ = drawn_parts(viewed.model, scene_box(viewed.model, layout_, some),
                         bodies < 100    ? 32
                         : bodies < 1000 ? 16
                                         : 10);
  }

  const FrameLayout& layout() const { return layout_; }
  bool has_beams() const { return !viewed_.model.beams.empty(); }
  bool has_contacts() const { return !layout_.contacts.empty(); }

  Vtp bodies(const float* row) const {
    Vtp vtp;
    Vtp::Array body{.name = "body"}, velocity{.name = "velocity", .components = 3};
    for (const DrawnPart& part : parts_) {
      const std::int64_t first = vtp.point_count();
      const Pose pose = pose_of(layout_, row, part.body);
      for (const Eigen::Vector3d& point : part.solid.points) {
        add_point(vtp, pose * point);
        body.values.push_back(static_cast<float>(part.body));
        for (std::size_t k = 0; k < 3; ++k)
          velocity.values.push_back(part.body == 0 ? 0 : row[velocities_[static_cast<std::size_t>(part.body) - 1] + k]);
      }
      const auto add = [&](const std::vector<std::vector<int>>& from, std::vector<std::vector<std::int64_t>>& to) {
        for (const std::vector<int>& list : from) {
          to.emplace_back();
          for (const int index : list) to.back().push_back(first + index);
        }
      };
      add(part.solid.faces, vtp.polygons);
      if (part.solid.faces.empty()) add(part.solid.edges, vtp.lines);
    }
    vtp.arrays = {std::move(body), std::move(velocity)};
    return vtp;
  }

  // Every element is a line of its own, because forces and stress jump from one to the next.
  Vtp beams(const float* row) const {
    Vtp vtp;
    Vtp::Array number{.name = "beam"}, radius{.name = "radius"};
    std::vector<Vtp::Array> values;
    for (const std::string& name : internal_names_) values.push_back({.name = name});
    std::size_t element = 0;
    for (std::size_t b = 0; b < viewed_.model.beams.size(); ++b) {
      const BeamModel& beam = viewed_.model.beams[b];
      for (std::size_t e = 0; e < beam.elements.size(); ++e, ++element) {
        vtp.lines.emplace_back();
        for (const Eigen::Vector3d& point : element_line(beam, e, pose_of(layout_, row, beam.nodes[e]),
                                                         pose_of(layout_, row, beam.nodes[e + 1]), pieces)) {
          vtp.lines.back().push_back(vtp.point_count());
          add_point(vtp, point);
          number.values.push_back(static_cast<float>(b));
          radius.values.push_back(static_cast<float>(beam_radius(beam)));
          for (std::size_t k = 0; k < values.size(); ++k)
            values[k].values.push_back(row[internal_ + element * values.size() + k]);
        }
      }
    }
    vtp.arrays = {std::move(number), std::move(radius)};
    for (Vtp::Array& array : values) vtp.arrays.push_back(std::move(array));
    return vtp;
  }

  // Only what touches.
  Vtp contacts(const float* row) const {
    Vtp vtp;
    Vtp::Array number{.name = "contact"}, force{.name = "force", .components = 3};
    for (std::size_t k = 0; k < layout_.contacts.size(); ++k) {
      const float* at = row + layout_.contacts[k].place;
      if (!(at[0] > 0.5F) || !std::isfinite(at[1])) continue;
      vtp.vertices.push_back({vtp.point_count()});
      vtp.points.insert(vtp.points.end(), at + 1, at + 4);
      force.values.insert(force.values.end(), at + 4, at + 7);
      number.values.push_back(static_cast<float>(k));
    }
    vtp.arrays = {std::move(number), std::move(force)};
    return vtp;
  }

 private:
  void add_column(const std::string& group, const std::string& component) {
    FrameColumn column;
    if (const auto found = groups_.find(group); found != groups_.end()) {
      const auto& components = viewed_.samples->groups()[found->second].components;
      for (std::size_t k = 0; k < components.size(); ++k) {
        if (components[k].name == component)
          column = {.rule = FrameColumn::Rule::recorded, .group = found->second, .component = k};
      }
    }
    layout_.columns.push_back(column);
  }

  // The components that were recorded of the elements, by the first that has any.
  void add_internal_forces() {
    const auto group_of = [](const BeamModel& beam, std::size_t element) {
      return "beam:" + beam.name + "-" + std::to_string(element + 1);
    };
    internal_ = layout_.columns.size();
    for (const BeamModel& beam : viewed_.model.beams) {
      const auto found = groups_.find(group_of(beam, 0));
      if (found == groups_.end() || !internal_names_.empty()) continue;
      for (const Component& component : viewed_.samples->groups()[found->second].components)
        internal_names_.push_back(component.name);
    }
    for (const BeamModel& beam : viewed_.model.beams) {
      for (std::size_t e = 0; e < beam.elements.size(); ++e) {
        for (const std::string& name : internal_names_) add_column(group_of(beam, e), name);
      }
    }
  }

  const Viewed& viewed_;
  FrameLayout layout_;
  std::map<std::string, std::size_t> groups_;
  std::vector<std::size_t> velocities_;  // places in a row, one a body
  std::size_t internal_ = 0;             // place of the first internal force; elements follow each other
  std::vector<std::string> internal_names_;
  std::vector<DrawnPart> parts_;
};

}  // namespace

VtkFiles export_vtk(const Viewed& viewed, const SampleRange& samples, const std::filesystem::path& folder,
                    const std::string& name) {
  const VtkScene scene(viewed, samples);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ResultError(fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()));
  VtkFiles written{.collection = folder / (name + ".pvd")};
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    // Thousands of them: only the last, which names all others, is worth waiting for the disk.
    const bool last = file.extension() == ".pvd";
    if (file.extension() == ".csv") {
      write_csv(folder / file, text, false);
    } else {
      write_file(folder / file, text, {.sync = last});
    }
    ++written.files;
    written.bytes += text.size();
  };
  std::vector<std::string> bodies = {"ground"}, contacts;
  for (const BodyModel& body : viewed.model.bodies) bodies.push_back(body.name);
  for (const FrameLayout::Contact& contact : scene.layout().contacts) contacts.push_back(contact.group);
  write("bodies.csv", names_csv("body", bodies));
  if (!contacts.empty()) write("contacts.csv", names_csv("contact", contacts));

  std::vector<PvdEntry> entries;
  const std::size_t width = scene.layout().columns.size();
  for (std::size_t begin = samples.first; begin < samples.last; begin += samples_at_once * samples.stride) {
    const std::size_t end = std::min(begin + samples_at_once * samples.stride, samples.last);
    const std::vector<float> rows = read_frames(viewed, scene.layout(), begin, end, samples.stride);
    for (std::size_t at = 0, sample = begin; at < rows.size(); at += width, sample += samples.stride) {
      const float* row = &rows[at];
      const auto add = [&](const char* kind, int part, const Vtp& vtp) {
        const std::string file = fmt::format("{}_{:06}.vtp", kind, written.samples);
        write(file, vtp_text(vtp));
        entries.push_back({viewed.samples->times()[sample], part, file});
      };
      add("bodies", 0, scene.bodies(row));
      if (scene.has_beams()) add("beams", 1, scene.beams(row));
      if (scene.has_contacts()) add("contacts", 2, scene.contacts(row));
      ++written.samples;
    }
  }
  write(name + ".pvd", pvd_text(entries));
  return written;
}

}  // namespace carom::inline exports

#include "component_reference.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/problem.h"
#include "dynamics/system.h"
#include "force_elements/force_element.h"
#include "model_io/read_model.h"
#include "simulation/recorder.h"

namespace carom {
namespace {

// One of each kind that has components of its own, in the plane and in space.
constexpr const char* common_text = R"toml(
[material.steel]
young = "210 GPa"
poisson = 0.3
density = "7800 kg/m^3"

[section.bar]
shape = "rectangle"
width = "10 mm"
height = "10 mm"

[contact.dry]
restitution = 0.5
friction = 0.1

[[pair]]
name = "NAME"
bodies = ["ground", "NAME"]
contact = "dry"

[[motion]]
name = "NAME"
joint = "NAME"
speed = 1

[[motion]]
name = "straight"
body = "third"
component = "x"
speed = 1

[[force]]
name = "torsion-spring"
type = "torsion-spring"
joint = "NAME"
stiffness = 1
)toml";

constexpr const char* planar_text = R"toml(
[model]
name = "one of each"
plane = "xy"

[[body]]
name = "NAME"
mass = 1
inertia = 1
position = [0, 2]
geometry = [{ shape = "sphere", radius = 0.1, material = "steel" }]

[[body]]
name = "other"
mass = 1
inertia = 1
position = [3, 2]

[[body]]
name = "third"
mass = 1
inertia = 1
position = [6, 2]

[[body]]
name = "shaft"
mass = 1
inertia = 1
position = [9, 2]

[ground]
geometry = [{ shape = "plane", material = "steel" }]

[[joint]]
name = "NAME"
type = "revolute"
bodies = ["ground", "NAME"]
at = [0, 2]

[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "other"]
at = [3, 2]
axis = [1, 0]

[[joint]]
name = "tie"
type = "gear"
joints = ["NAME", "slide"]
ratio = 1

[[joint]]
name = "loose"
type = "revolute"
bodies = ["ground", "third"]
at = [6, 2]
clearance = { radial = "0.1 mm", bearing_diameter = "20 mm", materials = ["steel", "steel"], contact = "dry" }

[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "NAME"]
ends = [[0, 5], [0, 2]]

[[force]]
name = "ligament"
type = "ligament"
bodies = ["ground", "NAME"]
ends = [[0, 5], [0, 2]]
stiffness = 1
free_length = 1

[[force]]
name = "bushing"
type = "bushing"
bodies = ["ground", "NAME"]
at = [0, 2]
stiffness = [1, 1]

[[force]]
name = "force"
type = "force"
body = "NAME"
force = [1, 0]

[[force]]
name = "torque"
type = "torque"
body = "NAME"
torque = 1

[[bearing]]
name = "NAME"
bodies = ["ground", "shaft"]
at = [9, 2]
balls = 9
pitch_diameter = "46 mm"
ball_diameter = "9.525 mm"
conformity = 0.52
diametric_clearance = "20 um"
material = "steel"
contact = "dry"

[[beam]]
name = "bar"
section = "bar"
material = "steel"
elements = 1
points = [[12, 2], [13, 2]]
)toml";

constexpr const char* spatial_text = R"toml(
[model]
name = "one of each"

[[body]]
name = "NAME"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 2]
geometry = [{ shape = "sphere", radius = 0.1, material = "steel" }]

[[body]]
name = "other"
mass = 1
inertia = [1, 1, 1]
position = [3, 0, 2]

[[body]]
name = "third"
mass = 1
inertia = [1, 1, 1]
position = [6, 0, 2]
geometry = [{ shape = "box", size = [0.1, 0.1, 0.1], material = "steel" }]

[ground]
geometry = [{ shape = "plane", material = "steel" },
            { name = "slab", shape = "heightfield", size = [1, 1, 1], relief = "=0*x", spacing = 1, material = "steel" }]

[[pair]]
name = "areas"
bodies = ["ground", "third"]
shapes = ["slab", "*"]
contact = "dry"

[[joint]]
name = "NAME"
type = "revolute"
bodies = ["ground", "NAME"]
at = [0, 0, 2]
axis = [0, 0, 1]

[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "other"]
at = [3, 0, 2]
axis = [1, 0, 0]

[[joint]]
name = "tie"
type = "gear"
joints = ["NAME", "slide"]
ratio = 1

[[joint]]
name = "loose"
type = "spherical"
bodies = ["ground", "third"]
at = [6, 0, 2]
clearance = { radial = "0.1 mm", bearing_diameter = "20 mm", materials = ["steel", "steel"], contact = "dry" }

[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "NAME"]
ends = [[0, 0, 5], [0, 0, 2]]

[[force]]
name = "ligament"
type = "ligament"
bodies = ["ground", "NAME"]
ends = [[0, 0, 5], [0, 0, 2]]
stiffness = 1
free_length = 1

[[force]]
name = "bushing"
type = "bushing"
bodies = ["ground", "NAME"]
at = [0, 0, 2]
stiffness = [1, 1, 1]

[[force]]
name = "force"
type = "force"
body = "NAME"
force = [1, 0, 0]

[[force]]
name = "torque"
type = "torque"
body = "NAME"
torque = [1, 0, 0]

[[beam]]
name = "bar"
section = "bar"
material = "steel"
elements = 1
points = [[12, 0, 2], [13, 0, 2]]
)toml";

using Groups = std::vector<ChannelGroup>;

Groups groups_of(const std::string& text, const char* method) {
  ProblemList problems;
  const Model model = read_model_text(
      text + common_text + fmt::format("\n[solver]\nmethod = \"{}\"\nend = 1\n", method), "one of each", problems);
  if (problems.errors() > 0) throw InputError(problems);
  Groups groups;
  const auto system = System::create(model);
  for (const ChannelDescription& channel : system->channels()) {
    ChannelGroup& group = groups.emplace_back(ChannelGroup{channel.name, {}});
    for (const auto& component : channel.components)
      group.components.push_back({component.name, component.unit, component.meaning});
  }
  return groups;
}

const std::vector<Component>* find(const Groups& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.name == name; });
  return found == groups.end() ? nullptr : &found->components;
}

// One group without the components that another one has, too.
Groups without(const Groups& groups, const std::string& name, const std::string& other) {
  Groups result;
  for (const auto& group : groups) {
    if (group.name != name) continue;
    result.push_back(group);
    std::erase_if(result.back().components, [&](const Component& component) {
      const std::vector<Component>& there = *find(groups, other);
      return std::any_of(there.begin(), there.end(),
                         [&](const Component& each) { return each.name == component.name; });
    });
  }
  return result;
}

// Where models are in which a component is.
struct Row {
  Component component;
  bool planar = false, spatial = false;
};

// Planar components come first; what only space has follows the one that it follows there.
void merge(const std::vector<Component>& components, bool planar, std::vector<Row>& rows) {
  std::size_t after = 0;
  for (const Component& component : components) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.component.name == component.name && row.component.meaning == component.meaning;
    });
    if (same != rows.end()) {
      (planar ? same->planar : same->spatial) = true;
      // Of drives that turn and of drives that push.
      std::string& unit = same->component.unit;
      if ((" or " + unit + " or ").find(" or " + component.unit + " or ") == std::string::npos)
        unit += " or " + component.unit;
      after = static_cast<std::size_t>(same - rows.begin()) + 1;
      continue;
    }
    after = rows.empty() ? 0 : std::min(after, rows.size());
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(after), {component, planar, !planar});
    ++after;
  }
}

std::string unit_text(const std::string& unit) {
  return unit.empty() || unit == "1" ? "–" : unit;
}

// The groups of these names, as one table.
std::string section(const std::string& title, const std::vector<std::string>& names, const Groups& planar,
                    const Groups& spatial) {
  std::vector<Row> rows;
  for (const std::string& name : names) {
    if (const auto* found = find(planar, name)) merge(*found, true, rows);
  }
  for (const std::string& name : names) {
    if (const auto* found = find(spatial, name)) merge(*found, false, rows);
  }
  std::string text = fmt::format("#### {}\n\n| component | unit | in | meaning |\n|---|---|---|---|\n", title);
  for (const Row& row : rows) {
    const char* where = row.planar && row.spatial ? "both" : row.planar ? "the plane" : "space";
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.component.name, unit_text(row.component.unit), where,
                        row.component.meaning);
  }
  return text + "\n";
}

}  // namespace

std::string component_table(const std::vector<Component>& components) {
  std::string text = "| component | unit | meaning |\n|---|---|---|\n";
  for (const Component& component : components)
    text += fmt::format("| `{}` | {} | {} |\n", component.name, unit_text(component.unit), component.meaning);
  return text;
}

std::string component_reference() {
  const Groups planar = groups_of(planar_text, "compliant"), spatial = groups_of(spatial_text, "compliant"),
               planar_impulses = groups_of(planar_text, "nonsmooth"),
               spatial_impulses = groups_of(spatial_text, "nonsmooth");
  std::string text = section("`body:NAME`", {"body:NAME"}, planar, spatial);
  text += section("`joint:NAME`", {"joint:NAME", "joint:slide"}, planar, spatial);
  text += section("`joint:NAME` of gears and couplers", {"joint:tie"}, planar, spatial);
  text += section("`motion:NAME`", {"motion:NAME", "motion:straight"}, planar, spatial);
  for (const auto& type : force_element_catalogue()) {
    const std::string name = "force:" + type.name;
    if (find(planar, name) || find(spatial, name))
      text += section(fmt::format("`force:NAME` of type `{}`", type.name), {name}, planar, spatial);
  }
  text += section("`contact:NAME`, and `joint:NAME` with a clearance, by force laws", {"contact:NAME", "joint:loose"},
                  planar, spatial);
  text += section("`contact:NAME` of meshes by force laws, besides, where they press over areas", {"contact:areas"}, {},
                  without(spatial, "contact:areas", "contact:NAME"));
  text +=
      section("The same by the nonsmooth method", {"contact:NAME", "joint:loose"}, planar_impulses, spatial_impulses);
  text += section("`bearing:NAME`, by force laws", {"bearing:NAME"}, planar, spatial);
  text += section("The same by the nonsmooth method", {"bearing:NAME"}, planar_impulses, spatial_impulses);
  text += section("`beam:NAME`", {"beam:bar"}, planar, spatial);
  text += section("`beam:NAME-1`, `beam:NAME-2` …, its elements", {"beam:bar-1"}, planar, spatial);
  std::vector<Component> energies;
  for (const auto& component : energy_channel().components)
    energies.push_back({component.name, component.unit, component.meaning});
  text += "#### `energy`\n\n" + component_table(energies) + "\n";
  for (const ContactMethod method : {ContactMethod::compliant, ContactMethod::nonsmooth}) {
    for (const EventKind& kind : event_kinds(method))
      text += fmt::format("#### Events `{}`\n\n{}\n", kind.name, component_table(kind.values));
  }
  text.pop_back();
  return text;
}

}  // namespace carom

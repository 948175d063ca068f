#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/errors.h"
#include "carom/export.h"
#include "carom/value.h"

namespace carom::v1 {

namespace detail {
struct Table;  // keys and values of one section
CAROM_EXPORT void set_key(Table& table, const std::string& key, const Value& value);
}  // namespace detail

// A section of a model: a light handle, valid as long as its model. Any key of the model file can be set; a key set
// again is replaced. Keys are checked when the model is validated or run, all of them together.
template <class Derived>
class Section {
 public:
  explicit Section(detail::Table& table) : table_(&table) {}
  Derived set(const std::string& key, const Value& value) const {
    detail::set_key(*table_, key, value);
    return Derived(*table_);
  }

 protected:
  detail::Table* table_;
};

// A named frame on a body, referred to as "body.marker".
class Marker : public Section<Marker> {
 public:
  using Section::Section;
  Marker position(const Value& vector) const { return set("position", vector); }  // m, body axes
  Marker orientation(const Value& rotation) const { return set("orientation", rotation); }
};

// A shape for drawing and for contact: sphere, box, cylinder, capsule, plane, profile, or a hole: cavity, slot, bore.
class Shape : public Section<Shape> {
 public:
  using Section::Section;
  Shape name(const std::string& name) const { return set("name", name); }  // for pairs; unique on its body
  Shape material(const std::string& material) const { return set("material", material); }
  Shape radius(const Value& length) const { return set("radius", length); }      // m
  Shape length(const Value& length) const { return set("length", length); }      // m
  Shape size(const Value& edges) const { return set("size", edges); }            // m
  Shape points(const Value& corners) const { return set("points", corners); }    // m
  Shape position(const Value& vector) const { return set("position", vector); }  // m, body axes
  Shape color(const std::string& color) const { return set("color", color); }    // "#4080c0"
};

class Body : public Section<Body> {
 public:
  using Section::Section;
  Body mass(const Value& mass) const { return set("mass", mass); }              // kg
  Body inertia(const Value& inertia) const { return set("inertia", inertia); }  // kg m², about the mass centre
  Body position(const Value& vector) const { return set("position", vector); }  // m, of the origin
  Body orientation(const Value& rotation) const { return set("orientation", rotation); }
  Body center_of_mass(const Value& vector) const { return set("center_of_mass", vector); }
  Body velocity(const Value& vector) const { return set("velocity", vector); }  // m/s, of the mass centre
  Body angular_velocity(const Value& angular_velocity) const {
    return set("angular_velocity", angular_velocity);
  }  // rad/s, world axes
  CAROM_EXPORT Marker marker(const std::string& name) const;
  CAROM_EXPORT Shape shape(const std::string& kind) const;  // a new one at every call
};

// The clearance of a joint, which makes it a contact of a journal in its bearing, or of a block in its guide.
class Clearance : public Section<Clearance> {
 public:
  using Section::Section;
  Clearance diametric(const Value& length) const { return set("diametric", length); }                // m
  Clearance radial(const Value& length) const { return set("radial", length); }                      // m, instead
  Clearance bearing_diameter(const Value& length) const { return set("bearing_diameter", length); }  // m
  // m, of the guide of a slide in space, across its diameter
  Clearance bearing_height(const Value& length) const { return set("bearing_height", length); }
  Clearance length(const Value& length) const { return set("length", length); }  // m
  Clearance materials(const std::string& first, const std::string& second) const {
    return set("materials", {first, second});
  }
  Clearance contact(const std::string& contact) const { return set("contact", contact); }
};

class Joint : public Section<Joint> {
 public:
  using Section::Section;
  Joint between(const std::string& first, const std::string& second) const { return set("bodies", {first, second}); }
  Joint at(const Value& point) const { return set("at", point); }  // m, world axes
  Joint axis(const Value& direction) const { return set("axis", direction); }
  Joint markers(const std::string& first, const std::string& second) const { return set("markers", {first, second}); }
  CAROM_EXPORT Clearance clearance() const;  // made at the first call
};

// A drive: one of position, speed and acceleration, a function of t.
class Motion : public Section<Motion> {
 public:
  using Section::Section;
  Motion joint(const std::string& joint) const { return set("joint", joint); }  // "pivot" or "slide.translation"
  Motion body(const std::string& body, const std::string& component) const {
    return set("body", body).set("component", component);
  }
  Motion position(const Value& law) const { return set("position", law); }
  Motion speed(const Value& law) const { return set("speed", law); }
  Motion acceleration(const Value& law) const { return set("acceleration", law); }
};

class Force : public Section<Force> {
 public:
  using Section::Section;
  Force between(const std::string& first, const std::string& second) const { return set("bodies", {first, second}); }
  Force ends(const Value& first, const Value& second) const { return set("ends", {first, second}); }  // m, world axes
  Force on(const std::string& body) const { return set("body", body); }
  Force stiffness(const Value& stiffness) const { return set("stiffness", stiffness); }
  Force damping(const Value& damping) const { return set("damping", damping); }
};

class Material : public Section<Material> {
 public:
  using Section::Section;
};

// How surfaces that touch behave.
class Contact : public Section<Contact> {
 public:
  using Section::Section;
  Contact law(const std::string& law) const { return set("law", law); }
  Contact elastic(const std::string& shape) const { return set("elastic", shape); }
  Contact restitution(const Value& restitution) const { return set("restitution", restitution); }
  Contact stiffness(const Value& stiffness) const { return set("stiffness", stiffness); }
  // A coefficient, or Value::table({{"law", "threlfall"}, {"coefficient", 0.1}}).
  Contact friction(const Value& friction) const { return set("friction", friction); }
};

// Two bodies that may touch; "*" stands for every moving body.
class Pair : public Section<Pair> {
 public:
  using Section::Section;
  Pair between(const std::string& first, const std::string& second) const { return set("bodies", {first, second}); }
  Pair shapes(const std::string& first, const std::string& second) const { return set("shapes", {first, second}); }
  Pair materials(const std::string& first, const std::string& second) const {
    return set("materials", {first, second});
  }
  Pair contact(const std::string& contact) const { return set("contact", contact); }
};

class Solver : public Section<Solver> {
 public:
  using Section::Section;
  Solver analysis(const std::string& kind) const { return set("analysis", kind); }
  Solver start(const Value& time) const { return set("start", time); }  // s
  Solver end(const Value& time) const { return set("end", time); }      // s
  Solver integrator(const std::string& name) const { return set("integrator", name); }
  Solver tolerance(const Value& relative) const { return set("tolerance", relative); }
  Solver step(const Value& time) const { return set("step", time); }  // s
  Solver constraints(const std::string& treatment) const { return set("constraints", treatment); }
};

class Output : public Section<Output> {
 public:
  using Section::Section;
  Output every(const Value& time) const { return set("every", time); }            // s
  Output record(const Value& patterns) const { return set("record", patterns); }  // {"body:*", "energy"}
};

// A model: built here key by key, read from a file, or both. Copies are independent.
//
// body, joint, motion, force, material, contact, pair and the like give the section of that name, made at the first
// call. Setting keys never fails; validate, simulate and check report every problem of the model at once, named by its
// key.
class CAROM_EXPORT Model {
 public:
  explicit Model(const std::string& name = {});
  ~Model();
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;

  // A model file. What is set afterwards replaces keys of the file's [model], [parameters], [solver] and [output], and
  // adds bodies, joints, motions and forces to it. The file is read when it is needed, and problems name its lines.
  static Model load(const std::filesystem::path& file);
  // The text of a model file, of any section; relative names of files in it start in the folder (empty: where the
  // program runs). Sections that it does not have can be set afterwards.
  static Model from_text(const std::string& text, const std::filesystem::path& folder = {});

  Model& planar();                      // three degrees of freedom a body, vectors of two components
  Model& gravity(const Value& vector);  // m/s²
  Model& parameter(const std::string& name, const Value& quantity);

  Body body(const std::string& name);
  Body ground();  // markers and shapes only
  Joint joint(const std::string& name);
  Joint joint(const std::string& name, const std::string& type);
  Motion motion(const std::string& name);
  Force force(const std::string& name);
  Force force(const std::string& name, const std::string& type);
  Material material(const std::string& name);
  Contact contact(const std::string& name);
  Pair pair(const std::string& name);
  Solver solver();
  Output output();

  // The text of a model file that says what was set here.
  std::string text() const;

 private:
  friend struct ModelAccess;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Every problem and warning of a model; empty when all is well.
CAROM_EXPORT std::vector<Problem> validate(const Model& model);

}  // namespace carom::v1
